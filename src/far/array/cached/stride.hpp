#pragma once
// Notices that a thread enters chunks at a constant distance, and says which to request ahead.

#include <cstdint>

namespace far::cached {

class stride_detector {
 public:
  /// Chunks to request: `first`, `first` + distance, ..., `count` of them. They may be outside the
  /// array.
  struct stream {
    std::uint64_t first = 0;
    std::int64_t distance = 0;
    std::uint64_t count = 0;
  };

  /// The thread enters a chunk. When it has entered three at the same distance, the next `depth`
  /// are wanted; they are named in batches, when half of them have been entered.
  [[nodiscard]] stream enter(std::uint64_t chunk, std::uint64_t depth) noexcept {
    if (chunk == last_) return {};
    const auto distance = static_cast<std::int64_t>(chunk - last_);
    last_ = chunk;
    if (distance != distance_) {
      distance_ = distance;
      ahead_ = 0;
      return {};
    }
    if (ahead_ > 0) --ahead_;
    if (ahead_ > depth / 2 || ahead_ >= depth) return {};
    const std::uint64_t count = depth - ahead_;
    const std::uint64_t first = chunk + static_cast<std::uint64_t>(distance) * (ahead_ + 1);
    ahead_ = depth;
    return {first, distance, count};
  }
  /// `count` chunks of the last stream were not requested, for lack of room.
  void shorten(std::uint64_t count) noexcept { ahead_ -= count; }

 private:
  std::uint64_t last_ = ~std::uint64_t{0};
  std::int64_t distance_ = 0;
  std::uint64_t ahead_ = 0;  // chunks beyond last_ that have been named
};

}  // namespace far::cached
