#pragma once
// A rank's copies of items of other machines, and which items it wants copies of.
//
// A copy costs nothing to read and a message each way when it is recalled, which whoever changes
// the item waits for, but for all copies at once. So a copy pays if it is read about once before
// the item changes. What the copies of a key have brought is what the next one is expected to
// bring: the mean of their reads, newer ones count more. A rank asks for a copy of a key it knows
// nothing of at the second read; at once if copies have brought enough; else once in 64 reads, to
// see whether that has changed.
//
// A copy that has been asked for may be recalled before it arrives, because messages have no order.
// So the rank writes down that it has asked. A recall that meets this note spoils it, and what
// arrives is used once and not kept.

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "far/store/item.hpp"
#include "far/store/request.hpp"

namespace far {

/// An item that get has found.
struct stored_item {
  std::string value;
  item_info info;
};

/// How a rank has read items of other machines.
struct store_choices {
  std::uint64_t from_copies = 0;  ///< gets
  std::uint64_t by_calls = 0;
  std::uint64_t one_sided = 0;
  std::uint64_t copied = 0;    ///< copies received
  std::uint64_t recalled = 0;  ///< of these
};

/// Whether ranks keep copies.
enum class copying : std::uint8_t {
  automatic,  ///< of items that are read more than they change
  never,
  always,  ///< of each item that is read
};

namespace stores {

/// Threads: any.
class copies {
 public:
  /// Values up to this size are copied.
  static constexpr std::uint64_t max_value = 4096;

  copies(copying how, std::uint64_t max_bytes) : how_(how), max_bytes_(max_bytes), past_(1 << 14) {}

  /// The copy of an item that has not expired.
  [[nodiscard]] std::optional<stored_item> find(key_hash hash, std::string_view key,
                                                store_second now);
  /// After a find without success: whether to ask for a copy. Then keep or give_up follows.
  [[nodiscard]] bool asks(key_hash hash);
  void keep(key_hash hash, std::string_view key, const stored_item& item);
  void give_up(key_hash hash);
  /// A recall.
  void drop(std::uint64_t hash);
  /// Of all items of a home.
  void drop_all(int home, int ranks);

  void count_read(bool is_one_sided);
  [[nodiscard]] store_choices counted() const;

 private:
  struct copy {
    bool is_there = false;  ///< else it has been asked for
    bool is_spoiled = false;
    bool was_read = false;  ///< since make_room has looked at it
    std::uint32_t reads = 0;
    std::string key;
    stored_item item;
  };
  /// What the keys of one place in a table have done.
  struct past {
    float brought = 1;       ///< reads of a copy until it was recalled, a moving mean
    std::uint8_t wait = 1;   ///< reads until a copy is asked for
    std::uint8_t reads = 0;  ///< of these, made
  };

  [[nodiscard]] past& past_of(std::uint64_t hash) noexcept {
    return past_[hash >> 20 & (past_.size() - 1)];
  }
  void make_room();
  void forget_dropped();
  void drop_locked(std::uint64_t hash);

  copying how_;
  std::uint64_t max_bytes_;
  mutable std::mutex mutex_;
  std::unordered_map<std::uint64_t, copy> copies_;  // by hash
  std::deque<std::uint64_t> order_;                 // in which they came, or were read since
  std::uint64_t bytes_ = 0;
  std::vector<past> past_;
  store_choices counts_;
};

}  // namespace stores
}  // namespace far
