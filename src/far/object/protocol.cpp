// Choosing and explaining the protocol of an object.

#include <mutex>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/object/part.hpp"
#include "far/object/thread_access.hpp"

namespace far::objects {
namespace {

struct protocol_reply {
  bool is_there;
  region_account account;
};

std::string reason_of(const region_account& a) {
  const char* const now = a.updates ? "update" : "invalidate";
  if (a.chosen == object_protocol::update_in_place) {
    if (!a.reachable) {
      return "update in place, as chosen, but by messages: copies of this space are not where "
             "their homes can write them (object_space_options::reachable_copies)";
    }
    return fmt::format(
        "update in place, as chosen: so far {} updates of copies in place, {} by message",
        a.written, a.by_message);
  }
  if (a.chosen != object_protocol::automatic) return fmt::format("{}, as chosen", now);
  return fmt::format(
      "{}, by what is observed{}: {} changes with copies; {} updates that were sent, or would have "
      "been, cost as much as {:.1f} fetches and spare {}; {} ranks no longer read it",
      now, a.judged ? "" : " of its type", a.changes, a.sent, a.cost, a.read, a.left);
}

}  // namespace

region_account thread_access::ask_protocol(const char* what, place at, bool sets,
                                           object_protocol protocol) {
  check_place(what, at);
  const protocol_message header{part_->id, sets, protocol, at.offset()};
  homes::request<protocol_reply> pending;
  auto message = homes::message_to(world_.context(), at.rank(), header);
  message.reply = &pending;
  message.reply_bytes = sizeof(protocol_reply);
  world_.context().send(message);
  world_.context().wait(pending, {"the protocol of an object", at.rank(), {}});
  if (!pending.value().is_there) throw_invalid(what, at);
  return pending.value().account;
}

void thread_access::set_protocol(place at, object_protocol protocol) {
  (void)ask_protocol("set_protocol", at, true, protocol);
}

std::string thread_access::explain(place at) {
  const region_account a = ask_protocol("explain", at, false, {});
  const std::string home = fmt::format("object at offset {} of rank {}", at.offset(), at.rank());
  if (part_->coherent) return home + ": no copies, since all ranks share its memory";
  const char* here = "its home";
  if (at.rank() != part_->rank) {
    const std::scoped_lock lock(part_->mutex);
    const copy* const c = part_->copies.find(at);
    here = c == nullptr || !c->present ? "no copy"
           : c->owned                  ? "the data, since it alone uses it"
           : c->kept                   ? "a copy that stays current"
                                       : "a copy until threads synchronize";
  }
  std::string moves;
  if (a.owner >= 0) moves = fmt::format("; migrated to rank {}", a.owner);
  if (a.owner < 0 && a.moves > 0) moves = fmt::format("; has migrated {} times", a.moves);
  return fmt::format(
      "{}: {}; {} ranks keep copies, {} have some until they synchronize{}; here: {}", home,
      reason_of(a), a.kept, a.listed, moves, here);
}

void protocol_message::receive_without(const protocol_message&, fabric::message& message) {
  message.reply(bytes_of(protocol_reply{}));
}

void protocol_message::receive(const std::shared_ptr<part>& of, const protocol_message& header,
                               fabric::message& message) {
  if (header.protocol > object_protocol::update_in_place) throw_malformed("an unknown protocol");
  if (!of->heap.is_region(header.offset)) return receive_without(header, message);
  protocol_reply reply{};
  homes::step(message, of, [&](outbox& out) {
    reply.is_there = true;
    const std::uint64_t pieces = of->pieces_of(header.offset);
    for (std::uint64_t i = 0; header.sets && i < pieces; ++i) {
      const std::uint64_t region = header.offset + i * block_bytes;
      of->directory.choose(region, header.protocol);
      if (is_update(header.protocol)) of->directory.recall(out, region, true);
    }
    reply.account = of->directory.account(header.offset);
  });
  message.reply(bytes_of(reply));
}

}  // namespace far::objects
