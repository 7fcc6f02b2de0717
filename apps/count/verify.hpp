#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "apps/common/printable.hpp"
#include "apps/count/count.hpp"
#include "apps/count/oracle.hpp"
#include "apps/count/pending_counts.hpp"

namespace far::apps {

/// For rank 0: reads the files alone, counts sequentially, and compares with the distributed
/// result: the total, the number of distinct items, each count, and the most frequent items.
/// Returns a line that confirms this. Errors: far::error at the first difference.
template <class Items>
std::string verify_counts(const command& asked, const Items& kind,
                          const count_map<typename Items::item>& counts,
                          const count_result& result) {
  oracle::counts<std::string> expected;
  for (const std::string& file : asked.files) {
    kind.count_sequentially(oracle::read_text(file), expected);
  }
  const auto check = [](const std::string& what, std::uint64_t found, std::uint64_t sequential) {
    if (found == sequential) return;
    throw error(
        fmt::format("verification failed: {}: {}, sequentially {}", what, found, sequential));
  };
  check("items in all", result.total, oracle::total(expected));
  check("distinct items", result.distinct, expected.size());

  // The numbers of distinct items are equal, so checking the expected items checks all.
  constexpr std::size_t batch = 65536;
  std::vector<typename Items::item> keys;
  auto unchecked = expected.begin();
  for (auto next = expected.begin(); next != expected.end();) {
    keys.push_back(kind.item_of(next->first));
    ++next;
    if (keys.size() < batch && next != expected.end()) continue;
    for (const std::optional<std::uint64_t>& found : counts.find_many(keys)) {
      check("count of " + printable(unchecked->first, 60), found.value_or(0), unchecked->second);
      ++unchecked;
    }
    keys.clear();
  }
  const auto top = oracle::top(expected, asked.top);
  const bool same_top = std::equal(
      top.begin(), top.end(), result.top.begin(), result.top.end(),
      [](const auto& a, const auto& b) { return a.item == b.item && a.count == b.count; });
  if (!same_top) throw error("verification failed: the most frequent items differ");
  return fmt::format("all {} counts equal a sequential computation's", expected.size());
}

}  // namespace far::apps
