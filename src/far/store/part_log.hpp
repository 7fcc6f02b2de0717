#pragma once
// The items of a part: a log in extents. An item stays where it was appended until its extent is
// taken for new items: then what is worth keeping is appended again, and what is not leaves the
// store. All functions need the part's lock.
//
// Two queues of extents decide what leaves. New items go to the small one, and items that were
// used while they were in it go on to the main one; items that left the small one, and come back
// soon, go to the main one at once. One in sixteen segments belongs to the small queue, so what is
// read once does not displace what is read again. What others have copies of stays.
//
// Source: J. Yang et al., FIFO queues are all you need for cache eviction (S3-FIFO), 2023, with
// segments in the place of items as in J. Yang et al., Segcache, 2021. The paper's store (L. Li et
// al., DArray, 2023, section 5.2) has memcached's slabs; decision 19 says why this has not.

#include <cstdint>

#include "far/store/item.hpp"
#include "far/store/part_extents.hpp"
#include "far/store/part_index.hpp"
#include "far/store/part_memory.hpp"

namespace far::stores {

class part_log {
 public:
  part_log(const part_memory& part, store_second now) noexcept
      : part_(part), extents_(part), index_(part), now_(now) {}

  /// Makes room for an item of so many bytes, at most max_item_bytes, and for its entry; moves and
  /// removes others where it must. Returns its place, or 0 if there is no room.
  [[nodiscard]] std::uint64_t make_room(std::uint64_t bytes, queue of) const noexcept;

  /// Which queue a new item of this key belongs to. Forgets that it was in the small one before.
  [[nodiscard]] queue take_queue(key_hash hash) const noexcept;
  [[nodiscard]] queue queue_of(std::uint64_t place) const noexcept {
    return part_.segment(part_.extent_of(place)).of.of;
  }

  /// The item is dead: its memory may be taken. Its entry is no longer there.
  void kill(std::uint64_t place) const noexcept;
  /// The same, and removes the entry.
  void remove(key_hash hash, std::uint64_t* word) const noexcept;
  /// Because it has expired.
  void expire(key_hash hash, std::uint64_t* word) const noexcept;

  /// Removes the expired items of one more segment. Returns how many.
  std::uint64_t sweep() const noexcept;
  /// Removes all items. Nobody has copies of any.
  void clear() const noexcept;

 private:
  /// Which items of an extent that is taken stay.
  struct keeping {
    bool all = false;  ///< else those of more than `uses` uses
    std::uint64_t uses = 0;
    queue to = queue::small;
    std::uint64_t used_up = 0;  ///< uses that staying costs
    bool ghosts = false;        ///< remembers those that leave
  };

  [[nodiscard]] std::uint64_t append(std::uint64_t bytes, queue of) const noexcept;
  /// The same, where nothing needs to be moved. Returns 0 if something does.
  [[nodiscard]] std::uint64_t append_to_free(std::uint64_t bytes, queue of) const noexcept;
  /// How long an extent to open for an item should be.
  [[nodiscard]] std::uint32_t length_for(std::uint64_t bytes, lane of) const noexcept;
  [[nodiscard]] std::uint64_t append_to_new(const part_extents::window& which, lane of,
                                            std::uint64_t bytes) const noexcept;
  [[nodiscard]] std::uint64_t push(std::uint32_t extent, std::uint64_t bytes) const noexcept;
  [[nodiscard]] bool has_room(std::uint32_t extent, std::uint64_t bytes) const noexcept {
    return extent != no_segment && extents_.room_in(extent) >= bytes;
  }
  [[nodiscard]] std::uint32_t& open(lane of) const noexcept {
    return part_.state().open[of.number()];
  }
  /// Of this extent and the open one of its lane, the one with more room is open from here on.
  void offer(std::uint32_t extent) const noexcept;
  /// Nothing more will be appended to it.
  void close(std::uint32_t extent) const noexcept;

  /// The cheapest segments, emptied and fenced. None if what is there can neither move nor leave.
  [[nodiscard]] part_extents::window empty_window(std::uint32_t length) const noexcept;
  [[nodiscard]] bool make_index_room() const noexcept;
  [[nodiscard]] bool make_overflow_room() const noexcept;
  /// Gives up this segment, for the index.
  [[nodiscard]] bool give_up(std::uint32_t number) const noexcept;
  /// Takes extents until so many segments are free.
  [[nodiscard]] bool free_segments(std::uint32_t wanted) const noexcept;
  [[nodiscard]] bool take_some(std::uint64_t round) const noexcept;
  /// Takes this extent: what stays is appended to the open one of its lane or, where that has no
  /// room, moves to the beginning of this one. So it needs no free memory.
  void take(std::uint32_t extent, const keeping& which) const noexcept;
  /// Empties the extent of this segment: what is there moves or, if there is no place for it and
  /// it may, leaves. Returns false if something is left.
  [[nodiscard]] bool vacate(std::uint32_t number) const noexcept;
  void leave(key_hash hash, std::uint64_t* word, bool leaves_ghost) const noexcept;
  /// The item gets a place in another extent.
  void move(key_hash hash, std::uint64_t* word, const item_header& header, std::uint64_t to,
            std::uint64_t used_up) const noexcept;
  /// The item gets an earlier place in its own extent.
  void slide(key_hash hash, std::uint64_t* word, const item_header& header, std::uint64_t to,
             std::uint64_t used_up) const noexcept;
  /// Calls visit(place, header) for the items of a segment that are not dead.
  template <class Visit>
  void for_each_live(std::uint32_t number, Visit visit) const noexcept;

  part_memory part_;
  part_extents extents_;
  part_index index_;
  store_second now_;
};

}  // namespace far::stores
