#pragma once
// The state of the abstract machine of axioms.hpp, and how a single change or look affects it.

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "test/litmus/axioms.hpp"
#include "test/litmus/program.hpp"

namespace far::litmus {

inline constexpr std::size_t max_steps = 32;
inline constexpr std::size_t queue_length = 6;
inline constexpr std::uint8_t idle = 0xff;

// The remaining parts of an operation: one bit per cell, and
inline constexpr std::uint8_t half_bit = 0x20;    // one half of a word (defect::words_tear)
inline constexpr std::uint8_t read_bit = 0x40;    // the reading half of a non-blocking update
inline constexpr std::uint8_t signal_bit = 0x80;  // the signal
inline constexpr std::uint8_t cell_bits = 0x1f;

/// An operation of the program, and its target.
struct operation {
  step what;
  std::size_t thread = 0;
  int home = -1;
  std::size_t first = 0;   // cell
  std::size_t signal = 0;  // cell
  std::uint8_t all = 0;    // all its parts, which remain at its start
};

/// A thread's late changes, as numbers of operations, oldest first; `none` at the end.
using queue = std::array<std::uint8_t, queue_length>;

/// Compared and hashed by its bytes. Operations are identified by their number.
struct state {
  std::uint32_t in_flight = 0;  // non-blocking operations, a bit each
  std::array<std::uint8_t, max_cells> memory{};
  std::array<std::uint8_t, max_cells> reserved{};  // the update that has read the cell
  std::array<std::uint8_t, max_registers> registers{};
  std::array<std::uint8_t, max_threads> next{};  // operation, or idle
  std::array<std::uint8_t, max_steps> left{};
  std::array<queue, max_threads> queues{};

  friend bool operator==(const state&, const state&) = default;
};
static_assert(std::has_unique_object_representations_v<state>);

/// A program's operations by number, and the effect of each.
class rules {
 public:
  rules(const program& p, const machine& how);

  [[nodiscard]] state start() const;

 protected:
  [[nodiscard]] std::size_t end_of(std::size_t thread) const {
    return begin_[thread] + program_->threads[thread].steps.size();
  }
  static bool is_empty(const queue& q) { return q[0] == none; }
  static void enqueue(state& s, std::size_t thread, std::size_t op);

  /// Whether `op`, which has not changed the cell yet, will change it.
  [[nodiscard]] bool changes(const state& s, std::size_t op, std::size_t cell) const;
  [[nodiscard]] std::uint8_t value_of(const state& s, std::size_t op, std::size_t cell) const;
  /// The last change of the cell in the thread's queue that was issued before `before`; or none.
  [[nodiscard]] std::uint8_t newest_own(const state& s, std::size_t thread, std::size_t cell,
                                        std::size_t before = max_steps) const;
  /// Axioms 3 and 6: the value that the thread sees: its own late change, or else the memory.
  [[nodiscard]] std::uint8_t seen_by(const state& s, std::size_t thread, std::size_t cell,
                                     std::size_t before = max_steps) const;
  /// The parts of a change that may take place next. Axiom 2: its cells in any order; axiom 9: then
  /// the signal.
  [[nodiscard]] std::vector<std::uint8_t> ready_bits(const state& s, std::size_t op) const;
  /// Axiom 2: whether this cell of a change may be written, and written again later.
  [[nodiscard]] bool may_come_again(std::size_t op, std::uint8_t bit) const {
    const step& what = operations_[op].what;
    return how_.rewrites && what.what == verb::put && what.cells > 1 && (bit & cell_bits) != 0;
  }
  [[nodiscard]] std::size_t cell_of(std::size_t op, std::uint8_t bit) const;
  /// One cell of a change takes place in memory. Returns false if a reservation delays it.
  bool commit(state& s, std::size_t op, std::uint8_t bit) const;

  const program* program_;
  machine how_;
  std::vector<operation> operations_;
  std::array<std::size_t, max_threads> begin_{};
};

}  // namespace far::litmus
