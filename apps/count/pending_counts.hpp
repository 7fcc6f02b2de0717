#pragma once
// Buffers counts before they go to the owners of their items.

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "far/base/hash.hpp"
#include "far/containers/map/hash_map.hpp"
#include "far/containers/map/local_table.hpp"

namespace far::apps {

template <class Item>
using count_map = hash_map<Item, std::uint64_t>;

/// Counts items locally, and sends the counts to their owners in batches. So messages are few and
/// large, frequent items cost their owners little, and memory is bounded for any input. Not
/// thread-safe.
template <class Item>
class pending_counts {
 public:
  explicit pending_counts(const count_map<Item>& counts) : counts_(&counts) {
    pending_.reserve(max_items);
  }

  void add(const Item& item) {
    ++total_;
    const std::uint64_t hash = containers::placing_hash<far::hash<Item>>(item);
    const auto [count, fresh] =
        pending_.find_or_insert(item, hash, [] { return std::uint64_t{0}; });
    ++*count;
    if (!fresh) return;
    if constexpr (std::is_same_v<Item, std::string>) bytes_ += item.size();
    if (pending_.size() >= max_items || bytes_ >= max_bytes) send();
  }

  /// Sends all pending counts. Completion: the owners have added them.
  void send() {
    keys_.clear();
    numbers_.clear();
    for (const auto [item, count] : pending_) {
      keys_.push_back(item);
      numbers_.push_back(count);
    }
    counts_->add_or_insert_many(keys_, numbers_);
    pending_.clear();
    pending_.reserve(max_items);
    bytes_ = 0;
  }

  /// Items added so far.
  [[nodiscard]] std::uint64_t total() const { return total_; }

 private:
  // One batch of the map, and a table that fits the second-level cache.
  static constexpr std::size_t max_items = 65536;
  static constexpr std::size_t max_bytes = std::size_t{4} << 20;

  const count_map<Item>* counts_;
  containers::local_table<Item, std::uint64_t, far::hash<Item>> pending_;
  std::vector<Item> keys_;
  std::vector<std::uint64_t> numbers_;
  std::size_t bytes_ = 0;  // total size of the pending strings
  std::uint64_t total_ = 0;
};

}  // namespace far::apps
