#pragma once
// The inline path on a processor with store buffers (total store order, as x86 has it): each thread
// has a queue of its stores, which reach the memory in order but late; its loads look into its own
// queue first; updates and full fences wait until the queue is empty.
//
// far::put, get, put_async, get_async and atomic_ref of a modelled_word, and rma::flush_words, are
// the library's own code, but for the instructions at its end: those are the model's.
// store_outcomes() runs a litmus program by them in every order that such a processor may take.
//
// One thread at a time uses the model: it belongs to the explorer that runs (a thread-local).

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "far/far.hpp"
#include "test/litmus/program.hpp"

namespace far::litmus {

/// A word whose instructions are the model's.
struct modelled_word {
  std::uint64_t value = 0;
};

/// Processors that do not hold to that, to see it found.
enum class fault : std::uint8_t {
  nothing,
  fence_is_nothing,
  stores_pass_stores,
  loads_miss_own_stores,
  updates_do_not_wait,  ///< they leave earlier stores in the queue, and are late themselves
};

/// Memory and queues, and what they do at each instruction.
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

  /// How many of the thread's stores may reach the memory next, and one of them doing so.
  [[nodiscard]] std::size_t drainable(std::size_t thread, fault f) const noexcept;
  void drain(std::size_t thread, std::size_t which) noexcept;

  [[nodiscard]] const std::array<std::uint8_t, most_cells>& memory() const noexcept {
    return memory_;
  }
  [[nodiscard]] bool is_drained() const noexcept;
  friend bool operator==(const store_buffers&, const store_buffers&) = default;

 private:
  std::array<std::uint8_t, most_cells> memory_{};
  std::array<queue, most_threads> queues_{};
};

/// The instruction that the operation under way executes: the hook between the two.
struct processor {
  store_buffers* memory = nullptr;
  std::size_t thread = 0;
  fault mistake = fault::nothing;
  std::vector<const std::byte*> places;  ///< of the program's cells
  int executed = 0;                      ///< instructions of this operation

  [[nodiscard]] std::size_t cell_of(const std::byte* place);

  static thread_local processor* current;
};

/// Every outcome of a program of word operations (can_model) on such a processor, sorted. Called on
/// one rank of a job of coherent memory; `words` is symmetric memory for its places.
[[nodiscard]] std::vector<outcome> store_outcomes(const world& view, ptr<modelled_word> words,
                                                  const program& p, fault mistake);
/// Blocking and non-blocking puts and gets of words, store, load and swap, flush.
[[nodiscard]] bool can_model(const program& p);

}  // namespace far::litmus

namespace far::rma {

template <>
struct instructions<litmus::modelled_word> {
  using word = litmus::modelled_word;

  /// In the place of a std::atomic_ref: what far::atomic_ref::exchange wants of it.
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
