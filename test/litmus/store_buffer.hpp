#pragma once
// The inline path on a processor with store buffers (total store order, as on x86). Each thread has
// a queue of its stores, which reach memory in order but late. Its loads look into its own queue
// first. Updates and full fences wait until the queue is empty.
//
// far::put, get, put_async, get_async and atomic_ref of a modelled_word, and rma::flush_words, are
// the library's own code, except for the instructions that they end in: those are the model's.
// store_outcomes() runs a litmus program with them in every order that such a processor allows.
//
// Only one thread at a time uses the model: it belongs to the running explorer (a thread-local).

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "far/far.hpp"
#include "test/litmus/program.hpp"

namespace far::litmus {

/// A word that is accessed by the model's instructions.
struct modelled_word {
  std::uint64_t value = 0;
};

/// Processors that break these rules, to check that they are found.
enum class fault : std::uint8_t {
  nothing,
  fence_is_nothing,
  stores_pass_stores,
  loads_miss_own_stores,
  updates_do_not_wait,  ///< they leave earlier stores in the queue, and are late themselves
};

/// Memory and queues, and the effect of each instruction.
class store_buffers {
 public:
  static constexpr std::size_t depth = 6;
  static constexpr std::uint8_t empty = 0xff;
  struct entry {
    std::uint8_t cell = empty;
    std::uint8_t value = 0;
    friend bool operator==(const entry&, const entry&) = default;
  };
  using queue = std::array<entry, depth>;

  [[nodiscard]] std::uint8_t load(std::size_t thread, std::size_t cell, fault f) const noexcept;
  void store(std::size_t thread, std::size_t cell, std::uint8_t value) noexcept;
  std::uint8_t exchange(std::size_t thread, std::size_t cell, std::uint8_t value, fault f) noexcept;
  void fence(std::size_t thread, fault f) noexcept;

  /// The number of the thread's stores that may reach memory next; `drain` lets one of them do so.
  [[nodiscard]] std::size_t drainable(std::size_t thread, fault f) const noexcept;
  void drain(std::size_t thread, std::size_t which) noexcept;

  [[nodiscard]] const std::array<std::uint8_t, max_cells>& memory() const noexcept {
    return memory_;
  }
  [[nodiscard]] bool is_drained() const noexcept;
  friend bool operator==(const store_buffers&, const store_buffers&) = default;

 private:
  std::array<std::uint8_t, max_cells> memory_{};
  std::array<queue, max_threads> queues_{};
};

/// The instruction that the current operation executes: connects the library's code to the model.
struct processor {
  store_buffers* memory = nullptr;
  std::size_t thread = 0;
  fault mistake = fault::nothing;
  std::vector<const std::byte*> places;  ///< of the program's cells
  int executed = 0;                      ///< instructions that this operation has executed

  [[nodiscard]] std::size_t cell_of(const std::byte* place);

  static thread_local processor* current;
};

/// All outcomes, sorted, of a program of word operations (can_model) on such a processor. Call it
/// on one rank of a job with coherent memory; `words` is symmetric memory for the program's places.
[[nodiscard]] std::vector<outcome> store_outcomes(const world& view, ptr<modelled_word> words,
                                                  const program& p, fault mistake);
/// Whether the program has only: blocking and non-blocking puts and gets of words, store, load,
/// swap, flush.
[[nodiscard]] bool can_model(const program& p);

}  // namespace far::litmus

namespace far::rma {

template <>
struct instructions<litmus::modelled_word> {
  using word = litmus::modelled_word;

  /// Replaces a std::atomic_ref: has what far::atomic_ref::exchange needs.
  struct update {
    std::byte* place;

    word exchange(word value, std::memory_order order) const;
  };

  [[nodiscard]] static word load_acquire(const std::byte* place);
  static void store_release(std::byte* place, const word& value);
  [[nodiscard]] static update updates(std::byte* place) noexcept { return {place}; }
  static void full_fence();
};

}  // namespace far::rma
