#pragma once
// Monitors for which threads queue, where all ranks share the objects' memory (part::coherent).
// Threads pass such a monitor on among themselves, without a message to the object's home and
// without its threads: the home's own threads may be in the queue, or asleep.
//
// When a thread first has to wait for a monitor that another one holds, or waits in one to be
// notified, it asks the home by a message. The home *inflates* the monitor: it takes one of its
// inflated_monitors, and writes its number into the word in the object's header, in place of
// `held`. From then on the queue of the inflated monitor (sync/mcs_queue.hpp) says whose the
// monitor is. The word stays so until a collection frees the object.
//
// Invariants:
//   1. Only the home, under part::mutex, inflates: by a compare-and-swap from `held`. So the thread
//      that is in the monitor then has entered by the word. `holder`, which is the queue's head,
//      stands for it; that thread passes on from `holder` when it finds that the word has changed.
//   2. Other threads enter by nodes of their own rank, one for each monitor that they are in.
//   3. `first` and `last` are used by the thread that is in the monitor only: it adds itself before
//      it waits, takes others off when it notifies them, and takes itself off when it is back in
//      the monitor because its time has passed. A notified thread queues for the monitor again.
//   4. A word's number holds for as long as a thread may name the object. So threads remember it
//      until the next collection, and do not read the header, which is beside the object's data.
//   5. A thread that waits is parked, with the monitor's object as a root. It passes the monitor on
//      before it parks. So nobody leaves a monitor during a collection, and an inflated monitor
//      that is free then, of an object that is not reached, is nobody's.
//
// If a home has no inflated monitor left, its table (monitor_table.hpp) has the queue.

#include <cstddef>
#include <cstdint>

#include "far/memory/ptr.hpp"
#include "far/sync/mcs_queue.hpp"

namespace far::objects {

struct alignas(64) inflated_monitor {
  std::uint64_t tail;   ///< of the queue
  std::uint64_t first;  ///< of the threads that wait to be notified; 0: none
  std::uint64_t last;
  std::uint64_t unused;
  sync::queue_node holder;
};
static_assert(sizeof(inflated_monitor) == 64);

/// At each home, in symmetric memory: 256 KB, of which only used pages take memory.
inline constexpr std::uint16_t max_inflated = 4096;

/// The words of an inflated monitor, of any rank.
class inflated_words {
 public:
  explicit inflated_words(ptr<inflated_monitor> of) noexcept
      : first_(reinterpret_pointer_cast<std::uint64_t>(of)) {}

  [[nodiscard]] ptr<std::uint64_t> tail() const noexcept { return first_; }
  [[nodiscard]] ptr<std::uint64_t> first() const noexcept { return first_ + 1; }
  [[nodiscard]] ptr<std::uint64_t> last() const noexcept { return first_ + 2; }
  [[nodiscard]] ptr<sync::queue_node> holder() const noexcept {
    return reinterpret_pointer_cast<sync::queue_node>(first_ + 4);
  }

 private:
  ptr<std::uint64_t> first_;
};

/// Which inflated monitor an object has: its number at the object's home.
struct inflated_place {
  std::uint64_t place = 0;  ///< the object; 0: none
  std::uint16_t number = 0;
};

}  // namespace far::objects
