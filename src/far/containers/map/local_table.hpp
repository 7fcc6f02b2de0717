#pragma once
// A hash table in private memory: the part of a far::hash_map that one rank owns.
//
// Not thread-safe. Linear probing over a power-of-two number of slots. Each slot has a mark of one
// byte: zero for an empty slot, else 0x80 and seven bits of the key's hash. Eight marks are
// compared at a time, so that most searches read one word of marks and one slot.
//
// Invariants:
//   1. No empty slot lies between a key's home (the first slot that its hash selects) and its
//      slot. Erasing moves later keys back instead of leaving tombstones, so a search ends at the
//      first empty mark, whatever was erased before.
//   2. At least a fifth of the slots are empty, so searches end.
//   3. The first seven marks are repeated behind the last, so that a group of eight can wrap.
//
// A key's home comes from the high bits of a salted product of its hash. Each map has a different
// salt: filling one table in the order of another with the same homes would make ever longer
// clusters.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "far/base/hash.hpp"
#include "far/containers/map/table_memory.hpp"

namespace far::containers {

/// The hash that places a key: its high bits select the owner, all of its bits the slot there. If
/// Hash has no `is_avalanching` (far::hash has it), its result is mixed.
template <class Hash, class K>
[[nodiscard]] std::uint64_t placing_hash(const K& key) noexcept {
  const auto h = static_cast<std::uint64_t>(Hash{}(key));
  if constexpr (requires { typename Hash::is_avalanching; }) {
    return h;
  } else {
    return base::mix(h);
  }
}

template <class K, class V, class Hash>
class local_table {
  static_assert(std::is_nothrow_move_constructible_v<K> && std::is_nothrow_move_constructible_v<V>,
                "growing moves keys and values, which must not throw");

  struct slot {
    K key;
    V value;
  };
  static_assert(alignof(slot) <= 64);

 public:
  /// What an iterator yields.
  struct item {
    const K& key;
    V& value;
  };

  explicit local_table(std::uint64_t salt = 0) noexcept : salt_(base::mix(salt)) {}
  ~local_table() { clear(); }
  local_table(const local_table&) = delete;
  local_table& operator=(const local_table&) = delete;

  /// Only while the table is empty.
  void set_salt(std::uint64_t salt) noexcept { salt_ = base::mix(salt); }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// The number of slots; the table grows when four fifths of them are taken.
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }

  /// Prefetches the memory that operations on a key with this hash access first.
  void prefetch(std::uint64_t hash) const noexcept {
    if (capacity_ == 0) return;
    const std::size_t home = home_of(hash);
    __builtin_prefetch(marks_.get() + home, 1);
    __builtin_prefetch(slot_at(home), 1);
  }

  /// Returns the key's value, or null. `hash` is the key's placing_hash. The pointer is valid until
  /// the next insertion or erasure.
  [[nodiscard]] V* find(const K& key, std::uint64_t hash) noexcept {
    if (size_ == 0) return nullptr;
    const place at = search(key, hash);
    return at.found ? &slot_at(at.index)->value : nullptr;
  }

  /// Returns the key's value, and whether the key is new. If it is new, copies or moves it in, and
  /// calls make() for its value. If either throws, the table keeps its contents.
  template <class Key, class Make>
  std::pair<V*, bool> find_or_insert(Key&& key, std::uint64_t hash, Make&& make) {
    place at{0, false};
    if (capacity_ != 0) {
      at = search(key, hash);
      if (at.found) return {&slot_at(at.index)->value, false};
    }
    if (size_ >= max_in(capacity_)) {
      rehash(std::max(2 * capacity_, min_capacity));
      at.index = first_empty(hash);
    }
    auto* made = ::new (static_cast<void*>(slot_at(at.index)))
        slot{K(std::forward<Key>(key)), std::forward<Make>(make)()};
    set_mark(at.index, mark_of(hash));
    ++size_;
    return {&made->value, true};
  }

  /// Removes the key. Returns false if it is not there.
  bool erase(const K& key, std::uint64_t hash) noexcept {
    if (size_ == 0) return false;
    const place at = search(key, hash);
    if (!at.found) return false;
    std::destroy_at(slot_at(at.index));
    close_hole(at.index);
    --size_;
    return true;
  }

  /// Reserves space for `count` keys in all, so that the table does not grow before that.
  void reserve(std::size_t count) {
    std::size_t wanted = min_capacity;
    while (max_in(wanted) < count && wanted <= std::numeric_limits<std::size_t>::max() / 4) {
      wanted *= 2;
    }
    if (count > 0 && wanted > capacity_) rehash(wanted);
  }

  /// Removes all keys and frees the memory.
  void clear() noexcept {
    if constexpr (!std::is_trivially_destructible_v<slot>) {
      for (std::size_t i = next_used(0); i < capacity_; i = next_used(i + 1)) {
        std::destroy_at(slot_at(i));
      }
    }
    marks_.reset();
    slots_.reset();
    capacity_ = size_ = 0;
  }

  /// Visits each key once, in unspecified order.
  class iterator {
   public:
    using iterator_category = std::input_iterator_tag;  // it yields items by value
    using value_type = item;
    using difference_type = std::ptrdiff_t;
    using reference = item;
    using pointer = void;

    iterator() noexcept = default;
    [[nodiscard]] item operator*() const noexcept {
      slot* at = table_->slot_at(index_);
      return {at->key, at->value};
    }
    iterator& operator++() noexcept {
      index_ = table_->next_used(index_ + 1);
      return *this;
    }
    iterator operator++(int) noexcept {
      iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const iterator&, const iterator&) = default;

   private:
    friend class local_table;
    iterator(local_table* table, std::size_t index) noexcept : table_(table), index_(index) {}
    local_table* table_ = nullptr;
    std::size_t index_ = 0;
  };

  [[nodiscard]] iterator begin() noexcept { return {this, next_used(0)}; }
  [[nodiscard]] iterator end() noexcept { return {this, capacity_}; }

 private:
  static constexpr std::size_t group = 8;  // marks in a word
  static constexpr std::size_t min_capacity = 16;
  static constexpr std::uint64_t low_bits = 0x0101010101010101u;
  static constexpr std::uint64_t high_bits = 0x8080808080808080u;

  struct place {
    std::size_t index;  // of the key, or of the first empty slot behind its home
    bool found;
  };

  static constexpr std::size_t max_in(std::size_t capacity) noexcept {
    return capacity - (capacity + 4) / 5;
  }
  static std::uint8_t mark_of(std::uint64_t hash) noexcept {
    return static_cast<std::uint8_t>(0x80 | (hash & 0x7f));
  }
  [[nodiscard]] std::size_t home_of(std::uint64_t hash) const noexcept {
    return ((hash ^ salt_) * 0x9e3779b97f4a7c15u) >> shift_;
  }
  [[nodiscard]] slot* slot_at(std::size_t index) const noexcept {
    return reinterpret_cast<slot*>(slots_.get()) + index;
  }
  [[nodiscard]] std::uint64_t marks_from(std::size_t index) const noexcept {
    std::uint64_t word;
    std::memcpy(&word, marks_.get() + index, sizeof(word));
    return word;
  }
  void set_mark(std::size_t index, std::uint8_t mark) noexcept {
    // The copy is behind the end if index < 7; otherwise it is the mark itself.
    const std::size_t copy = ((index - (group - 1)) & (capacity_ - 1)) + (group - 1);
    marks_[index] = marks_[copy] = std::byte{mark};
  }
  static std::size_t first_of(std::uint64_t flags) noexcept {
    return static_cast<std::size_t>(std::countr_zero(flags)) / 8;
  }
  static std::uint64_t empty_in(std::uint64_t marks) noexcept { return ~marks & high_bits; }

  [[nodiscard]] place search(const K& key, std::uint64_t hash) const noexcept {
    const std::uint64_t wanted = mark_of(hash) * low_bits;
    const std::size_t mask = capacity_ - 1;
    for (std::size_t i = home_of(hash);; i = (i + group) & mask) {
      const std::uint64_t marks = marks_from(i);
      const std::uint64_t difference = marks ^ wanted;
      // One flag for each zero byte. There may be a false flag above a true one, for a mark that
      // differs only in its last bit; comparing the keys rejects it.
      std::uint64_t alike = (difference - low_bits) & ~difference & high_bits;
      for (; alike != 0; alike &= alike - 1) {
        const std::size_t index = (i + first_of(alike)) & mask;
        if (slot_at(index)->key == key) return {index, true};
      }
      const std::uint64_t empty = empty_in(marks);
      if (empty != 0) return {(i + first_of(empty)) & mask, false};
    }
  }

  [[nodiscard]] std::size_t first_empty(std::uint64_t hash) const noexcept {
    const std::size_t mask = capacity_ - 1;
    for (std::size_t i = home_of(hash);; i = (i + group) & mask) {
      const std::uint64_t empty = empty_in(marks_from(i));
      if (empty != 0) return (i + first_of(empty)) & mask;
    }
  }

  /// The first taken slot from `index` on, or capacity().
  [[nodiscard]] std::size_t next_used(std::size_t index) const noexcept {
    for (; index < capacity_; index += group) {
      const std::uint64_t taken = marks_from(index) & high_bits;
      if (taken != 0) return std::min(index + first_of(taken), capacity_);
    }
    return capacity_;
  }

  static void move_slot(slot* from, slot* to) noexcept {
    ::new (static_cast<void*>(to)) slot{std::move(from->key), std::move(from->value)};
    std::destroy_at(from);
  }

  /// Restores invariant 1 around an emptied slot.
  void close_hole(std::size_t hole) noexcept {
    const std::size_t mask = capacity_ - 1;
    for (std::size_t i = (hole + 1) & mask; marks_[i] != std::byte{0}; i = (i + 1) & mask) {
      // A key may move back into the hole unless its home lies behind it: between hole and i.
      const std::size_t home = home_of(placing_hash<Hash>(slot_at(i)->key));
      if (((i - home) & mask) < ((i - hole) & mask)) continue;
      move_slot(slot_at(i), slot_at(hole));
      set_mark(hole, static_cast<std::uint8_t>(marks_[i]));
      hole = i;
    }
    set_mark(hole, 0);
  }

  void rehash(std::size_t capacity) {
    // Instead of overflowing, the size becomes one that no system has.
    constexpr std::size_t max = std::numeric_limits<std::size_t>::max() / 2;
    table_memory slots = allocate_table(std::min(capacity, max / sizeof(slot)) * sizeof(slot));
    table_memory marks = allocate_table(capacity + group - 1);
    const std::size_t old_capacity = std::exchange(capacity_, capacity);
    slots.swap(slots_);
    marks.swap(marks_);
    shift_ = std::countl_zero(capacity) + 1;
    auto* old = reinterpret_cast<slot*>(slots.get());
    // Homes come from high bits, so both tables are traversed once, from front to back.
    for (std::size_t i = 0; i < old_capacity; ++i) {
      if (marks[i] == std::byte{0}) continue;
      const std::uint64_t hash = placing_hash<Hash>(old[i].key);
      const std::size_t to = first_empty(hash);
      move_slot(old + i, slot_at(to));
      set_mark(to, mark_of(hash));
    }
  }

  table_memory marks_;  // capacity_ + 7
  table_memory slots_;
  std::size_t capacity_ = 0;  // 0, or a power of two of at least 16
  std::size_t size_ = 0;
  int shift_ = 0;  // 64 - log2(capacity_)
  std::uint64_t salt_;
};

}  // namespace far::containers
