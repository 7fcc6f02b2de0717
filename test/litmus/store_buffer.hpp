#pragma once
// The inline path on a processor with store buffers (buffered_memory.hpp).
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
#include "test/litmus/buffered_memory.hpp"
#include "test/litmus/program.hpp"

namespace far::litmus {

/// A word that is accessed by the model's instructions.
struct modelled_word {
  std::uint64_t value = 0;
};

using store_buffers = buffered_memory<max_cells, max_threads>;

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
[[nodiscard]] std::vector<outcome> store_outcomes(const world& world, ptr<modelled_word> words,
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
