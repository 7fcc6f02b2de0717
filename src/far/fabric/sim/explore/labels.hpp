#pragma once
// What the explorer's choices and events are about: for drivers that reason about them, and for
// people who read a trace.

#include <cstdint>
#include <string>

#include "far/fabric/address.hpp"

namespace far::fabric::sim {

/// What a choice decides, other than what happens next.
enum class question : std::uint8_t {
  other,
  give_way,         ///< does a fiber let others come first before its call?
  at_once,          ///< does an operation take place inside the call that starts it?
  read_now,         ///< is a put's payload read inside the call?
  message_or_task,  ///< does a lane run a message although it has a task?
  cuts,             ///< into how many pieces more does a transfer fall?
  cut_at,           ///< and where?
  first_lane,       ///< which of a rank's lanes runs first?
  who_wakes,        ///< which of the waiting contexts gets up for a message?
  nap               ///< how long is a pause?
};

/// What an event does, put beside it when it is posted.
struct event_label {
  enum class kind : std::uint8_t {
    unnamed,
    put,         ///< a piece of a put takes place
    get,         ///< a piece of a get
    amo,         ///< an atomic
    signal,      ///< the signal of a put
    message,     ///< a message arrives
    reply_data,  ///< a piece of a reply lands
    reply,       ///< a reply is there
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
  bool tells = false;  ///< its issuer hears of it
};

/// Something a step reads or changes. Two steps that do not conflict lead to the same state in
/// either order.
struct touch {
  enum class mode : std::uint8_t {
    reads,
    adds,    ///< changes it in a way that commutes with other additions
    changes  ///< in any other
  };

  enum class part : std::uint8_t {
    everything,
    memory,     ///< places are the bits of addresses
    mind,       ///< of rank `first`: what has arrived for its contexts and lanes
    lanes,      ///< of rank `first`: in which order messages have
    notices,    ///< of rank `first`: that a word has changed and wakes
    credits,    ///< of rank `first`: for messages
    transfers,  ///< of rank `first`: those under way
    fibers,     ///< of rank `first`: what they share in ways that nobody sees
    extents,    ///< of rank `first`
    traffic     ///< what quiesce looks at
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

/// What it means that a choice was not the calm one, such as "lets others come first".
[[nodiscard]] std::string text_of(question about, std::uint64_t answer);

}  // namespace far::fabric::sim
