#pragma once
// What goes over the wire between uplinks, byte for byte: packets, each a header and what its kind
// says behind it; one or several in an active message of UCX (gathering.cpp). Ranks of a job are of
// one build and one byte order.

#include <cstddef>
#include <cstdint>

#include "far/fabric/address.hpp"
#include "far/fabric/shm/message_ring.hpp"

namespace far::fabric::ucx {

enum class packet_kind : std::uint16_t {
  message,      ///< record_header, landings, payload: goes into the rank's ring
  reply,        ///< record_header, places, inline bytes, data for the places
  credit,       ///< `value` messages of class `detail` have been handled
  put,          ///< places, data for them; then the signal, if any: answered by done
  get,          ///< `value` bytes from address `word`: answered by got
  amo,          ///< amo_detail: answered by done
  loose_amo,    ///< amo_detail: not answered
  ask_extents,  ///< answered by extents
  done,         ///< of operation `operation`; `value`: the old value of an amo's word
  got,          ///< of operation `operation`: the bytes
  extents,      ///< of operation `operation`: a word per segment
  arrived,      ///< `value`: the sender has come to its so many-th meeting
  count,        ///< of meeting `value`, wave `operation`: answered by counted
  counted,      ///< two words: messages handled, messages sent
  go_on,        ///< `value`: that meeting is over
  ping,         ///< answered by pong
  pong,         ///< its sender lives
  failed,       ///< rank `value` has failed, `detail`: how (failure_kind); then the text
};

/// The first bytes of each packet.
struct packet_header {
  std::uint64_t key = 0;  ///< the job's
  packet_kind kind = packet_kind::message;
  std::uint16_t detail = 0;  ///< lane * 2 + class of a message; else as its kind says
  std::int32_t source = 0;   ///< rank
  std::uint64_t operation = 0;
  std::uint64_t value = 0;
  std::uint64_t word = 0;    ///< address of a signal's or an amo's word; 0: no signal
  std::uint32_t places = 0;  ///< how many there are behind the header
  std::uint32_t bytes = 0;   ///< all that is behind the header; then comes the next packet, if any
};
static_assert(sizeof(packet_header) == 48);

/// Whether the target's uplink answers such a packet, without its program's help.
constexpr bool is_answered(packet_kind kind) noexcept {
  return kind == packet_kind::put || kind == packet_kind::get || kind == packet_kind::amo ||
         kind == packet_kind::ask_extents || kind == packet_kind::ping;
}

/// Where a run of bytes goes.
struct place {
  std::uint64_t to = 0;  ///< address
  std::uint64_t bytes = 0;
};

/// What an amo's packet says behind its header.
struct amo_detail {
  std::uint64_t operand = 0;
  std::uint64_t compare = 0;
  std::uint8_t op = 0;
  std::uint8_t bytes = 0;
  std::uint8_t is_signed = 0;
  std::uint8_t wake = 0;
  std::uint32_t padding = 0;
};

/// Data that ride in a packet instead of going ahead of it.
inline constexpr std::size_t max_riding = 4096;
inline constexpr std::size_t max_packet = sizeof(packet_header) + sizeof(shm::record_header) +
                                          max_landings * sizeof(place) + shm::max_payload +
                                          max_riding;
/// Plain puts and gets that go as packets where UCX would send packets for them too.
inline constexpr std::size_t max_small = 1024;
/// Packets that are gathered with others, and how much of them goes together: what fits UCX's
/// buffers (TCP's have 8 KB), so that it goes by one call of the system and comes by one.
inline constexpr std::size_t max_gathered = sizeof(packet_header) + sizeof(place) + max_small;
inline constexpr std::size_t max_together = 8000;
static_assert(max_together <= max_packet);

}  // namespace far::fabric::ucx
