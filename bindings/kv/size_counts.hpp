#pragma once
// Items by memcached's slab classes, for stats items and stats slabs. The store has no classes: it
// is counted how many items memcached would keep in each.

#include <array>
#include <cstdint>

#include "bindings/kv/item_size.hpp"
#include "far/store/store.hpp"

namespace far::kv {

/// One class.
struct size_count {
  std::uint64_t items = 0;
  std::uint64_t bytes = 0;  ///< headers, keys and values
  std::uint64_t age = 0;    ///< seconds since the use of that which was not used for longest
  std::uint64_t evicted = 0, evicted_unfetched = 0;
  std::uint64_t expired = 0, expired_unfetched = 0;
  std::uint64_t searched = 0;  ///< expired, and found by a search

  void add(const size_count& more) noexcept;
  [[nodiscard]] bool is_used() const noexcept { return items + evicted + expired > 0; }
};

using size_table = std::array<size_count, slab_classes>;

/// The classes of a server.
class slab_sizes {
 public:
  explicit slab_sizes(std::size_t max_item_bytes) noexcept;

  /// The class of an item.
  [[nodiscard]] unsigned of(std::string_view key, const item_info& item) const noexcept;
  /// memcached's bytes of the largest item of a class.
  [[nodiscard]] std::size_t largest(unsigned number) const noexcept { return largest_[number]; }

 private:
  std::array<std::size_t, slab_classes> largest_{};
};

/// What is counted of some items of a rank.
struct size_page {
  size_table counts{};
  std::uint64_t next = 0;  ///< the cursor of the next page
  bool is_last = true;
};

/// Counts items of this rank's part from a cursor on (store_view::visit_some), but not what has
/// left.
[[nodiscard]] size_page count_page(const store_view& items, const slab_sizes& sizes,
                                   std::uint64_t cursor);

}  // namespace far::kv
