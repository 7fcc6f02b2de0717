#pragma once
// Ghost cells: each rank's copies of the elements around its block.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "far/array/nd/nd_array_view.hpp"
#include "far/array/nd/section.hpp"
#include "far/rma/rma.hpp"
#include "far/team/barrier.hpp"

namespace far {
namespace detail {

/// Adjacent elements in one dimension, and where they go in a block's memory.
struct ghost_range {
  std::uint64_t first;  ///< index in the array
  std::uint64_t count;
  std::uint64_t to;  ///< in the memory of the block with its ghosts
  bool inside;       ///< of the block itself
};

/// What a block's memory holds in one dimension: `width` ghosts, the block, `width` ghosts. Ghosts
/// beyond the array's ends are those of the other end if it is periodic, else left out. Ghosts may
/// be wider than the array.
/// Checked by: ghosts_test.ranges_of_a_dimension
[[nodiscard]] std::vector<ghost_range> ghost_ranges(std::uint64_t begin, std::uint64_t count,
                                                    std::uint64_t width, std::uint64_t extent,
                                                    bool periodic);

}  // namespace detail

/// Collective: fills the ghost cells of every block with the elements that they stand for, those at
/// corners and of ranks further away included. If a dimension is not periodic, ghosts outside the
/// array keep their values.
///
/// Ordering: a barrier before, a barrier after. Threads: one per rank.
/// Cost: two barriers, and a get for each of up to 3^N - 1 sides, edges and corners, all in flight
/// together.
/// Errors: rank_failed.
/// Checked by: nd_ghosts_test.sections_around_blocks, nd_ghosts_test.periodic_and_wide
template <class T, std::size_t N>
void update_ghosts(const nd_array_view<T, N>& a) {
  barrier(a.world());
  const section<N> own = a.own_block();
  std::vector<future<void>> started;
  if (!own.empty()) {
    const auto& grid = a.grid();
    std::array<std::vector<detail::ghost_range>, N> ranges;
    section<N> choices;
    for (std::size_t k = 0; k < N; ++k) {
      ranges[k] = detail::ghost_ranges(own.begin[k], own.extents[k], grid.ghosts()[k],
                                       grid.extents()[k], grid.periodic()[k]);
      choices.extents[k] = ranges[k].size();
    }
    const strided_span<T, N> memory = a.local_with_ghosts();
    for_each_index(choices, [&](const nd_index<N>& choice) {
      section<N> from;
      nd_index<N> to{};
      bool inside = true;
      for (std::size_t k = 0; k < N; ++k) {
        const detail::ghost_range& range = ranges[k][static_cast<std::size_t>(choice[k])];
        from.begin[k] = range.first;
        from.extents[k] = range.count;
        to[k] = range.to;
        inside = inside && range.inside;
      }
      if (!inside) started.push_back(a.get_async(from, section_of(memory, to, from.extents)));
    });
  }
  for (future<void>& transfer : started) transfer.get();
  barrier(a.world());
}

}  // namespace far
