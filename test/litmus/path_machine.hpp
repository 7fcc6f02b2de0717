#pragma once
// The memory of one rank of a cached array behind store buffers, and what its threads do to it, one
// instruction at a time. cached_path.hpp has the code that they run.
//
// A thread's code is a C++ function that calls a machine for each instruction. To suspend it
// between two instructions, the machine throws; to continue it, the function runs again from the
// start, and the machine returns the results that the earlier instructions had. So a state of all
// threads is plain data.

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "test/litmus/buffered_memory.hpp"
#include "test/litmus/program.hpp"

namespace far::litmus::path {

inline constexpr std::size_t chunks = 2;
inline constexpr std::size_t max_local = 3;           ///< threads of the rank
inline constexpr std::size_t handler = max_local;     ///< a further one, which runs handlers
inline constexpr std::size_t max_instructions = 160;  ///< of one access, or of one message

// Cells of the rank's memory. `copy` and `line` stand for whole chunks and lines.
constexpr std::size_t word(std::size_t chunk) { return chunk; }
constexpr std::size_t copy(std::size_t chunk) { return chunks + chunk; }
inline constexpr std::size_t mutex = 2 * chunks;
constexpr std::size_t accessed(std::size_t thread) { return mutex + 1 + thread; }
constexpr std::size_t notice(std::size_t thread) { return accessed(max_local) + thread; }
constexpr std::size_t pin(std::size_t thread) { return notice(max_local) + thread; }
constexpr std::size_t pin_notice(std::size_t thread) { return pin(max_local) + thread; }
constexpr std::size_t has_line(std::size_t thread, std::size_t chunk) {
  return pin_notice(max_local) + chunks * thread + chunk;
}
constexpr std::size_t line(std::size_t thread, std::size_t chunk) {
  return has_line(max_local, 0) + chunks * thread + chunk;
}
inline constexpr std::size_t cells = line(max_local, 0);

/// The results of a thread's instructions since its access began.
struct results {
  std::uint8_t count = 0;
  std::array<std::uint8_t, max_instructions> value{};
  friend bool operator==(const results&, const results&) = default;
};

/// The rank, and what another rank does. Bits of masks are chunks.
struct state {
  buffered_memory<cells, max_local + 1> memory;
  std::uint8_t wanted = 0;    ///< another right has been requested, so the home recalls this rank's
  std::uint8_t recalled = 0;  ///< a handler has received that
  std::uint8_t left = 0;      ///< the rank has given its right up
  std::uint8_t granted = 0;   ///< the home has the data, and grants others' requests
  std::array<std::uint8_t, chunks> home{};  ///< the elements at the home, valid when granted
  std::array<std::uint8_t, max_registers> registers{};
  std::array<std::uint8_t, max_threads> next{};  ///< the accesses that each thread has ended
  std::array<results, max_threads> log{};
  friend bool operator==(const state&, const state&) = default;
};
static_assert(std::has_unique_object_representations_v<state>);

/// What must not happen.
struct violations {
  bool late_access = false;  ///< an access under a right that has been given up
};

/// Runs one instruction of one thread.
class machine {
 public:
  machine(const state& from, std::size_t thread, std::size_t threads, std::uint8_t choice,
          violations& found)
      : state_(from), thread_(thread), threads_(threads), choice_(choice), found_(&found) {}

  [[nodiscard]] const state& after() const noexcept { return state_; }
  /// Whether the thread has to wait, so that nothing was executed.
  [[nodiscard]] bool is_blocked() const noexcept { return is_blocked_; }
  /// Whether the instruction could also have gone another way: the next choice.
  [[nodiscard]] bool has_more_choices() const noexcept { return has_more_choices_; }
  /// The code of an access, or of a message, is at its end.
  void end_access() noexcept {
    if (is_over_) return;
    ++state_.next[thread_];
    state_.log[thread_] = {};
  }
  void end_message() noexcept {
    if (!is_over_) state_.log[thread_] = {};
  }
  /// The result of a get.
  void keep(std::uint8_t reg, std::uint8_t value) noexcept {
    if (!is_over_) state_.registers[reg] = value;
  }

  // Instructions of the rank's threads.

  std::uint8_t load(std::size_t cell);
  void store(std::size_t cell, std::uint8_t value);
  std::uint8_t exchange(std::size_t cell, std::uint8_t value);
  std::uint8_t fetch_add(std::size_t cell, std::uint8_t value);
  void fence();
  /// Executes a fence on another thread of the rank, one that is not in the mask; returns its
  /// number.
  std::uint8_t interrupt_another(std::uint8_t mask);
  /// Returns the data that the mutex guards.
  std::uint8_t lock();
  void unlock(std::uint8_t guarded);
  /// Marks that the rank has given its right to the chunk up.
  void leave(std::size_t chunk);
  /// A load of what the rank sends.
  std::uint8_t load_of_answer(std::size_t cell);

  // Messages between the rank and the home.

  /// Asks for a right that the rank does not have, or that the rank has.
  void want(std::size_t chunk);
  /// Waits for a recall, and returns its chunk.
  std::uint8_t await_recall();
  /// The answer to the recall. `combined`: operands to be added to the element.
  void answer(std::size_t chunk, std::uint8_t data, bool combined);
  /// Access to the element at the home, when the rank's right is gone.
  std::uint8_t get_at_home(std::size_t chunk);
  void set_at_home(std::size_t chunk, std::uint8_t value);
  /// `now`: others may combine operands while the rank may.
  void apply_at_home(std::size_t chunk, std::uint8_t value, bool now);

 private:
  template <class F>
  std::uint8_t instruction(F execute) {
    results& log = state_.log[thread_];
    if (position_ < log.count) return log.value[position_++];
    is_over_ = is_over_ || has_executed_;
    if (is_over_) return 0;
    has_executed_ = true;
    const std::uint8_t result = execute();
    if (is_over_) return 0;
    FAR_CHECK(log.count < max_instructions, "an access of a model has too many instructions");
    log.value[log.count++] = result;
    ++position_;
    return result;
  }
  std::uint8_t block() noexcept {
    is_blocked_ = is_over_ = true;
    return 0;
  }
  void check(std::size_t cell) const noexcept;
  void drain(std::size_t thread) noexcept;
  /// Whether this is the chosen one of several ways; call it for each.
  [[nodiscard]] bool is_choice() noexcept;

  state state_;
  std::size_t thread_;
  std::size_t threads_;  // of the rank
  std::uint8_t choice_;
  violations* found_;
  std::uint8_t ways_ = 0;  // that is_choice has seen
  std::uint8_t position_ = 0;
  bool has_executed_ = false;
  bool is_over_ = false;  // what follows is for another run
  bool is_blocked_ = false;
  bool has_more_choices_ = false;
};

/// Whether the cell belongs to a chunk whose right the rank has given up.
[[nodiscard]] bool has_left(const state& s, std::size_t cell) noexcept;

}  // namespace far::litmus::path
