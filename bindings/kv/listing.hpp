#pragma once
// Lists of keys: lru_crawler metadump and stats cachedump. The items of each rank come page by
// page, so that no list needs much memory at either end.

#include <bitset>
#include <cstdint>
#include <string>
#include <vector>

#include "bindings/kv/item_size.hpp"
#include "far/store/store.hpp"

namespace far::kv {

class output;

struct listed_item {
  std::string key;
  item_info info;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(key, info);
  }
};

/// Some items of a rank.
struct listed_page {
  std::vector<listed_item> items;
  std::uint64_t next = 0;  ///< the cursor of the next page
  bool is_last = true;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(items, next, is_last);
  }
};

/// The items of this rank's part from a cursor on (store_view::visit_some); few if it is in use.
[[nodiscard]] listed_page list_page(const store_view& items, std::uint64_t cursor);

using slab_class_set = std::bitset<slab_classes>;

/// A list that is being made for a client.
class listing {
 public:
  enum class form : std::uint8_t {
    metadump,   ///< "key=..."
    cachedump,  ///< "ITEM ..."
  };

  /// Of items in these classes, up to `limit`; 0: all.
  listing(form how, const slab_class_set& classes, std::uint32_t limit) noexcept
      : form_(how), classes_(classes), limit_(limit) {}

  /// Where the next page comes from.
  [[nodiscard]] int rank() const noexcept { return rank_; }
  [[nodiscard]] std::uint64_t cursor() const noexcept { return cursor_; }
  [[nodiscard]] bool is_over(int ranks) const noexcept {
    return rank_ >= ranks || (limit_ != 0 && shown_ >= limit_);
  }
  /// Writes the lines of that page. `start_time`: the Unix time of the store's second 0.
  void take(const listed_page& page, std::int64_t start_time, std::size_t max_item_bytes,
            bool uses_cas, output& out);

 private:
  form form_;
  slab_class_set classes_;
  std::uint32_t limit_;
  std::uint32_t shown_ = 0;
  int rank_ = 0;
  std::uint64_t cursor_ = 0;
};

}  // namespace far::kv
