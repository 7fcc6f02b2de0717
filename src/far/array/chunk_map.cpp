#include "far/array/chunk_map.hpp"

#include <fmt/format.h>

#include "far/array/blocks.hpp"
#include "far/base/error.hpp"

namespace far::detail {
namespace {

std::vector<std::uint64_t> even_begins(std::uint64_t size, int ranks, std::uint64_t chunk) {
  const auto parts = static_cast<std::uint64_t>(ranks);
  const std::uint64_t chunks = chunk == 0 ? 0 : size / chunk;
  std::vector<std::uint64_t> result;
  if (chunks >= parts) {  // whole chunks, so that an index says its chunk
    const std::uint64_t whole = size / chunk + (size % chunk != 0 ? 1 : 0);
    const std::uint64_t part = (whole / parts + (whole % parts != 0 ? 1 : 0)) * chunk;
    for (std::uint64_t r = 0; r < parts; ++r) {
      result.push_back(r > size / part ? size : std::min(r * part, size));
    }
  } else {
    const blocks even(size, ranks);
    for (int r = 0; r < ranks; ++r) result.push_back(even.begin(r));
  }
  return result;
}

}  // namespace

chunk_map::chunk_map(std::uint64_t size, int ranks, std::uint64_t chunk)
    : chunk_map(size, ranks, chunk, even_begins(size, ranks, chunk)) {}

chunk_map::chunk_map(std::uint64_t size, int ranks, std::uint64_t chunk,
                     const std::vector<std::uint64_t>& begins)
    : size_(size), chunk_(chunk), begin_(begins) {
  if (chunk == 0) throw bad_argument("cached_array: a chunk has at least one element");
  if (begins.size() != index(ranks) || (!begins.empty() && begins.front() != 0) ||
      !std::ranges::is_sorted(begins) || (!begins.empty() && begins.back() > size)) {
    throw bad_argument(fmt::format(
        "cached_array: the partition names {} begins, want one for each of {} ranks, ascending "
        "from 0 to at most {}",
        begins.size(), ranks, size));
  }
  begin_.push_back(size);
  number_chunks();
}

void chunk_map::number_chunks() {
  first_chunk_.assign(1, 0);
  bool aligned = std::has_single_bit(chunk_);
  for (std::size_t r = 0; r + 1 < begin_.size(); ++r) {
    const std::uint64_t length = begin_[r + 1] - begin_[r];
    aligned = aligned && (begin_[r] % chunk_ == 0 || length == 0);
    first_chunk_.push_back(first_chunk_.back() + length / chunk_ + (length % chunk_ != 0 ? 1 : 0));
  }
  is_aligned_ = aligned;
  shift_ = aligned ? std::countr_zero(chunk_) : 0;
  mask_ = (std::uint64_t{1} << shift_) - 1;
}

std::uint64_t chunk_map::largest_part() const noexcept {
  std::uint64_t result = 0;
  for (std::size_t r = 0; r + 1 < begin_.size(); ++r) {
    result = std::max(result, begin_[r + 1] - begin_[r]);
  }
  return result;
}

int chunk_map::owner(std::uint64_t i) const noexcept {
  return static_cast<int>(std::ranges::upper_bound(begin_, i) - begin_.begin()) - 1;
}

int chunk_map::owner_of_chunk(std::uint64_t chunk) const noexcept {
  return static_cast<int>(std::ranges::upper_bound(first_chunk_, chunk) - first_chunk_.begin()) - 1;
}

chunk_map::place chunk_map::search(std::uint64_t i) const noexcept {
  const int rank = owner(i);
  const std::uint64_t within = i - begin(rank);
  return {first_chunk(rank) + within / chunk_, within % chunk_};
}

std::uint64_t chunk_map::search_begin(std::uint64_t chunk) const noexcept {
  const int rank = owner_of_chunk(chunk);
  return begin(rank) + (chunk - first_chunk(rank)) * chunk_;
}

std::uint64_t chunk_map::search_length(std::uint64_t chunk) const noexcept {
  const int rank = owner_of_chunk(chunk);
  return std::min(chunk_, end(rank) - search_begin(chunk));
}

}  // namespace far::detail
