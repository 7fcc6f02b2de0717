#pragma once
// The wire format between uplinks. A packet is a header and a body, whose format depends on the
// kind. An active message of UCX holds one or several packets (gathering.cpp). All ranks of a job
// have the same build and byte order.

#include <cstddef>
#include <cstdint>

#include "far/fabric/address.hpp"
#include "far/fabric/shm/message_ring.hpp"

namespace far::fabric::ucx {

enum class packet_kind : std::uint16_t {
  message,          ///< record_header, landings, payload: pushed into the rank's ring
  reply,            ///< record_header, places, inline bytes, data for the places
  credit,           ///< `value` messages of class `detail` have been handled
  put,              ///< places, data for them; may have a signal; answered by done
  get,              ///< `value` bytes from address `word`: answered by got
  amo,              ///< amo_detail: answered by done
  loose_amo,        ///< amo_detail: not answered
  request_extents,  ///< answered by extents
  done,             ///< of operation `operation`; `value`: the old value of an amo's word
  got,              ///< of operation `operation`: the bytes
  extents,          ///< of operation `operation`: a word per segment
  arrived,          ///< the sender has reached rendezvous number `value`
  count,            ///< of rendezvous `value`, wave `operation`: answered by counted
  counted,          ///< two words: messages handled, messages sent
  go_on,            ///< rendezvous number `value` is over
  ping,             ///< answered by pong
  pong,             ///< the sender is alive
  failed,           ///< rank `value` has failed; `detail`: failure_kind; body: the text
};

/// The first bytes of each packet.
struct packet_header {
  std::uint64_t key = 0;  ///< the job's
  packet_kind kind = packet_kind::message;
  std::uint16_t detail = 0;  ///< lane * 2 + class of a message; else depends on the kind
  std::int32_t source = 0;   ///< rank
  std::uint64_t operation = 0;
  std::uint64_t value = 0;
  std::uint64_t word = 0;    ///< address of a signal's or an amo's word; 0: no signal
  std::uint32_t places = 0;  ///< number of places in the body
  std::uint32_t bytes = 0;   ///< size of the body; the next packet, if any, follows it
};
static_assert(sizeof(packet_header) == 48);

/// Whether the target's uplink answers such a packet. Its program takes no part in that.
constexpr bool is_answered(packet_kind kind) noexcept {
  return kind == packet_kind::put || kind == packet_kind::get || kind == packet_kind::amo ||
         kind == packet_kind::request_extents || kind == packet_kind::ping;
}

/// The destination of a run of bytes.
struct place {
  std::uint64_t to = 0;  ///< address
  std::uint64_t bytes = 0;
};

/// The body of an amo's packet.
struct amo_detail {
  std::uint64_t operand = 0;
  std::uint64_t compare = 0;
  std::uint8_t op = 0;
  std::uint8_t bytes = 0;
  std::uint8_t is_signed = 0;
  std::uint8_t wake = 0;
  std::uint32_t padding = 0;
};

/// Max bytes of data that ride in a packet; more are written ahead of it, and flushed, which takes
/// a round trip. A packet of so many in one place fits one of UCX's buffers (TCP's have 8 KB).
inline constexpr std::size_t max_riding = 7680;
inline constexpr std::size_t max_packet = sizeof(packet_header) + sizeof(shm::record_header) +
                                          max_landings * sizeof(place) + shm::max_payload +
                                          max_riding;
/// Max bytes of plain puts and gets that are sent as packets where UCX would send packets too.
inline constexpr std::size_t max_small = 1024;
/// Max size of a packet that is gathered with others, and max bytes gathered in one active message.
/// These fit one of UCX's buffers (TCP's have 8 KB), so that one system call sends or receives
/// them.
inline constexpr std::size_t max_gathered = sizeof(packet_header) + sizeof(place) + max_small;
inline constexpr std::size_t max_together = 8000;
static_assert(max_together <= max_packet);

}  // namespace far::fabric::ucx
