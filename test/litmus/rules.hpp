#pragma once
// The state of the abstract machine of axioms.hpp, and how a single change or look acts on it.

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "test/litmus/axioms.hpp"
#include "test/litmus/program.hpp"

namespace far::litmus {

inline constexpr std::size_t most_steps = 32;
inline constexpr std::size_t queue_length = 6;
inline constexpr std::uint8_t idle = 0xff;

// What is still to be done of an operation: a bit per cell, and
inline constexpr std::uint8_t half_bit = 0x20;    // one half of a word (defect::words_tear)
inline constexpr std::uint8_t read_bit = 0x40;    // the reading half of a non-blocking update
inline constexpr std::uint8_t signal_bit = 0x80;  // the signal
inline constexpr std::uint8_t cell_bits = 0x1f;

/// An operation of the program, and where it goes.
struct operation {
  step what;
  std::size_t thread = 0;
  int home = -1;
  std::size_t first = 0;   // cell
  std::size_t signal = 0;  // cell
  std::uint8_t all = 0;    // what is to be done at its start
};

/// A thread's changes that are late, by their operations, first issued first; none at the end.
using queue = std::array<std::uint8_t, queue_length>;

/// Compared and hashed by its bytes. Operations are named by their number.
struct state {
  std::uint32_t under_way = 0;  // non-blocking ones, a bit each
  std::array<std::uint8_t, most_cells> memory{};
  std::array<std::uint8_t, most_cells> reserved{};  // by the update that has read it
  std::array<std::uint8_t, most_registers> registers{};
  std::array<std::uint8_t, most_threads> next{};  // operation, or idle
  std::array<std::uint8_t, most_steps> left{};
  std::array<queue, most_threads> queues{};

  friend bool operator==(const state&, const state&) = default;
};
static_assert(std::has_unique_object_representations_v<state>);

/// A program's operations by their numbers, and what each does.
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

  /// Whether `op`, whose change of the cell has not taken place, will make one.
  [[nodiscard]] bool changes(const state& s, std::size_t op, std::size_t cell) const;
  [[nodiscard]] std::uint8_t value_of(const state& s, std::size_t op, std::size_t cell) const;
  /// The last change of the cell in the thread's queue, of those issued before `before`; or none.
  [[nodiscard]] std::uint8_t newest_own(const state& s, std::size_t thread, std::size_t cell,
                                        std::size_t before = most_steps) const;
  /// Axioms 3 and 6: a thread sees its own late changes at once, and else the memory.
  [[nodiscard]] std::uint8_t seen_by(const state& s, std::size_t thread, std::size_t cell,
                                     std::size_t before = most_steps) const;
  /// What of a change may take place next. Axiom 2: its cells in any order; axiom 9: then the
  /// signal.
  [[nodiscard]] std::vector<std::uint8_t> ready_bits(const state& s, std::size_t op) const;
  /// Axiom 2: this cell of a change may be written, and later once more.
  [[nodiscard]] bool may_come_again(std::size_t op, std::uint8_t bit) const {
    const step& what = operations_[op].what;
    return how_.rewrites && what.what == verb::put && what.cells > 1 && (bit & cell_bits) != 0;
  }
  [[nodiscard]] std::size_t cell_of(std::size_t op, std::uint8_t bit) const;
  /// One cell of a change takes place in the memory. False where a reservation holds it back.
  bool commit(state& s, std::size_t op, std::uint8_t bit) const;

  const program* program_;
  machine how_;
  std::vector<operation> operations_;
  std::array<std::size_t, most_threads> begin_{};
};

}  // namespace far::litmus
