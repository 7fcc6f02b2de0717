#include "grid_memory.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace far::python {
namespace {

constexpr std::size_t all = grid_memory::all_dimensions;

std::array<std::uint64_t, all> with_item_bytes(std::span<const std::uint64_t> extents,
                                               std::uint64_t item_bytes) {
  std::array<std::uint64_t, all> result{};
  result.fill(1);
  std::ranges::copy(extents, result.begin());
  result.back() = item_bytes;
  return result;
}

/// The dimensions that are not in use, and the bytes of elements, are not cut.
nd_array_options<all> uncut_from(std::size_t dimensions, nd_array_options<all> how) {
  for (std::size_t k = dimensions; k < all; ++k) how.blocks[k] = 1;
  return how;
}

}  // namespace

grid_memory::grid_memory(const far::world& world, std::span<const std::uint64_t> extents,
                         std::uint64_t item_bytes, nd_array_options<all_dimensions> how)
    : dimensions_(extents.size()),
      array_(world, with_item_bytes(extents, item_bytes),
             uncut_from(extents.size(), std::move(how))) {
  const auto& grid = array_.grid();
  std::uint64_t stride = 1;  // from a block's rank to that of the next one in a dimension
  for (std::size_t k = dimensions_; k-- > 0;) {
    cut& bounds = cuts_.emplace_back();
    for (std::uint64_t b = 0; b < grid.blocks()[k]; ++b) {
      bounds.begins.push_back(array_.block(static_cast<int>(b * stride)).begin[k]);
    }
    bounds.begins.push_back(extents[k]);
    bounds.ghosts = grid.ghosts()[k];
    stride *= grid.blocks()[k];
  }
  std::ranges::reverse(cuts_);
  if (array_.empty()) return;
  const index first{};
  base_ = array_.place(first).on(0) - static_cast<std::int64_t>(locate(first.data()).offset);
}

void grid_memory::read(const far::world& world, const stepped_section& of, std::byte* to) const {
  transfer_group pending(world);
  for_each_part(of, to, [&](const place& there, const auto& here) { pending.get(there, here); });
  pending.wait();
}

void grid_memory::write(const far::world& world, const stepped_section& of,
                        const std::byte* from) const {
  transfer_group pending(world);
  for_each_part(of, from, [&](const place& there, const auto& here) { pending.put(there, here); });
  pending.wait();
}

void grid_memory::read(const far::world& world, const runs& of, std::byte* to) const {
  std::vector<remote_segment<std::byte>> there;
  std::vector<std::span<std::byte>> here;
  for_each_piece(of, [&](ptr<std::byte> first, std::uint64_t n) {
    const std::size_t bytes = n * item_bytes();
    if (const std::byte* const from = fabric::reached(world.words(), first.address())) {
      std::memcpy(to, from, bytes);
    } else {
      there.push_back({first, bytes});
      here.emplace_back(to, bytes);
    }
    to += bytes;
  });
  if (!there.empty()) far::get(world, there, here);
}

void grid_memory::write(const far::world& world, const runs& of, const std::byte* from) const {
  std::vector<remote_segment<std::byte>> there;
  std::vector<std::span<const std::byte>> here;
  for_each_piece(of, [&](ptr<std::byte> first, std::uint64_t n) {
    const std::size_t bytes = n * item_bytes();
    if (std::byte* const to = fabric::reached(world.words(), first.address())) {
      std::memcpy(to, from, bytes);
    } else {
      there.push_back({first, bytes});
      here.emplace_back(from, bytes);
    }
    from += bytes;
  });
  if (!there.empty()) far::put(world, there, here);
}

}  // namespace far::python
