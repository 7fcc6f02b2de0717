#include "far/array/nd/block_grid.hpp"

#include <limits>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "far/base/error.hpp"

namespace far::detail {
namespace {

constexpr std::uint64_t max_bytes = std::uint64_t{1} << 62;

/// What is to be small: the largest block, then its surface between blocks. A real number, as block
/// lengths may be 2^62.
struct block_size {
  double volume = std::numeric_limits<double>::infinity();
  double surface = std::numeric_limits<double>::infinity();

  friend bool operator<(const block_size& a, const block_size& b) noexcept {
    return a.volume != b.volume ? a.volume < b.volume : a.surface < b.surface;
  }
};

block_size largest_block(std::span<const std::uint64_t> blocks,
                         std::span<const std::uint64_t> extents) {
  const auto length = [&](std::size_t k) {
    return static_cast<double>((extents[k] + blocks[k] - 1) / blocks[k]);
  };
  block_size result{1, 0};
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    result.volume *= length(k);
    auto faces = static_cast<double>(std::min<std::uint64_t>(blocks[k] - 1, 2));
    for (std::size_t j = 0; j < blocks.size(); ++j) faces *= j == k ? 1 : length(j);
    result.surface += faces;
  }
  return result;
}

/// Tries all ways to write `left` as a product over the dimensions from `k` on that are not stated.
void try_blocks(std::span<std::uint64_t> blocks, std::span<const std::uint64_t> extents,
                std::span<const bool> stated, std::size_t k, std::uint64_t left,
                std::vector<std::uint64_t>& best, block_size& best_size) {
  while (k < blocks.size() && stated[k]) ++k;
  if (k == blocks.size()) {
    const block_size size = largest_block(blocks, extents);
    if (left == 1 && size < best_size) {
      best_size = size;
      best.assign(blocks.begin(), blocks.end());
    }
    return;
  }
  for (std::uint64_t factor = 1; factor <= left; ++factor) {
    if (left % factor != 0) continue;
    blocks[k] = factor;
    try_blocks(blocks, extents, stated, k + 1, left / factor, best, best_size);
  }
}

}  // namespace

void choose_blocks(std::span<std::uint64_t> blocks, std::span<const std::uint64_t> extents,
                   int ranks) {
  const auto available = static_cast<std::uint64_t>(ranks);
  std::uint64_t needed = 1;
  bool all_stated = true;
  const auto stated = std::make_unique<bool[]>(blocks.size());
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    stated[k] = blocks[k] != 0;
    all_stated = all_stated && stated[k];
    if (!stated[k]) continue;
    if (blocks[k] > available / needed) {
      throw bad_argument(fmt::format(
          "nd_array: a grid of {} blocks (0: chosen) needs more than the {} ranks of the job",
          fmt::join(blocks, " x "), ranks));
    }
    needed *= blocks[k];
  }
  if (all_stated) return;
  std::vector<std::uint64_t> best;
  block_size best_size;
  try_blocks(blocks, extents, {stated.get(), blocks.size()}, 0, available / needed, best,
             best_size);
  std::ranges::copy(best, blocks.begin());
}

std::vector<std::uint64_t> even_begins(std::uint64_t extent, std::uint64_t blocks) {
  std::vector<std::uint64_t> result;
  for (std::uint64_t j = 0; j <= blocks; ++j) {
    result.push_back(extent / blocks * j + std::min(j, extent % blocks));
  }
  return result;
}

void check_begins(std::span<const std::uint64_t> begins, std::uint64_t extent,
                  std::size_t dimension) {
  if (begins.front() == 0 && std::ranges::is_sorted(begins) && begins.back() <= extent) return;
  throw bad_argument(fmt::format(
      "nd_array: the blocks of dimension {} begin at {}: the first must begin at 0, and the others "
      "at ascending places up to the extent, {}",
      dimension, fmt::join(begins, ", "), extent));
}

void check_ghosts(std::span<const std::uint64_t> ghosts, std::span<const std::uint64_t> extents) {
  for (std::size_t k = 0; k < ghosts.size(); ++k) {
    if (ghosts[k] <= max_bytes / 4 && extents[k] <= max_bytes - 2 * ghosts[k]) continue;
    throw bad_argument(fmt::format(
        "nd_array: ghosts of {} cells on both sides of dimension {}, which has {} elements, make "
        "more than 2^62",
        ghosts[k], k, extents[k]));
  }
}

std::uint64_t bytes_of_extents(std::span<const std::uint64_t> extents,
                               std::uint64_t element_bytes) {
  std::uint64_t bytes = std::ranges::find(extents, 0u) == extents.end() ? element_bytes : 0;
  for (const std::uint64_t extent : extents) {
    if (bytes != 0 && extent > max_bytes / bytes) {
      throw bad_argument(fmt::format("nd_array: {} elements of {} bytes are more than 2^62 bytes",
                                     in_words(extents), element_bytes));
    }
    bytes *= extent;
  }
  return bytes;
}

void throw_outside(const char* what, std::span<const std::uint64_t> begin,
                   std::span<const std::uint64_t> extents, std::span<const std::uint64_t> array) {
  if (extents.empty()) {
    throw out_of_bounds(fmt::format("{}: element ({}) of an array of {} elements", what,
                                    fmt::join(begin, ", "), in_words(array)));
  }
  throw out_of_bounds(fmt::format("{}: a section of {} elements at ({}) of an array of {} elements",
                                  what, in_words(extents), fmt::join(begin, ", "),
                                  in_words(array)));
}

void throw_buffer(const char* what, std::span<const std::uint64_t> section,
                  std::span<const std::uint64_t> buffer) {
  throw bad_argument(fmt::format("{}: the section has {} elements, and the memory {}", what,
                                 in_words(section), in_words(buffer)));
}

void throw_arrays(const char* what, std::span<const std::uint64_t> first,
                  std::span<const std::uint64_t> second) {
  throw bad_argument(fmt::format("{}: one array has {} elements, the other one {}", what,
                                 in_words(first), in_words(second)));
}

std::string in_words(std::span<const std::uint64_t> extents) {
  return fmt::format("{}", fmt::join(extents, " x "));
}

}  // namespace far::detail
