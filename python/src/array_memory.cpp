#include "array_memory.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "copy_item.hpp"

namespace far::python {
namespace {

/// Pieces of a transfer list at a time: a list costs memory.
constexpr std::size_t most_pieces = 4096;

std::uint64_t block_of(const far::world& world, std::uint64_t elements) {
  const auto ranks = static_cast<std::uint64_t>(world.size());
  return std::max<std::uint64_t>((elements + ranks - 1) / ranks, 1);
}

std::uint64_t bytes_for(std::uint64_t elements, std::uint64_t item_bytes) {
  if (elements > fabric::address::max_offset / item_bytes) {
    throw out_of_memory(
        fmt::format("{} elements of {} bytes at each rank are more than memory has "
                    "addresses for",
                    elements, item_bytes));
  }
  return elements * item_bytes;
}

}  // namespace

array_memory::array_memory(const far::world& world, std::uint64_t elements,
                           std::uint64_t item_bytes)
    : world_(world),
      size_(elements),
      item_bytes_(item_bytes),
      block_(block_of(world, elements)),
      ranks_per_element_(1 / static_cast<double>(block_)),
      first_(allocate<std::byte>(world, bytes_for(block_, item_bytes))),
      local_(far::local(world, first_)),
      places_(fabric::reached_on_ranks(world.words(), first_.address(), world.size())) {
  barrier(world);  // now all ranks have it
}

array_memory::~array_memory() {
  if (world_.state().ended()) return;
  barrier(world_);
  deallocate(world_, first_);
}

void array_memory::read(const far::world& world, std::uint64_t first,
                        std::span<std::byte> to) const {
  while (!to.empty()) {
    const std::uint64_t n = std::min(block_ - first % block_, to.size() / item_bytes_);
    far::get(world, at(first), to.first(n * item_bytes_));
    to = to.subspan(n * item_bytes_);
    first += n;
  }
}

void array_memory::write(const far::world& world, std::uint64_t first,
                         std::span<const std::byte> from) const {
  while (!from.empty()) {
    const std::uint64_t n = std::min(block_ - first % block_, from.size() / item_bytes_);
    far::put(world, at(first), from.first(n * item_bytes_));
    from = from.subspan(n * item_bytes_);
    first += n;
  }
}

void array_memory::read_at(const far::world& world, std::span<const std::int64_t> indices,
                           std::byte* to) const {
  std::vector<get_part> far_ones;
  with_copy(item_bytes_, [&](auto copy) {
    for (const std::int64_t index : indices) {
      const auto i = static_cast<std::uint64_t>(index);
      if (const std::byte* const from = place(i)) [[likely]] {
        copy(to, from);
      } else {
        far_ones.push_back({at(i).address(), to, item_bytes_});
        if (far_ones.size() == most_pieces) {
          far::get(world, far_ones);
          far_ones.clear();
        }
      }
      to += item_bytes_;
    }
  });
  if (!far_ones.empty()) far::get(world, far_ones);
}

void array_memory::write_at(const far::world& world, std::span<const std::int64_t> indices,
                            const std::byte* from) const {
  std::vector<put_part> far_ones;
  with_copy(item_bytes_, [&](auto copy) {
    for (const std::int64_t index : indices) {
      const auto i = static_cast<std::uint64_t>(index);
      if (std::byte* const to = place(i)) [[likely]] {
        copy(to, from);
      } else {
        far_ones.push_back({at(i).address(), from, item_bytes_});
        if (far_ones.size() == most_pieces) {
          far::put(world, far_ones);
          far_ones.clear();
        }
      }
      from += item_bytes_;
    }
  });
  if (!far_ones.empty()) far::put(world, far_ones);
}

}  // namespace far::python
