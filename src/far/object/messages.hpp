#pragma once
// The messages of an object space. A home answers each but the one-way ones.
//
//   fetch     request, thread -> home           a region, or a part of it
//   change    request, thread -> home           what a thread has changed (packets.hpp)
//   left      request, thread -> home, one-way  copies that a rank has dropped
//   revoke    forward, home -> rank             a copy may no longer be kept; from a thread of the
//                                               home, a request
//   update    forward or request, as revoke     what has been changed in kept copies (updates.hpp)
//   protocol  request, thread -> home           chooses an object's protocol, or asks about it
//   monitor   request, thread -> home           exit and expire are one-way
//   root      request, thread -> the name's rank
//   describe  request, thread -> home           what a type consists of
//   start     request, thread -> rank           answered when the thread has ended
//   stop      request, rank 0 -> rank, one-way  no more threads will be started
//
// Those for a space that is gone are answered by nothing that matters. No handler waits.

#include <cstddef>
#include <cstdint>
#include <memory>

#include "far/fabric/message.hpp"
#include "far/homes/message.hpp"
#include "far/homes/request.hpp"
#include "far/object/copy/packet_format.hpp"
#include "far/object/heap/region.hpp"
#include "far/object/monitor/monitor_table.hpp"
#include "far/object/options.hpp"
#include "far/object/outbox.hpp"

namespace far::objects {

struct part;
using homes::bytes_of;
using homes::throw_malformed;

struct fetch_message {
  homes::object_id object;
  std::uint32_t from;   ///< in the region's data
  std::uint32_t bytes;  ///< at most
  std::uint32_t lands;  ///< 1: the whole reply is written into the requester's buffer
  std::uint64_t offset;
  std::uint64_t number;
  std::uint64_t copies;  ///< a copies_address: where the home can write the rank's copies

  static void receive(const std::shared_ptr<part>& of, const fetch_message& header,
                      fabric::message& message);
  static void receive_without(const fetch_message&, fabric::message& message);
};
enum class fetch_status : std::uint64_t { nothing_there, listed, kept };
/// The bytes from `from` on follow, as many as fit in the reply, or all if it lands.
struct fetch_reply {
  fetch_status status;
  region_header header;
};
struct left_message {
  homes::object_id object;
  std::uint32_t count;  ///< of left_items, which follow

  static void receive(const std::shared_ptr<part>& of, const left_message& header,
                      fabric::message& message);
};
struct left_item {
  std::uint64_t offset;
  std::uint64_t number;
};
struct revoke_message {
  homes::object_id object;
  std::uint64_t place;

  static void receive(const std::shared_ptr<part>& of, const revoke_message& header,
                      fabric::message& message);
};
struct monitor_message {
  homes::object_id object;
  monitor_request what;
  bool wants_object;      ///< with the grant
  bool follows;           ///< changes, which have the same number
  std::uint16_t context;  ///< of the thread
  std::uint32_t notified;
  std::uint64_t offset;
  std::uint64_t number;

  static void receive(const std::shared_ptr<part>& of, const monitor_message& header,
                      fabric::message& message);
};
struct protocol_message {
  homes::object_id object;
  bool sets;
  object_protocol protocol;
  std::uint64_t offset;

  static void receive(const std::shared_ptr<part>& of, const protocol_message& header,
                      fabric::message& message);
  static void receive_without(const protocol_message&, fabric::message& message);
};
struct root_value {
  std::uint64_t place;
  std::uint64_t type;
};
struct root_message {
  homes::object_id object;
  bool sets;
  root_value value;  ///< the name follows

  static void receive(const std::shared_ptr<part>& of, const root_message& header,
                      fabric::message& message);
  static void receive_without(const root_message&, fabric::message& message);
};
struct describe_message {
  homes::object_id object;
  std::uint32_t type;  ///< its id
  std::uint32_t from;  ///< in the description

  static void receive(const std::shared_ptr<part>& of, const describe_message& header,
                      fabric::message& message);
};
struct start_message {
  homes::object_id object;
  std::uint64_t place;
};
/// What a thread has changed: a packet.
struct change_message : packet_header {
  static void receive(const std::shared_ptr<part>& of, const change_message& header,
                      fabric::message& message);
};
/// What has been changed in kept copies: a packet.
struct update_message : packet_header {
  static void receive(const std::shared_ptr<part>& of, const update_message& header,
                      fabric::message& message);
};
struct stop_message {
  homes::object_id object;

  static void receive(const std::shared_ptr<part>& of, const stop_message& header,
                      fabric::message& message);
};

}  // namespace far::objects
