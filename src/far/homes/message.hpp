#pragma once
// Messages between the parts of a distributed object. A message is a header, whose first member
// names the object, and what follows it. The header's own `receive` acts on it:
//
//     struct revoke_message {
//       homes::object_id object;
//       std::uint64_t place;
//       static void receive(const std::shared_ptr<part>& of, const revoke_message& header,
//                           fabric::message& message);
//     };
//
//     const revoke_message header{of.id, place};
//     context.send(homes::message_to(context, rank, header));
//
// The receiver finds its part by the object's number. If the object is gone, `receive_without` acts
// on the message if the header has one; else a request gets an empty reply.

#include <concepts>
#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <type_traits>
#include <utility>

#include "far/fabric/context.hpp"
#include "far/fabric/handlers.hpp"
#include "far/fabric/message.hpp"
#include "far/homes/registry.hpp"
#include "far/world/world.hpp"

namespace far::homes {

/// Throws fabric_error: `what` is not what a rank of this build sends. Whoever finds that in a
/// message throws it where it may: handlers and threads may, and then the job fails, which says it
/// in one line. Completions call fail_job with it.
[[noreturn]] void throw_malformed(const char* what);

template <class T>
[[nodiscard]] fabric::payload bytes_of(const T& object) noexcept {
  return std::as_bytes(std::span(&object, 1));
}

/// The header of a message. Errors: fabric_error if the message is too short.
template <class Header>
  requires std::is_trivially_copyable_v<Header>
[[nodiscard]] Header header_of(const fabric::message& message) {
  Header header;
  if (message.bytes().size() < sizeof(Header)) throw_malformed("its header is cut off");
  std::memcpy(&header, message.bytes().data(), sizeof(Header));
  return header;
}
/// What follows the header.
template <class Header>
[[nodiscard]] fabric::payload rest_of(const fabric::message& message) noexcept {
  return message.bytes().subspan(sizeof(Header));
}

/// The part that a message is for, or null.
template <class Part>
[[nodiscard]] std::shared_ptr<Part> part_of(fabric::message& message, object_id id) {
  auto& state = *static_cast<rank_state*>(message.owner());
  return state.get<registry>().find_if<Part>(id);
}

/// Of the messages with a header.
template <class Header>
struct handler {
  static void run(fabric::message& message) { run(message, &Header::receive); }

 private:
  template <class Part>
  static void run(fabric::message& message,
                  void (*receive)(const std::shared_ptr<Part>&, const Header&, fabric::message&)) {
    const auto header = header_of<Header>(message);
    if (const auto of = part_of<Part>(message, header.object)) return receive(of, header, message);
    if constexpr (requires { Header::receive_without(header, message); }) {
      Header::receive_without(header, message);
    } else if (message.expects_reply()) {
      message.reply();
    }
  }
};

/// A message to be sent on a context: a request, or from a lane, whose requests might have to wait,
/// a forward. `bytes`: a Header and what follows it; they must live until it has been sent.
template <class Header>
[[nodiscard]] fabric::send_request message_of(const fabric::context& context, int rank,
                                              fabric::payload bytes) noexcept {
  fabric::send_request message;
  message.rank = rank;
  message.kind =
      context.is_lane() ? fabric::message_class::forward : fabric::message_class::request;
  message.handler = fabric::handler_of<handler<Header>>::index();
  message.head = bytes;
  return message;
}
template <class Header>
[[nodiscard]] fabric::send_request message_to(const fabric::context& context, int rank,
                                              const Header& header) noexcept {
  return message_of<Header>(context, rank, bytes_of(header));
}

/// For handlers: a step under the part's mutex. What it leaves is sent in a task; nothing if it
/// throws, because then the job fails.
template <class Part, std::invocable<typename Part::outbox_type&> Step>
void step(fabric::message& message, const std::shared_ptr<Part>& of, Step take) {
  typename Part::outbox_type out;
  {
    const std::scoped_lock lock(of->mutex);
    take(out);
  }
  if (out.is_empty()) return;
  message.defer([of, out = std::make_unique<typename Part::outbox_type>(std::move(out))](
                    fabric::context& lane) { out->flush(*of, lane); });
}
/// For threads: the same. What it leaves is sent before this returns, also if it throws.
template <class Part, std::invocable<typename Part::outbox_type&> Step>
void step(fabric::context& context, Part& of, Step take) {
  typename Part::outbox_type out;
  try {
    const std::scoped_lock lock(of.mutex);
    take(out);
  } catch (...) {
    out.flush(of, context);
    throw;
  }
  out.flush(of, context);
}

}  // namespace far::homes
