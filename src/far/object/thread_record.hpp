#pragma once
// What a thread has of the space: which regions it may read and write without asking, and what it
// has to do when it synchronizes.
//
// Bits and lists belong to the thread. Handlers and other threads of the rank read its bits and
// append to `listed`, `asked`, `seen` and `recalled`, under part::mutex, under which the thread
// also changes them. The thread itself tests its bits without the mutex.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <unordered_set>
#include <vector>

#include "far/object/copy/reply_area.hpp"
#include "far/object/heap/heap.hpp"
#include "far/object/heap/region.hpp"
#include "far/object/heap/roots.hpp"
#include "far/object/monitor/granted_object.hpp"
#include "far/object/monitor/inflated_monitor.hpp"
#include "far/object/outbox.hpp"

namespace far::fabric {
class context;
}

namespace far::objects {

struct copy;
struct change_packet;

/// One rank's objects, as this thread reaches them.
struct reach {
  std::byte* base = nullptr;  ///< of the home's memory, or of its copies here
  std::uint64_t limit = 0;    ///< offsets below it are in range; 0: nothing is mapped yet
  /// A bit for each region; null: all are. In debug builds, there are bits for memory that the
  /// thread reaches without copies, too: set once an object has been found there.
  std::uint64_t* readable = nullptr;
  std::uint64_t* writable = nullptr;

  [[nodiscard, gnu::always_inline]] bool may_read(std::uint64_t offset) const noexcept {
    return offset < limit && (readable == nullptr || test_bit(readable, offset));
  }
  [[nodiscard, gnu::always_inline]] bool may_write(std::uint64_t offset) const noexcept {
    return offset < limit && (writable == nullptr || test_bit(writable, offset));
  }
};

/// A copy that has been given up, for the home.
struct dropped_copy {
  place at;
  std::uint64_t number;
};

/// A monitor that a thread is in.
struct held_monitor {
  std::uint64_t place;
  std::uint32_t depth = 1;
  std::uint32_t notified = 0;       ///< waiting threads to wake when it leaves
  ptr<sync::queue_node> node = {};  ///< not null: it has entered by the inflated monitor
  std::uint16_t number = 0;         ///< of that
};

struct thread_record {
  thread_record(int ranks, const fabric::context& thread);
  ~thread_record();
  thread_record(const thread_record&) = delete;
  thread_record& operator=(const thread_record&) = delete;

  /// Bitmaps for `bytes` bytes of a rank's memory. Untouched pages take no memory.
  [[nodiscard]] std::uint64_t* make_bitmap(std::uint64_t bytes);

  std::vector<reach> reaches;  ///< by rank
  /// The thread's last synchronization, as a time of part::clock: listed copies that were fetched
  /// since are as good as new.
  std::uint64_t acquired = 0;
  std::vector<copy*> listed;  ///< may be read until the next synchronization
  /// Kept copies that are updated, to see whether the thread still reads them: it forgets its bits
  /// at its next synchronization.
  std::unordered_set<copy*> asked;
  std::unordered_set<std::uint64_t> asked_own;  ///< own regions, as `asked`
  /// Without the mutex: `listed`, `asked` or `asked_own` is not empty.
  std::atomic<bool> has_listed = false;
  /// Copies that this thread was the last to give up when it synchronized last. The homes are told
  /// at the next time of those that nobody has fetched again.
  std::vector<dropped_copy> dropped;
  std::vector<copy*> modified;             ///< foreign regions that the thread may write
  std::unordered_set<std::uint64_t> seen;  ///< own regions that it may write and others copy
  std::atomic<bool> has_seen = false;      ///< without the mutex: `seen` is not empty
  bool writes_own = false;                 ///< it may write some own region
  std::vector<copy*> recalled;             ///< it may write them; they were owned until it was told
  std::atomic<bool> has_recalled = false;  ///< without the mutex: `recalled` is not empty
  bool writes_owned = false;               ///< it may write some owned copy
  bool parked = false;  ///< it waits at a safe point: others may take what it does not need, and
                        ///< collect what it does not reach
  std::uint64_t release_epoch = 0;  ///< part::release_epoch when it gave up unused rights last
  std::vector<held_monitor> held;
  std::vector<ptr<sync::queue_node>> nodes;  ///< of the own rank, in no queue
  inflated_place inflated;         ///< the one that it has entered last, until the next collection
  const fabric::context* context;  ///< the thread's: views of one thread have the same
  root_link handles;               ///< the ring of the thread's handles
  granted_object granted;          ///< that came with the last monitor
  std::uint64_t enters = 0;        ///< the place of the monitor that it asks for, or waits in
  const std::byte* making = nullptr;  ///< the values of an object that there is no memory for yet
  const type_descriptor* last_made = nullptr;           ///< it is in part::types
  free_memory free;                                     ///< where it makes small objects
  std::vector<std::unique_ptr<change_packet>> packets;  ///< for diffs; used again
  std::vector<std::byte> buffer;                        ///< for data fetched by messages
  reply_area area;                                      ///< for other fetched data
  std::uint32_t packets_in_flight = 0;
  thread_work work;

 private:
  struct release_memory {
    void operator()(std::uint64_t* memory) const noexcept { std::free(memory); }
  };
  std::vector<std::unique_ptr<std::uint64_t[], release_memory>> bitmaps_;
};

}  // namespace far::objects
