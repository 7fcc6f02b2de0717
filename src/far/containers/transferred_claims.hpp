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

#include "far/world/world.hpp"

namespace far::containers {

/// Of one rank. Threads: any.
class transferred_claims {
 public:
  explicit transferred_claims(rank_state&) {}

  /// `cursor`: the address of `ready` or `freed`.
  void add(std::uint64_t cursor, std::uint64_t begin, std::uint64_t end);
  /// Where the claims end that follow each other from there on, and are here: `from` if none does.
  [[nodiscard]] std::uint64_t end_from(std::uint64_t cursor, std::uint64_t from);
  /// The cursor is at `seen`, or beyond.
  void forget_before(std::uint64_t cursor, std::uint64_t seen);

 private:
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, std::map<std::uint64_t, std::uint64_t>> of_;  // begin -> end
};

}  // namespace far::containers
