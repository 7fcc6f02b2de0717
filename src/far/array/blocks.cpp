#include "far/array/blocks.hpp"

#include <fmt/format.h>

#include "far/base/error.hpp"

namespace far::detail {

void throw_index(std::uint64_t index, std::uint64_t size) {
  throw out_of_bounds(fmt::format("element {} of an array of {} elements", index, size));
}

void throw_range(std::uint64_t first, std::uint64_t count, std::uint64_t size) {
  throw out_of_bounds(
      fmt::format("{} elements from element {} on, of an array of {}", count, first, size));
}

}  // namespace far::detail
