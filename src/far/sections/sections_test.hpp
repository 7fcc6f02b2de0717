#pragma once
// For tests: random sections of random arrays, and loops over their elements.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "far/base/random.hpp"
#include "far/fabric/reach.hpp"
#include "far/sections/protocol.hpp"
#include "far/sections/strided.hpp"
#include "far/world/world.hpp"

namespace far::test {

/// A section of both sides, as offsets in elements from the beginning of an array.
template <std::size_t N>
struct section_case {
  std::array<std::uint64_t, N> extents{};
  std::int64_t first_there = 0;
  std::array<std::int64_t, N> strides_there{};
  std::int64_t first_here = 0;
  std::array<std::int64_t, N> strides_here{};
  std::uint64_t elements_there = 0;  ///< of the arrays
  std::uint64_t elements_here = 0;
};

/// Row-major strides of an array that holds sections of these extents, with some room around and
/// between the elements, in a random order of dimensions.
template <std::size_t N>
void place_section(base::random& random, const std::array<std::uint64_t, N>& extents,
                   std::int64_t& first, std::array<std::int64_t, N>& strides,
                   std::uint64_t& elements) {
  std::array<std::size_t, N> order{};
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (random.below(3) == 0) {
    for (std::size_t k = N; k > 1; --k) std::swap(order[k - 1], order[random.below(k)]);
  }
  std::uint64_t stride = random.below(4) == 0 ? 2 : 1;
  first = 0;
  for (std::size_t k = N; k-- > 0;) {
    const std::size_t d = order[k];
    const std::uint64_t before = random.below(3) == 0 ? random.below(3) : 0;
    const std::uint64_t behind = random.below(3) == 0 ? random.below(3) : 0;
    strides[d] = static_cast<std::int64_t>(stride);
    first += static_cast<std::int64_t>(before * stride);
    stride *= before + std::max<std::uint64_t>(extents[d], 1) + behind;
  }
  elements = stride;
}

template <std::size_t N>
[[nodiscard]] section_case<N> random_section(base::random& random, std::uint64_t max_extent) {
  section_case<N> result;
  for (std::uint64_t& extent : result.extents) {
    extent = random.below(40) == 0 ? 0 : 1 + random.below(max_extent);
  }
  place_section<N>(random, result.extents, result.first_there, result.strides_there,
                   result.elements_there);
  place_section<N>(random, result.extents, result.first_here, result.strides_here,
                   result.elements_here);
  return result;
}

/// Calls use(offset_there, offset_here) for each element.
template <std::size_t N, class Use>
void for_each_element(const section_case<N>& of, Use use) {
  std::uint64_t count = 1;
  for (const std::uint64_t extent : of.extents) count *= extent;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::int64_t there = of.first_there;
    std::int64_t here = of.first_here;
    std::uint64_t left = i;
    for (std::size_t k = N; k-- > 0; left /= of.extents[k]) {
      const auto index = static_cast<std::int64_t>(left % of.extents[k]);
      there += index * of.strides_there[k];
      here += index * of.strides_here[k];
    }
    use(static_cast<std::size_t>(there), static_cast<std::size_t>(here));
  }
}

template <class T, std::size_t N>
[[nodiscard]] strided_ptr<T, N> there(const section_case<N>& of, ptr<T> array) {
  return {array + of.first_there, of.extents, of.strides_there};
}
template <class T, std::size_t N>
[[nodiscard]] strided_span<T, N> here(const section_case<N>& of, T* array) {
  return {array + of.first_here, of.extents, of.strides_here};
}

/// A seed that differs between ranks. In simulations it differs between their seeds, too: the time
/// is the number of steps so far.
[[nodiscard]] inline std::uint64_t drawn_seed(world& world) {
  std::uint64_t seed = static_cast<std::uint64_t>(world.rank());
  for (int i = 0; i < 4; ++i) {
    world.fabric().quiesce(world.context());
    seed = base::mix(seed + world.now());
  }
  return seed;
}

/// The protocols that work on the memory of `rank` here.
template <class T>
[[nodiscard]] std::vector<section_protocol> protocols_for(const world& world, ptr<T> memory) {
  std::vector<section_protocol> result{section_protocol::automatic, section_protocol::per_segment,
                                       section_protocol::packed, section_protocol::pipelined,
                                       section_protocol::host_assisted};
  if (fabric::reached(world.words(), memory.address()) != nullptr) {
    result.push_back(section_protocol::direct);
  }
  return result;
}

}  // namespace far::test
