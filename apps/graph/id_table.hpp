#pragma once
// A hash table from ids to numbers, with open addressing: for ids that are scattered over 64 bits.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "far/base/random.hpp"

namespace far::apps {

/// Not thread-safe.
class id_table {
 public:
  /// Adds an id without a number yet, unless it is there. Returns whether it was added.
  bool insert(std::int64_t id) {
    if (4 * (size_ + 1) > 3 * slots_.size()) grow();
    slot& found = slots_[find(id)];
    if (found.number != 0) return false;
    found = {id, ~std::uint64_t{0}};
    ++size_;
    return true;
  }

  /// Sets the number of an id that is there.
  void set(std::int64_t id, std::uint64_t number) { slots_[find(id)].number = number + 1; }

  /// The number of an id that is there.
  [[nodiscard]] std::uint64_t operator[](std::int64_t id) const {
    return slots_[find(id)].number - 1;
  }

 private:
  struct slot {
    std::int64_t id = 0;
    std::uint64_t number = 0;  // one more than the id's; 0 if the slot is free
  };
  static_assert(sizeof(slot) == 16);

  [[nodiscard]] std::size_t find(std::int64_t id) const {
    std::size_t at = base::mix(static_cast<std::uint64_t>(id)) & (slots_.size() - 1);
    while (slots_[at].number != 0 && slots_[at].id != id) at = (at + 1) & (slots_.size() - 1);
    return at;
  }

  void grow() {
    std::vector<slot> before(slots_.empty() ? 64 : 2 * slots_.size());
    before.swap(slots_);
    for (const slot& s : before) {
      if (s.number != 0) slots_[find(s.id)] = s;
    }
  }

  std::vector<slot> slots_;  // a power of two of them
  std::size_t size_ = 0;
};

}  // namespace far::apps
