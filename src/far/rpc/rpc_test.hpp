#pragma once
// What the tests of remote calls share.

#include <cstdint>
#include <vector>

#include "far/rma/promise.hpp"
#include "far/rpc/rpc.hpp"

namespace far::test {

inline int next_rank(const world& world) { return (world.rank() + 1) % world.size(); }

inline int doubled(int x) { return 2 * x; }

/// What calls change on a rank. Attached to the rank, because ranks may share a process.
struct notes {
  explicit notes(rank_state&) {}
  std::uint64_t sum = 0;
  std::uint64_t calls = 0;
  std::vector<promise<int>> waiting;
};

}  // namespace far::test
