#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <queue>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "apps/common/gather_lists.hpp"
#include "apps/count/pending_counts.hpp"

namespace far::apps {

/// An item and its count.
struct counted_item {
  std::string item;
  std::uint64_t count = 0;

  friend bool operator==(const counted_item&, const counted_item&) = default;
};

/// Collective: returns the k most frequent items of all ranks' lists on rank 0, and nothing on
/// other ranks. Items with equal counts are in byte order.
std::vector<counted_item> most_frequent(const world& world, const std::vector<counted_item>& mine,
                                        std::size_t k);

/// The k most frequent items of this rank's part, in no order. Memory: k items.
template <class Items>
std::vector<counted_item> most_frequent_here(const count_map<typename Items::item>& counts,
                                             const Items& kind, std::size_t k) {
  using entry = std::pair<std::uint64_t, typename Items::item>;
  // Sorts equal counts by bytes; the numbers of k-mers sort like their text (fasta.hpp).
  const auto before = [](const entry& a, const entry& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  };
  std::priority_queue<entry, std::vector<entry>, decltype(before)> best(before);  // worst on top
  for (const auto [item, count] : counts.local()) {
    if (best.size() == k) {
      if (k == 0) break;
      const entry& worst = best.top();
      if (count < worst.first || (count == worst.first && worst.second < item)) continue;
      best.pop();
    }
    best.emplace(count, item);
  }
  std::vector<counted_item> result;
  for (; !best.empty(); best.pop()) {
    result.push_back({kind.text_of(best.top().second), best.top().first});
  }
  return result;
}

}  // namespace far::apps
