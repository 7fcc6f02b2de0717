#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <type_traits>

#include "far/containers/map/bucket_flag.hpp"
#include "far/containers/map/bucket_table.hpp"

namespace far::containers {

/// Whether a bucket holds a key. No other thread or rank may use the bucket meanwhile.
inline constexpr auto is_ready = [](const auto& one) noexcept {
  return bucket_flag::state_of(one.flag) == bucket_state::ready;
};

/// A range over the items of a part. Keeps a private table locked while it lives. Not thread-safe.
template <class Part>
class local_items {
  using table_iterator = typename Part::table_type::iterator;
  using item = typename Part::table_type::item;

  /// Iterates over a private table, or over the buckets of a part in the segments.
  class either_iterator {
    using bucket_type = bucket<typename Part::key_type, typename Part::mapped_type>;

   public:
    using iterator_category = std::input_iterator_tag;  // it yields items by value
    using value_type = item;
    using difference_type = std::ptrdiff_t;
    using reference = item;
    using pointer = void;

    either_iterator() noexcept = default;
    explicit either_iterator(table_iterator in_table) noexcept : in_table_(in_table) {}
    either_iterator(bucket_type* at, bucket_type* end) noexcept
        : at_(std::find_if(at, end, is_ready)), end_(end) {}

    [[nodiscard]] item operator*() const noexcept {
      if (at_ == nullptr) return *in_table_;
      return {at_->item.key, at_->item.value};
    }
    either_iterator& operator++() noexcept {
      if (at_ == nullptr) {
        ++in_table_;
      } else {
        at_ = std::find_if(at_ + 1, end_, is_ready);
      }
      return *this;
    }
    either_iterator operator++(int) noexcept {
      either_iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const either_iterator&, const either_iterator&) = default;

   private:
    table_iterator in_table_;
    bucket_type* at_ = nullptr;
    bucket_type* end_ = nullptr;
  };

 public:
  using iterator = std::conditional_t<Part::may_be_shared, either_iterator, table_iterator>;

  explicit local_items(Part& part) : lock_(part), part_(&part) {}
  local_items(const local_items&) = delete;
  local_items& operator=(const local_items&) = delete;

  [[nodiscard]] iterator begin() const noexcept {
    if constexpr (Part::may_be_shared) {
      const auto buckets = part_->shared.here;
      if (part_->is_shared()) return {buckets.data(), buckets.data() + buckets.size()};
    }
    return iterator(part_->table.begin());
  }
  [[nodiscard]] iterator end() const noexcept {
    if constexpr (Part::may_be_shared) {
      auto* const end = part_->shared.here.data() + part_->shared.here.size();
      if (part_->is_shared()) return {end, end};
    }
    return iterator(part_->table.end());
  }
  [[nodiscard]] std::size_t size() const noexcept {
    if constexpr (Part::may_be_shared) {
      const auto buckets = part_->shared.here;
      if (part_->is_shared()) {
        return static_cast<std::size_t>(std::count_if(buckets.begin(), buckets.end(), is_ready));
      }
    }
    return part_->table.size();
  }

 private:
  typename Part::lock lock_;
  Part* part_;
};

}  // namespace far::containers
