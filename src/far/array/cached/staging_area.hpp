#pragma once
// Memory at the home for operands that do not fit in a message: they land here before they are
// merged. A few chunks, so recalls may have to wait for one.

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "far/array/cached/outbox.hpp"
#include "far/memory/memory.hpp"

namespace far::cached {

/// Threads: the caller holds part::mutex.
class staging_area {
 public:
  static constexpr int buffers = 4;

  staging_area() = default;
  staging_area(ptr<std::byte> memory, std::uint64_t bytes_each)
      : memory_(memory), each_(bytes_each) {
    for (int i = 0; i < buffers; ++i) free_.push_back(i);
  }

  [[nodiscard]] ptr<std::byte> memory() const noexcept { return memory_; }
  /// A buffer for the recall's operands; none: the recall waits here until release returns it.
  [[nodiscard]] std::optional<int> acquire(const recall& what) {
    if (free_.empty()) {
      waiting_.push_back(what);
      return std::nullopt;
    }
    const int result = free_.back();
    free_.pop_back();
    return result;
  }
  /// Returns a recall that has waited for a buffer, if any: to be sent again.
  [[nodiscard]] std::optional<recall> release(int buffer) {
    free_.push_back(buffer);
    if (waiting_.empty()) return std::nullopt;
    const recall result = waiting_.front();
    waiting_.pop_front();
    return result;
  }
  [[nodiscard]] fabric::address address_of(int buffer) const noexcept {
    return memory_.address() + static_cast<std::int64_t>(each_) * buffer;
  }

 private:
  ptr<std::byte> memory_;
  std::uint64_t each_ = 0;
  std::vector<int> free_;
  std::deque<recall> waiting_;
};

}  // namespace far::cached
