#pragma once
// What the tests of hash maps share.

#include <cstdint>

namespace far::test {

/// One function for all tests: the ways of the map are compiled anew for each.
inline constexpr auto add = [](std::uint64_t& value, std::uint64_t more) { value += more; };

}  // namespace far::test
