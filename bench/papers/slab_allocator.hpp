#pragma once
// Places for items in a range of bytes, by classes of sizes, as memcached's allocator.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

#include "far/base/error.hpp"

namespace far::bench {

/// Hands out places in [begin, end). A class takes a page at a time, and keeps it; what is freed
/// is used again for the same class. It may free places that another allocator handed out, and
/// then uses them itself.
/// Threads: any. It never waits for another rank.
class slab_allocator {
 public:
  static constexpr std::uint64_t page_bytes = 16 << 10;

  slab_allocator(std::uint64_t begin, std::uint64_t end) : next_page_(begin), end_(end) {
    for (std::uint64_t size = 48; size < page_bytes; size = (size + size / 4 + 7) / 8 * 8) {
      classes_.push_back({size, {}});
    }
    classes_.push_back({page_bytes, {}});
  }

  /// Errors: bad_argument if the item is larger than a page; out_of_memory.
  std::uint64_t allocate(std::uint64_t bytes) {
    const std::scoped_lock guard(mutex_);
    size_class& of = classes_[class_of(bytes)];
    if (of.free.empty()) take_page(of);
    const std::uint64_t place = of.free.back();
    of.free.pop_back();
    return place;
  }
  void free(std::uint64_t place, std::uint64_t bytes) {
    const std::scoped_lock guard(mutex_);
    classes_[class_of(bytes)].free.push_back(place);
  }
  /// Whether an item of one size may take the place of one of another size.
  [[nodiscard]] bool same_class(std::uint64_t bytes, std::uint64_t others) const {
    return class_of(bytes) == class_of(others);
  }

 private:
  struct size_class {
    std::uint64_t bytes = 0;
    std::vector<std::uint64_t> free;
  };

  [[nodiscard]] std::size_t class_of(std::uint64_t bytes) const {
    const auto found = std::ranges::lower_bound(classes_, bytes, {}, &size_class::bytes);
    if (found == classes_.end()) throw bad_argument("an item is larger than a page");
    return static_cast<std::size_t>(found - classes_.begin());
  }
  void take_page(size_class& of) {
    if (next_page_ + page_bytes > end_) throw out_of_memory("no page is left for an item");
    const std::uint64_t page = std::exchange(next_page_, next_page_ + page_bytes);
    for (std::uint64_t i = page_bytes / of.bytes; i > 0; --i) {
      of.free.push_back(page + (i - 1) * of.bytes);
    }
  }

  std::mutex mutex_;
  std::vector<size_class> classes_;
  std::uint64_t next_page_;
  std::uint64_t end_;
};

}  // namespace far::bench
