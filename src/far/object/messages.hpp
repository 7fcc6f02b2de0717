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
//   start     request, thread -> rank           answered when the thread has ended
//   stop      request, rank 0 -> rank, one-way  no more threads will be started
//
// Handlers find the part by the object's number; those for a space that is gone answer nothing that
// matters. No handler waits.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>

#include "far/containers/directory.hpp"
#include "far/fabric/handlers.hpp"
#include "far/fabric/message.hpp"
#include "far/object/heap/region.hpp"
#include "far/object/monitor/monitor_table.hpp"
#include "far/object/options.hpp"
#include "far/object/outbox.hpp"
#include "far/rpc/serialize.hpp"

namespace far::objects {

struct fetch_message {
  containers::object_id object;
  std::uint32_t from;   ///< in the region's data
  std::uint32_t bytes;  ///< at most
  std::uint32_t lands;  ///< 1: the reply lands in the memory of who asks, whole
  std::uint64_t offset;
  std::uint64_t number;
  std::uint64_t copies;  ///< a copies_address: where the home can write the rank's copies
};
enum class fetch_status : std::uint64_t { nothing_there, listed, kept };
/// The bytes from `from` on follow, as many as fit in the reply, or all if it lands.
struct fetch_reply {
  fetch_status status;
  region_header header;
};
struct left_message {
  containers::object_id object;
  std::uint32_t count;  ///< of left_items, which follow
};
struct left_item {
  std::uint64_t offset;
  std::uint64_t number;
};
struct revoke_message {
  containers::object_id object;
  std::uint64_t place;
};
struct monitor_message {
  containers::object_id object;
  monitor_request what;
  bool wants_object;      ///< with the grant
  bool follows;           ///< changes, which have the same number
  std::uint16_t context;  ///< of the thread
  std::uint32_t notified;
  std::uint64_t offset;
  std::uint64_t number;
};
struct protocol_message {
  containers::object_id object;
  bool sets;
  object_protocol protocol;
  std::uint64_t offset;
};
struct root_value {
  std::uint64_t place;
  std::uint64_t type;
};
struct root_message {
  containers::object_id object;
  bool sets;
  root_value value;  ///< the name follows
};
struct start_message {
  containers::object_id object;
  std::uint64_t place;
};
struct stop_message {
  containers::object_id object;
};

struct fetch_received {
  static void run(fabric::message& message);
};
struct change_received {
  static void run(fabric::message& message);
};
struct left_received {
  static void run(fabric::message& message);
};
struct revoke_received {
  static void run(fabric::message& message);
};
struct monitor_received {
  static void run(fabric::message& message);
};
struct update_received {
  static void run(fabric::message& message);
};
struct protocol_received {
  static void run(fabric::message& message);
};
struct root_received {
  static void run(fabric::message& message);
};
struct stop_received {
  static void run(fabric::message& message);
};

/// The part that a message is for, or null.
[[nodiscard]] std::shared_ptr<part> part_at(fabric::message& message, containers::object_id id);
/// For handlers: sends what a step has left, in a task.
void flush_in_task(fabric::message& message, const std::shared_ptr<part>& of, outbox&& out);

/// Errors: fabric_error if the message is too short.
template <class Header>
[[nodiscard]] Header header_of(const fabric::message& message) {
  return wire::reader(message.bytes()).get<Header>();
}
template <class T>
[[nodiscard]] fabric::payload bytes_of(const T& object) noexcept {
  return std::as_bytes(std::span(&object, 1));
}

/// Throws fabric_error: `what` is not what a rank of this build sends. Whoever finds that in a
/// message or a reply throws it where it may: handlers and threads may, completions fail the job.
[[noreturn]] void throw_malformed(const char* what);

/// A request whose reply is kept in a value. No reply at all, of a space that is gone, leaves it.
template <class Reply>
struct pending_reply : fabric::request {
  pending_reply() { on_reply = &keep; }
  /// Once it is done. Errors: fabric_error for a reply that is no Reply.
  [[nodiscard]] const Reply& value() const {
    if (is_malformed_) throw_malformed("a reply of another length");
    return value_;
  }

 private:
  static void keep(fabric::request& self, fabric::payload bytes) noexcept {
    auto& me = static_cast<pending_reply&>(self);
    if (bytes.size() == sizeof(Reply)) {
      std::memcpy(&me.value_, bytes.data(), sizeof(Reply));
    } else {
      me.is_malformed_ = !bytes.empty();
    }
  }

  Reply value_{};
  bool is_malformed_ = false;
};

}  // namespace far::objects
