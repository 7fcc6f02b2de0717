#pragma once
// The segments of a part's log, and the extents that they form. An extent is a run of neighbouring
// segments to which items are appended as to one: most are single segments, and those of large
// items are so long that a few of these fill them. All functions need the part's lock.

#include <cstdint>

#include "far/store/part_memory.hpp"

namespace far::stores {

class part_extents {
 public:
  explicit part_extents(const part_memory& part) noexcept : part_(part) {}

  /// The lane of an item of so many bytes, a multiple of a grain.
  [[nodiscard]] lane lane_of(std::uint64_t bytes, queue of) const noexcept {
    return {of, bytes > part_.shape().segment_bytes / 8};
  }
  /// How many segments hold one item.
  [[nodiscard]] std::uint32_t least_length(std::uint64_t bytes) const noexcept {
    const std::uint64_t segment_bytes = part_.shape().segment_bytes;
    return static_cast<std::uint32_t>((bytes + segment_bytes - 1) / segment_bytes);
  }
  /// How many an extent should have that is opened for it.
  [[nodiscard]] std::uint32_t wanted_length(std::uint64_t bytes) const noexcept;

  [[nodiscard]] std::uint64_t room_in(std::uint32_t first) const noexcept {
    const segment_info& info = part_.segment(first);
    return info.length * part_.shape().segment_bytes - info.used;
  }

  struct window {
    std::uint32_t first = no_segment;
    std::uint32_t length = 0;
  };
  /// The last `length` neighbouring free segments, else most of them but not less than `least`.
  [[nodiscard]] window find_free(std::uint32_t length, std::uint32_t least) const noexcept;
  /// The segments whose items it costs the least to move away.
  [[nodiscard]] std::uint32_t cheapest(std::uint32_t length) const noexcept;

  /// Keeps a free segment from being found, or lets it be found again.
  void fence(std::uint32_t number) const noexcept;
  void release(std::uint32_t number) const noexcept;
  /// Makes an extent, the youngest, of segments that are free or fenced.
  void make(const window& which, lane of) const noexcept;
  void set_free(std::uint32_t first) const noexcept;
  /// Frees all but `length` of its segments.
  void shorten(std::uint32_t first, std::uint32_t length) const noexcept;
  /// Makes it the youngest of a queue.
  void requeue(std::uint32_t first, queue to) const noexcept;

 private:
  part_memory part_;
};

}  // namespace far::stores
