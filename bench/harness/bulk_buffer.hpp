#pragma once
// Page-aligned buffers to copy, local and at all ranks. Alignment matters: the relative offset of
// source and destination within their pages determines the speed of a copy.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "far/far.hpp"

namespace far::bench {

class bulk_buffer {
 public:
  /// Collective.
  bulk_buffer(const world& world, std::size_t bytes) : room_(bytes + page) {
    const auto there = allocate<std::byte>(world, bytes + page);
    symmetric_ = there + to_page(local(world, there.on(world.rank())));
    own_ = std::span(room_).subspan(static_cast<std::size_t>(to_page(room_.data())), bytes);
  }

  /// The buffer of any rank: symmetric().on(rank).
  [[nodiscard]] ptr<std::byte> symmetric() const noexcept { return symmetric_; }
  [[nodiscard]] std::span<std::byte> own() const noexcept { return own_; }

 private:
  static constexpr std::size_t page = 4096;

  /// The distance to the next page: equal on all ranks, because segments are page-aligned.
  static std::int64_t to_page(const std::byte* place) {
    return static_cast<std::int64_t>(-reinterpret_cast<std::uintptr_t>(place) % page);
  }

  std::vector<std::byte> room_;
  std::span<std::byte> own_;
  ptr<std::byte> symmetric_;
};

}  // namespace far::bench
