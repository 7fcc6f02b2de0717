#pragma once
// The seed of the run, for tests that draw random numbers of their own.

#include <cstdint>

namespace far::test {

/// Of the run of this process that began last (jobs.hpp): with FAR_TEST_SEEDS, which replays it, a
/// test draws the same numbers again. 1 where runs have no seeds.
[[nodiscard]] std::uint64_t seed();

}  // namespace far::test
