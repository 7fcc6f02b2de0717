#pragma once
// Claims on a host's rings whose values the host has transferred for callers, but whose turn had
// not come (ring.hpp, 4). Each caller then waits for its turn, one-sided. That takes a round trip,
// during which the next call's turn does not come either, and so on: a single one-sided operation
// among calls would make all later calls cost twice as much. So the next call, whichever it is,
// moves the cursor over all of these claims.

#include <cstdint>
#include <map>
#include <mutex>
#include <unordered_map>

#include "far/containers/queue/ring.hpp"
#include "far/world/world.hpp"

namespace far::containers {

/// State of one rank. Threads: any.
class transferred_claims {
 public:
  explicit transferred_claims(rank_state&) {}

  /// `cursor`: the address of `ready` or `freed`.
  void add(std::uint64_t cursor, std::uint64_t begin, std::uint64_t end);
  /// Returns the end of the chain of recorded claims that begins at `seen`, the current value of
  /// the cursor; `seen` if there is none. Forgets the claims before `seen`, which are settled.
  [[nodiscard]] std::uint64_t end_from(std::uint64_t cursor, std::uint64_t seen);
  void forget(std::uint64_t cursor);

 private:
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, std::map<std::uint64_t, std::uint64_t>> of_;  // begin -> end
};

/// At the host, before a ring's memory is freed: a later ring may get the same addresses, and its
/// cursors must not move over claims of this one. No call is in flight.
/// Checked by: transferred_claims_test.end_with_their_ring
void forget_claims(const world& world, const ring& where);

}  // namespace far::containers
