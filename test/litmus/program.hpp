#pragma once
// A litmus program as data: a few threads, each a short list of operations on a few words.
// axioms.hpp computes the outcomes that it may have, execute.hpp runs it on a fabric.
//
// A place (x, y, z, ...) has one or more cells. A cell is an aligned word of 8 bytes. Operations on
// one cell are word operations, those on several are transfers. Values are small: a cell holds its
// value in each of its bytes, so a half-written word is not a valid value.

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace far::litmus {

enum class verb : std::uint8_t {
  put,
  get,
  store,  ///< of atomic_ref, like the next three
  load,
  fetch_add,
  swap,
  plain,  ///< a load without the fabric, from the thread's own rank
  flush,
  complete,  ///< waits until this thread's non-blocking operations are complete
  wait_signal,
  barrier,
  send,  ///< a message, which runs a handler: another thread of the program
  quiesce,
  set,   ///< put of a cached array; its apply is the next, its get is `get`
  apply  ///< adds, and returns nothing
};

/// How a step of a cached array's program reaches its element: by the sequentially consistent view,
/// by a pin that it holds for this access alone, or by the relaxed view.
enum class way : std::uint8_t { sequential, pinned, relaxed };

inline constexpr std::uint8_t none = 0xff;
/// The result of reading a word that contains parts of two changes. Never allowed for a word
/// operation.
inline constexpr std::uint8_t torn = 0xee;
inline constexpr std::uint8_t every_rank = 0xff;

struct step {
  verb what = verb::put;
  bool async = false;              ///< only starts: put_async, get_async, fetch_add_async, ...
  std::uint8_t place = none;       ///< index into program::places
  std::uint8_t cells = 1;          ///< 1: a word; more: a transfer from the place's first cell on
  std::uint8_t value = 0;          ///< the value that it writes to every cell, or adds
  std::uint8_t reg = none;         ///< the first register that it fills; one per cell
  std::uint8_t rank = every_rank;  ///< of flush
  std::uint8_t signal = none;      ///< of put: the place that is set to 1 after the payload
  std::uint8_t handler = none;     ///< of send: the thread that runs
  way by = way::sequential;        ///< of get, set and apply of a cached array
};

struct place {
  std::string name;
  int home = 0;
  int cells = 1;
};

struct thread {
  int rank = 0;
  bool handler = false;  ///< runs once its message has arrived; others run from the start
  std::vector<step> steps;
};

inline constexpr std::size_t max_registers = 14;
inline constexpr std::size_t max_cells = 8;
inline constexpr std::size_t max_threads = 6;

/// All values read, and the memory at the end, when everything has been flushed.
struct outcome {
  std::array<std::uint8_t, max_registers> registers{};
  std::array<std::uint8_t, max_cells> memory{};
  friend auto operator<=>(const outcome&, const outcome&) = default;
};

struct program {
  std::string name;
  std::vector<place> places;
  std::vector<thread> threads;
  int registers = 0;

  /// The number of the place's first cell, counted over all places.
  [[nodiscard]] std::size_t first_cell(std::size_t place) const;
  [[nodiscard]] std::size_t cells() const { return first_cell(places.size()); }
  /// The number of ranks it needs, for threads and homes.
  [[nodiscard]] int ranks() const;
  /// Whether a transfer accesses the place: then only its bytes are whole, not its words.
  [[nodiscard]] bool is_moved_by_transfer(std::size_t place) const;

  /// Appends a step to a thread, and assigns registers if it reads. Returns the first of them.
  std::uint8_t add(std::size_t thread, step s);
};

[[nodiscard]] bool reads(verb what);
[[nodiscard]] bool writes(verb what);
/// Whether it is atomic against read-modify-writes (axiom 4).
[[nodiscard]] bool in_domain(verb what);
[[nodiscard]] bool is_update(verb what);  ///< fetch_add or swap

/// "put x 1", "get_async y -> r0".
[[nodiscard]] std::string text(const program& p, const step& s);
/// All threads, one per line.
[[nodiscard]] std::string text(const program& p);
/// "r0=1 r1=0 | x=1 y=1".
[[nodiscard]] std::string text(const program& p, const outcome& o);

}  // namespace far::litmus
