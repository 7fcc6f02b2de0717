#pragma once
// Litmus programs of a cached array: the classic shapes with every kind of access, homes and ranks;
// and random ones.
//
// The name of a program describes it: mp+set+apply|get+pget@01r00 is message passing. Its first
// thread sets and applies; its second gets, and then reads through a pin; x is at home on rank 0
// and y on rank 1; both threads are of rank 0.

#include <cstdint>
#include <vector>

#include "test/litmus/program.hpp"

namespace far::litmus {

/// Threads on ranks of their own, in pairs, and all on one rank. At most 4 ranks.
[[nodiscard]] std::vector<program> cached_array_shapes();

/// Programs of 2 to 4 threads on 3 ranks, with 2 or 3 elements and 2 to 4 accesses each.
[[nodiscard]] std::vector<program> random_cached_array_programs(std::uint64_t seed,
                                                                std::size_t count);

}  // namespace far::litmus
