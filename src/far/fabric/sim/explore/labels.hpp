#pragma once
// Labels of the explorer's choices and events, for drivers that reason about them and for people
// who read a trace.

#include <cstdint>
#include <string>

#include "far/fabric/address.hpp"

namespace far::fabric::sim {

/// What a choice decides, other than what happens next.
enum class question : std::uint8_t {
  other,
  give_way,         ///< does a fiber let others run first, before its call?
  at_once,          ///< does an operation take place inside the call that starts it?
  read_now,         ///< is a put's payload read inside the call?
  message_or_task,  ///< does a lane run a message although it has a task?
  cuts,             ///< how many cuts divide a transfer?
  cut_at,           ///< where is one of them?
  first_lane,       ///< which of a rank's lanes runs first?
  who_wakes,        ///< which of the waiting contexts wakes up for a message?
  nap               ///< how long is a pause?
};

/// What an event does. Stored next to it when it is posted.
struct event_label {
  enum class kind : std::uint8_t {
    unnamed,
    put,         ///< a piece of a put takes place
    get,         ///< a piece of a get
    amo,         ///< an atomic
    signal,      ///< the signal of a put
    message,     ///< a message arrives
    reply_data,  ///< a piece of a reply lands
    reply,       ///< a reply arrives
    credit,      ///< a message is acknowledged
    flushed,     ///< a flush ends
    quiet,       ///< a round of quiesce ends
    death        ///< the others learn that a rank has been killed
  };

  kind what = kind::unnamed;
  int from = 0;
  int to = 0;
  address word = {};
  std::uint64_t bytes = 0;
  bool tells = false;  ///< its issuer is notified
};

/// Something that a step reads or changes. Two steps that do not conflict lead to the same state in
/// either order.
struct touch {
  enum class mode : std::uint8_t {
    reads,
    adds,    ///< changes it in a way that commutes with other additions
    changes  ///< changes it in any other way
  };

  enum class part : std::uint8_t {
    everything,
    memory,     ///< places are the bits of addresses
    mind,       ///< of rank `first`: what has arrived for its contexts and lanes
    lanes,      ///< of rank `first`: the order in which messages arrived
    notices,    ///< of rank `first`: that a word has changed and wakes
    credits,    ///< of rank `first`: credits for messages
    transfers,  ///< of rank `first`: transfers in flight
    fibers,     ///< of rank `first`: what its fibers share unseen by the simulator
    extents,    ///< of rank `first`
    traffic     ///< what quiesce waits for
  };

  part what = part::everything;
  mode how = mode::changes;
  std::uint64_t first = 0;
  std::uint64_t end = 1;  // one past the last

  [[nodiscard]] constexpr bool conflicts(const touch& other) const noexcept {
    if (how == other.how && how != mode::changes) return false;
    if (what == part::everything || other.what == part::everything) return true;
    return what == other.what && first < other.end && other.first < end;
  }
};

/// "piece of a put of rank 0: 8 bytes at segment 0 offset 64 of rank 1".
[[nodiscard]] std::string text_of(const event_label& label);

/// The meaning of an answer that is not calm, such as "lets others come first".
[[nodiscard]] std::string text_of(question about, std::uint64_t answer);

}  // namespace far::fabric::sim
