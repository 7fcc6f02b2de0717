#pragma once
// How threads access a cached chunk, and how the right to it is taken away, on processors with
// store buffers and in all orders.
//
// cached_path.cpp follows the library's functions line by line, under their names:
// thread_access::quick_hit, end_hit, pin, end_pin and slow
// (src/far/array/cached/thread_access.hpp), cache::acquire, withdraw, is_accessed, answer_notice
// (cache.cpp), try_revoke, finish and retry_revocations (cache_protocol.cpp), and heavy_fence. They
// are not the library's own code, which has no place for the model's memory.
//
// Rank 0 has up to three threads and a handler. It begins with the right to write each chunk, or
// with that to combine operands. Threads of rank 1 access elements at the home, once rank 0 has
// given its right up; so does rank 0 afterwards.

#include <array>
#include <cstddef>
#include <vector>

#include "test/litmus/path_machine.hpp"
#include "test/litmus/program.hpp"

namespace far::litmus {

/// What the path lacks, to check that it is needed.
enum class omission : std::uint8_t {
  nothing,
  first_heavy_fence,     ///< before the first look at the threads' records: only a fence of its own
  second_heavy_fence,    ///< before the second look
  second_look,           ///< after the notices
  withdrawal,            ///< of the chunk's word and of the operand lines
  publish_before_check,  ///< a hit reads the chunk's word, and then publishes the access
  access_before_clear,   ///< it clears the record, and then accesses
  look_at_pins,          ///< a revocation sees accesses only
  clear_before_look,     ///< it reads the notice, and then clears the record
  fence_of_set,          ///< set is a plain store, as in the relaxed view
  light_fence_of_publish,  ///< where both sides use full fences
  light_fence_of_clear,
};

struct path_options {
  /// The rare side's fence reaches all threads (membarrier); else both sides use full fences.
  bool asymmetric = true;
  /// Rank 0 begins with the right to combine operands of the chunk, not to write it.
  std::array<bool, path::chunks> operated{};
  omission without = omission::nothing;
};

struct path_result {
  std::vector<outcome> outcomes;  ///< sorted
  bool late_access = false;       ///< an access under a right that had been given up
  bool lost_revocation = false;   ///< a run in which a revocation, or a thread, waits for ever
  std::size_t states = 0;
};

/// Explores a program of get, set and apply, by the sequentially consistent or the relaxed view or
/// by a pin, on ranks 0 and 1. Each place is the element of a chunk of its own.
[[nodiscard]] path_result explore_path(const program& p, const path_options& how = {});

}  // namespace far::litmus
