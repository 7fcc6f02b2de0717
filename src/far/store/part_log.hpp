#pragma once
// The items of a part: a log in segments. An item stays where it was appended until its segment is
// taken for new items: then what is worth keeping is appended again, and what is not leaves the
// store. All functions need the part's lock.
//
// Two queues of segments decide what leaves. New items go to the small one, and items that were
// used while they were in it go on to the main one; items that left the small one, and come back
// soon, go to the main one at once. One in sixteen segments belongs to the small queue, so what is
// read once does not displace what is read again. What others have copies of stays.
//
// Source: J. Yang et al., FIFO queues are all you need for cache eviction (S3-FIFO), 2023, with
// segments in the place of items as in J. Yang et al., Segcache, 2021. The paper's store (L. Li et
// al., DArray, 2023, section 5.2) has memcached's slabs; decision 19 says why this has not.

#include <cstdint>

#include "far/store/item.hpp"
#include "far/store/part_index.hpp"
#include "far/store/part_memory.hpp"

namespace far::stores {

class part_log {
 public:
  part_log(const part_memory& part, store_second now) noexcept
      : part_(part), index_(part), now_(now) {}

  /// Makes room for an item of so many bytes, at most max_item_bytes, and for its entry; moves and
  /// removes others where it must. Returns its place, or 0 if there is no room.
  [[nodiscard]] std::uint64_t make_room(std::uint64_t bytes, queue of) const noexcept;

  /// Which queue a new item of this key belongs to. Forgets that it was in the small one before.
  [[nodiscard]] queue take_queue(key_hash hash) const noexcept;
  [[nodiscard]] queue queue_of(std::uint64_t place) const noexcept {
    return part_.segment(part_.segment_of(place)).of;
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
  /// Which items of a segment that is taken stay.
  struct keeping {
    bool all = false;  ///< else those of more than `uses` uses
    std::uint64_t uses = 0;
    queue to = queue::small;
    std::uint64_t used_up = 0;  ///< uses that staying costs
    bool ghosts = false;        ///< remembers those that leave
  };

  [[nodiscard]] std::uint64_t append(std::uint64_t bytes, queue of) const noexcept;
  [[nodiscard]] std::uint64_t append_run(std::uint64_t bytes, queue of) const noexcept;
  /// Where a run costs those who are there the least.
  [[nodiscard]] std::uint32_t cheapest_place(std::uint32_t length) const noexcept;
  [[nodiscard]] bool open_segment(queue of) const noexcept;
  void set_open(std::uint32_t number, queue of) const noexcept;
  void set_free(std::uint32_t number) const noexcept;

  [[nodiscard]] bool make_index_room() const noexcept;
  [[nodiscard]] bool make_overflow_room() const noexcept;
  /// Takes segments until so many are free.
  [[nodiscard]] bool free_segments(std::uint32_t wanted) const noexcept;
  [[nodiscard]] bool take_some_segment(std::uint64_t round) const noexcept;
  /// Frees this one: its items move, a run leaves.
  void vacate(std::uint32_t number) const noexcept;
  /// The same, for the index.
  [[nodiscard]] bool give_up(std::uint32_t number) const noexcept;
  void take_segment(std::uint32_t number, const keeping& which) const noexcept;
  void take_run(std::uint32_t number, const keeping& which) const noexcept;
  void leave(key_hash hash, std::uint64_t* word, const keeping& which) const noexcept;
  void move(key_hash hash, std::uint64_t* word, const item_header& header,
            const keeping& which) const noexcept;
  /// Calls visit(place, header) for the items of a segment that are not dead.
  template <class Visit>
  void for_each_live(std::uint32_t number, Visit visit) const noexcept;

  part_memory part_;
  part_index index_;
  store_second now_;
};

}  // namespace far::stores
