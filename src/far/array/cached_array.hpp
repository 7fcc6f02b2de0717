#pragma once
// A distributed array whose elements are cached coherently at the ranks that access them.

#include <cstdint>
#include <utility>
#include <vector>

#include "far/array/cached_algorithms.hpp"
#include "far/array/cached_view.hpp"
#include "far/team/collective_scope.hpp"
#include "far/world/world.hpp"

namespace far {

/// Options of a cached array; the same on all ranks.
struct cached_array_options {
  /// Elements of a chunk, the unit of caching and of coherence. Elements of one chunk that
  /// different ranks write make the chunk travel between them. A power of two is fastest.
  std::uint64_t chunk = 512;
  /// The first index of each rank's part, ascending from 0. Empty: an even partition, in whole
  /// chunks if there is one for each rank.
  std::vector<std::uint64_t> begins = {};
  /// Memory for copies at each rank, at least two chunks. 0: FAR_ARRAY_CACHE, or 16 MB.
  std::uint64_t cache_bytes = 0;
  /// Evictions start when fewer than `low` percent of the cache are free, and free `high` percent.
  int low = 30;
  int high = 50;
  /// Run the protocol although all ranks share the memory of one machine, for tests and benchmarks.
  /// Otherwise nothing is cached there: the processors' caches are coherent already.
  bool force_protocol = false;
  /// How many chunks are requested ahead of a thread that enters chunks at a constant distance. At
  /// most a quarter of the cache.
  std::uint64_t prefetch = 32;
  /// Whether this rank keeps copies; ranks may differ. `automatic`: the homes choose, for all ranks
  /// that leave it to them.
  caching how = caching::automatic;
};

/// n elements of T, spread over all ranks, zero at first. cached_view documents the operations.
///
/// The constructor and the destructor are collective: every rank calls them, in the same order,
/// while no other thread of the rank communicates. The constructor ends with a barrier. The
/// destructor waits until no rank uses the array any more and no message about it is in flight,
/// except during the unwinding of an exception.
/// While the array lives, the rank has a service thread, because hits make no progress.
/// Threads: an array belongs to the thread that made it; others use on(their view).
/// Cost: 8 bytes per chunk and rank, and 16 per chunk and thread that applies operators, of which
/// only touched pages take memory; about 250 bytes per chunk that a rank has a right to, and 200 at
/// the home of a chunk that others have rights to; the cache.
/// Errors: out_of_memory; bad_argument for options that are out of range, or differ between ranks;
/// rank_failed.
/// Source: DArray (ICPP 2023). Checked by: cached_array_test.every_rank_sees_every_element
template <remote_object T>
  requires(!std::is_const_v<T>)
class cached_array : public cached_view<T> {
 public:
  cached_array(const world& world, std::uint64_t n, const cached_array_options& options = {})
      : cached_view<T>(world, cached::make_part(world, n, cached::kind_of<T>(), options)) {}
  cached_array(cached_array&&) = delete;
  cached_array& operator=(cached_array&&) = delete;
  ~cached_array() { cached::release_part(this->world(), this->access().part(), scope_); }

 private:
  collective_scope scope_;
};

}  // namespace far
