#include "far/object/copy/fetching.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/object/copy/reply_area.hpp"
#include "far/object/part.hpp"

namespace far::objects {
namespace {

/// A fetch of a part of a region. The reply's data are copied to `into`.
struct fetch_part : fabric::request {
  std::byte* into = nullptr;
  std::size_t room = 0;
  std::size_t bytes = 0;
  bool came = false;
  fetch_reply reply{};

  fetch_part() { on_reply = &keep; }
  static void keep(fabric::request& self, fabric::payload got) noexcept {
    auto& me = static_cast<fetch_part&>(self);
    if (got.size() < sizeof(me.reply)) return;
    std::memcpy(&me.reply, got.data(), sizeof(me.reply));
    me.came = true;
    me.bytes = std::min(got.size() - sizeof(me.reply), me.room);
    std::memcpy(me.into, got.data() + sizeof(me.reply), me.bytes);
  }
};

void send_fetch(const part& of, const world& world, const copy& c, std::uint32_t from,
                fetch_part& pending) {
  const fetch_message header{.object = of.id,
                             .from = from,
                             .bytes = static_cast<std::uint32_t>(pending.room),
                             .lands = 0,
                             .offset = c.at.offset(),
                             .number = c.number,
                             .copies = of.copies.address_for(c.at.rank()).bits()};
  auto message = homes::message_to(world.context(), c.at.rank(), header);
  message.reply = &pending;
  message.reply_bytes = static_cast<std::uint32_t>(sizeof(fetch_reply) + pending.room);
  world.context().send(message);
}

fabric::wait_reason reason_of(const copy& c) { return {"a copy of an object", c.at.rank(), {}}; }

fetched_region fetch_by_messages(const part& of, const world& world, thread_record& me,
                                 const copy& c) {
  auto& buffer = me.buffer;
  const std::size_t first = std::min<std::size_t>(
      of.inline_bytes, c.length > 0 ? c.bytes() : std::max<std::size_t>(c.type->size(), 256));
  buffer.resize(std::max(buffer.size(), first));
  fetch_part begin;
  begin.into = buffer.data();
  begin.room = first;
  send_fetch(of, world, c, 0, begin);
  world.context().wait(begin, reason_of(c));
  if (!begin.came) throw_malformed("a region without a header");
  fetched_region got{begin.reply.status, begin.reply.header, buffer.data(), begin.bytes};
  if (got.status == fetch_status::nothing_there || got.header.type != c.type->id()) return got;
  const std::size_t bytes = std::size_t{got.header.length} * c.type->size();
  if (bytes > max_region_bytes) return got;  // check_fetched refuses it
  buffer.resize(std::max(buffer.size(), bytes));
  const std::size_t left = bytes - std::min(bytes, begin.bytes);
  // All of them before the first is sent: what happens then must not destroy one in flight.
  std::vector<fetch_part> rest((left + of.inline_bytes - 1) / of.inline_bytes);
  std::size_t at = begin.bytes;
  for (fetch_part& next : rest) {
    next.into = buffer.data() + at;
    next.room = std::min(bytes - at, of.inline_bytes);
    send_fetch(of, world, c, static_cast<std::uint32_t>(at), next);
    at += next.room;
  }
  got.bytes = bytes;
  for (fetch_part& next : rest) {
    world.context().wait(next, reason_of(c));
    if (next.bytes < next.room) got.bytes = 0;
    if (next.reply.status != fetch_status::kept) got.status = next.reply.status;
  }
  got.data = buffer.data();
  return got;
}

fetched_region fetch_one_sided(const part& of, const world& world, const reply_area& area,
                               const copy& c) {
  const fetch_message header{.object = of.id,
                             .from = 0,
                             .bytes = max_region_bytes,
                             .lands = 1,
                             .offset = c.at.offset(),
                             .number = c.number,
                             .copies = of.copies.address_for(c.at.rank()).bits()};
  const fabric::landing place = area.landing();
  fabric::request pending;
  auto message = homes::message_to(world.context(), c.at.rank(), header);
  message.reply = &pending;
  message.landings = std::span(&place, 1);
  world.context().send(message);
  world.context().wait(pending, reason_of(c));
  fetch_reply reply;
  std::memcpy(&reply, area.data(), sizeof(reply));
  return {reply.status, reply.header, area.data() + sizeof(reply), max_region_bytes};
}

/// Where instructions of the home reach this rank's memory, its processor writes the reply in
/// either case. To copy some hundred bytes once more, out of a message, then costs less than the
/// signal behind what is written one-sided.
bool is_cheaper_by_message(const world& world, const copy& c) {
  constexpr std::size_t small = 1024;
  return c.length > 0 && c.bytes() <= small && world.fabric().direct(c.at.rank()) != nullptr;
}

bool replies_land(const part& of, const world& world, const copy& c) {
  if (of.replies == fetch_replies::automatic) return !is_cheaper_by_message(world, c);
  return of.replies == fetch_replies::one_sided;
}

}  // namespace

void check_fetched(const copy& c, const fetched_region& got) {
  const std::size_t bytes = std::size_t{got.header.length} * c.type->size();
  const std::size_t room = max_region_bytes - (c.at.offset() - sizeof(region_header)) % block_bytes;
  const bool is_other = c.present && got.header.length != c.length;
  if (got.status > fetch_status::kept || bytes > got.bytes || bytes > room || is_other) {
    throw fabric_error(fmt::format(
        "object_space: rank {} has sent {} of {} elements for the object at offset {}, a {}: its "
        "memory is damaged, or it is of another build",
        c.at.rank(), got.bytes / c.type->size(), got.header.length, c.at.offset(),
        c.type->readable_name()));
  }
}

fetched_region fetch_region(const part& of, const world& world, thread_record& me, const copy& c) {
  if (replies_land(of, world, c) && me.area.claim(world))
    return fetch_one_sided(of, world, me.area, c);
  return fetch_by_messages(of, world, me, c);
}

}  // namespace far::objects
