#pragma once
// A thread that leaves a monitor, or waits in it, sends its last changes and, without waiting for
// their acknowledgement, the message that leaves. The home acts on that message when the changes
// are visible.
//
// Invariants (under part::mutex):
//   1. The two have a number in common. Whichever comes first is kept here for the other one: the
//      message, or a note that its changes are visible. So each is here for a short time.
//   2. Only the last packet of a publication is followed, when all others, and all that the thread
//      has changed of its own rank's, are acknowledged, and when it goes to the monitor's home.
//   3. The thread itself goes on, or is parked, only when the packet has been acknowledged: what
//      it does next may be seen by other means than this monitor, and a collection meets no changes
//      in flight.

#include <cstdint>
#include <map>
#include <utility>

#include "far/object/outbox.hpp"

namespace far::objects {

class followed_changes {
 public:
  /// The changes that a message follows are visible.
  void visible(outbox& out, int rank, std::uint64_t number) {
    const auto [found, is_first] = open_.try_emplace({rank, number});
    if (is_first) return;
    waiting_step step = std::move(found->second);
    open_.erase(found);
    step(out);
  }
  /// The message has come: `step` acts on it.
  void arrived(outbox& out, int rank, std::uint64_t number, waiting_step step) {
    const auto [found, is_first] = open_.try_emplace({rank, number}, std::move(step));
    if (is_first) return;
    open_.erase(found);
    step(out);
  }

 private:
  /// By rank and number. No step: the changes are visible.
  std::map<std::pair<int, std::uint64_t>, waiting_step> open_;
};

}  // namespace far::objects
