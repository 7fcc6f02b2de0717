#pragma once
// Buffers of one size in which calls to many ranks gather: records which rank has one, and the
// order in which they were opened.
//
// Threads: belongs to one thread.
// Invariants:
//   1. There are never more than `max` buffers, in use or not; each is allocated when it is first
//      needed.
//   2. The buffers in use form a list in the order of their opening, and ends_[r] points into the
//      buffer of rank r; both pointers are null for a rank without one.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "far/base/language.hpp"

namespace far::detail {

/// Where the next call to a rank is written, and where its buffer ends.
struct batch_end {
  std::byte* at = nullptr;
  std::byte* end = nullptr;
};

/// Cost: 24 bytes for each rank, and the buffers.
class batch_buffers {
 public:
  /// No rank.
  static constexpr int none = -1;

  batch_buffers(int ranks, std::size_t bytes_each, std::size_t max);

  [[nodiscard]] batch_end& end_of(int rank) noexcept {
    return ends_[static_cast<std::size_t>(rank)];
  }
  [[nodiscard]] bool is_open(int rank) const noexcept {
    return of_rank_[static_cast<std::size_t>(rank)] != no_buffer;
  }
  /// Whether one more can be opened.
  [[nodiscard]] bool any_left() const noexcept { return open_ < max_; }
  /// Gives an empty buffer to a rank that has none. any_left() must be true.
  void open(int rank, std::uint64_t now_ns);
  /// What has been written to a rank's buffer.
  [[nodiscard]] std::span<const std::byte> contents(int rank) const noexcept;
  /// Removes the rank's buffer and its contents.
  void close(int rank) noexcept;

  /// The rank whose buffer was opened first, or none.
  [[nodiscard]] int oldest() const noexcept { return first_ == no_buffer ? none : at(first_).rank; }
  /// When that buffer was opened. There must be one.
  [[nodiscard]] std::uint64_t oldest_ns() const noexcept { return at(first_).opened_ns; }

  [[nodiscard]] std::size_t bytes_each() const noexcept { return bytes_each_; }
  /// Buffers in use.
  [[nodiscard]] std::size_t open_count() const noexcept { return open_; }

 private:
  using index = std::int32_t;
  static constexpr index no_buffer = -1;

  struct buffer {
    std::unique_ptr<std::byte[]> bytes;
    std::uint64_t opened_ns = 0;
    int rank = none;
    index before = no_buffer;
    index behind = no_buffer;
  };
  [[nodiscard]] buffer& at(index i) noexcept { return buffers_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] const buffer& at(index i) const noexcept {
    return buffers_[static_cast<std::size_t>(i)];
  }
  [[nodiscard]] index acquire_unused();

  std::size_t bytes_each_;
  std::size_t max_;
  std::size_t open_ = 0;
  std::vector<batch_end> ends_;  // [rank]
  std::vector<index> of_rank_;   // [rank]
  std::vector<buffer> buffers_;
  std::vector<index> unused_;
  index first_ = no_buffer;
  index last_ = no_buffer;
};

}  // namespace far::detail
