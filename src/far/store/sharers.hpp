#pragma once
// Who has copies of the items of a part: the home's side of coherent copies.
//
// A rank of another machine that reads an item often asks for a copy. The home writes down the
// rank, marks the item's entry as shared, and answers with the item. Whoever wants to change a
// shared item has the home recall the copies first:
//
//   key is | what the home does for a rank that | who changes the item
//          | asks for a copy                    |
//   -------+------------------------------------+---------------------------------------------------
//   alone  | marks it, writes down the rank     | changes it
//   shared | writes down the rank               | asks the home: it becomes recalled, and all ranks
//          |                                    | that are written down drop their copies
//   recalled | answers without a copy           | comes again later
//
// When all have dropped theirs, the change is made and the mark is removed under the part's lock,
// in one step. So no rank reads an old copy when another has seen the change.
//
// The entry's mark is under the part's lock, so ranks that change items by instructions see it; the
// list of ranks is in the home's own memory. A key with a mark and no list was recalled, or its
// list is gone because a change failed: it is alone. models/store_copies.pml checks this with the
// messages in any order.

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace far::stores {

/// Under the mutex of the home's part. Keys are named by their hashes; keys of one hash are
/// recalled together.
class sharers {
 public:
  enum class state : std::uint8_t { alone, shared, recalled };

  [[nodiscard]] state of(std::uint64_t hash) const {
    const auto found = keys_.find(hash);
    if (found == keys_.end()) return state::alone;
    return found->second.is_recalled ? state::recalled : state::shared;
  }
  /// Whether the items that are shared, and so cannot leave, may take so many more bytes.
  [[nodiscard]] bool have_room(std::uint64_t bytes, std::uint64_t limit) const noexcept {
    return bytes_ + bytes <= limit;
  }
  [[nodiscard]] bool are_open() const noexcept { return is_open_; }
  void add(std::uint64_t hash, int rank, std::uint64_t bytes);
  /// The ranks that are to drop their copies; the key is recalled from here on.
  [[nodiscard]] std::vector<int> recall(std::uint64_t hash);
  /// They have.
  void forget(std::uint64_t hash);

  /// All keys are recalled, and none is added until reopen. Returns false, and does nothing, if
  /// some are being recalled already.
  [[nodiscard]] bool recall_all();
  /// All have dropped all copies.
  void reopen();

 private:
  struct key {
    std::vector<int> ranks;
    std::uint64_t bytes = 0;
    bool is_recalled = false;
  };
  std::unordered_map<std::uint64_t, key> keys_;
  std::uint64_t bytes_ = 0;
  std::uint64_t recalled_ = 0;
  bool is_open_ = true;
};

}  // namespace far::stores
