#include "far/sections/list.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "far/base/error.hpp"

namespace far::sections {

std::uint64_t segment_list::bytes_of(std::uint64_t elements, const char* side,
                                     std::size_t index) const {
  constexpr std::uint64_t max_bytes = fabric::address::max_offset;
  if (elements > max_bytes / element_bytes_) {
    throw bad_argument(
        fmt::format("{} of a list: {} segment {} has {} elements of {} bytes, which is beyond any "
                    "memory: check how the number was computed",
                    what_, side, index, elements, element_bytes_));
  }
  return elements * element_bytes_;
}

void segment_list::add_there(fabric::address place, std::uint64_t elements) {
  const std::uint64_t bytes = bytes_of(elements, "remote", added_there_++);
  if (bytes == 0) return;
  there_.push_back({place, bytes});
  bytes_there_ += bytes;
}

void segment_list::add_here(std::byte* place, std::uint64_t elements) {
  const std::uint64_t bytes = bytes_of(elements, "local", added_here_++);
  if (bytes == 0) return;
  if (place == nullptr) {
    throw bad_argument(
        fmt::format("{} of a list: local segment {} is null but has {} elements: give it memory, "
                    "or no elements",
                    what_, added_here_ - 1, elements));
  }
  here_.push_back({place, bytes});
  bytes_here_ += bytes;
}

std::vector<piece> segment_list::pieces() const {
  std::vector<piece> result;
  result.reserve(std::max(there_.size(), here_.size()));
  std::size_t h = 0;
  std::uint64_t used = 0;  // bytes of the local segment h
  for (const segment_there& t : there_) {
    for (std::uint64_t done = 0; done < t.bytes;) {
      const std::uint64_t bytes = std::min(t.bytes - done, here_[h].bytes - used);
      const fabric::address there = t.place + static_cast<std::int64_t>(done);
      std::byte* const here = here_[h].place + used;
      piece* const last = result.empty() ? nullptr : &result.back();
      if (last != nullptr && last->there + static_cast<std::int64_t>(last->bytes) == there &&
          last->here + last->bytes == here) {
        last->bytes += bytes;
      } else {
        const std::uint64_t at = last == nullptr ? 0 : last->at + last->bytes;
        result.push_back({there, here, bytes, at});
      }
      done += bytes;
      used += bytes;
      if (used == here_[h].bytes) {
        ++h;
        used = 0;
      }
    }
  }
  return result;
}

std::vector<plan> segment_list::plans() const {
  if (bytes_there_ != bytes_here_) {
    throw bad_argument(fmt::format(
        "{} of a list: {} remote segments have {} elements, {} local ones have {}: give both sides "
        "the same number of elements",
        what_, added_there_, bytes_there_ / element_bytes_, added_here_,
        bytes_here_ / element_bytes_));
  }
  std::vector<plan> result;
  std::vector<piece> all = pieces();
  const auto is_elsewhere = [&](const piece& p) {
    return p.there.rank() != all.front().there.rank();
  };
  if (std::ranges::none_of(all, is_elsewhere)) {
    if (!all.empty()) result.emplace_back(std::move(all));
    return result;
  }
  std::map<int, std::vector<piece>> by_rank;
  for (piece p : all) {
    std::vector<piece>& of_rank = by_rank[p.there.rank()];
    p.at = of_rank.empty() ? 0 : of_rank.back().at + of_rank.back().bytes;
    of_rank.push_back(p);
  }
  result.reserve(by_rank.size());
  for (auto& [rank, of_rank] : by_rank) result.emplace_back(std::move(of_rank));
  return result;
}

}  // namespace far::sections
