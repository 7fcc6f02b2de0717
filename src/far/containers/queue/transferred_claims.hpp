#pragma once
// The claims of a host's rings whose values it has moved, for callers, but whose turn had not come
// (ring.hpp, 4). Each caller goes on to wait for its turn from afar. That would take a round trip,
// in which the next claim would come too early too, and so on: after a single one-sided operation
// among them calls would go on to cost twice as much. So whatever call comes next moves the cursor
// over all of them.

#include <cstdint>
#include <map>
#include <mutex>
#include <unordered_map>

#include "far/containers/queue/ring.hpp"
#include "far/world/world.hpp"

namespace far::containers {

/// Of one rank. Threads: any.
class transferred_claims {
 public:
  explicit transferred_claims(rank_state&) {}

  /// `cursor`: the address of `ready` or `freed`.
  void add(std::uint64_t cursor, std::uint64_t begin, std::uint64_t end);
  /// The cursor has come to `seen`, so claims before are settled, and forgotten. Where those end
  /// that follow each other from there on, and are here: `seen` if none does.
  [[nodiscard]] std::uint64_t end_from(std::uint64_t cursor, std::uint64_t seen);
  void forget(std::uint64_t cursor);

 private:
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, std::map<std::uint64_t, std::uint64_t>> of_;  // begin -> end
};

/// At the host, before a ring's memory is given back: another may get its place, whose cursors
/// must not go over claims of this one. No call is under way.
/// Checked by: transferred_claims_test.end_with_their_ring
void forget_claims(const world& view, const ring& where);

}  // namespace far::containers
