#include "far/object/home/updates.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

#include "far/object/messages.hpp"
#include "far/object/part.hpp"

namespace far::objects {
namespace {

/// When updates that nobody has read have cost as much as so many fetches, the copy is dropped.
constexpr std::uint64_t dropped_after = 4;

/// Whether the changes are of fields that a flush has found.
bool overlap(const std::vector<packet_run>& in_flight, const copy& c, fabric::payload runs) {
  if (in_flight.empty()) return false;
  bool result = false;
  for_each_run(runs, c.bytes(), [&](std::uint32_t at, fabric::payload bytes) {
    const auto next = std::ranges::upper_bound(
        in_flight, at, {}, [](const packet_run& r) { return r.offset + r.bytes; });
    result |= next != in_flight.end() && next->offset < at + bytes.size();
  });
  return result;
}

bool may_apply(const copy& c, const packet_region& region, fabric::payload runs) {
  const bool compares = c.busy == busy_with::flush && !c.sent;
  return c.present && c.kept && c.sequence == region.sequence && c.busy != busy_with::fetch &&
         !compares && !overlap(c.in_flight, c, runs);
}

/// Threads that may read the copy forget it when they synchronize, and ask for it again.
void ask_readers(part& of, copy& c) {
  for (const auto& thread : of.threads) {
    if (thread == nullptr) continue;
    const reach& r = thread->reaches[static_cast<std::size_t>(c.at.rank())];
    if (r.readable == nullptr || !peek_bit(r.readable, c.at.offset()) ||
        peek_bit(r.writable, c.at.offset())) {
      continue;
    }
    thread->asked.insert(&c);
    thread->has_listed.store(true, std::memory_order_release);
  }
}

update_answer apply_update(part& of, place at, const packet_region& region, fabric::payload runs,
                           std::uint32_t regions) {
  copy* const c = of.copies.find(at);
  if (c == nullptr || c->number != region.number) return update_answer::refused;
  if (!may_apply(*c, region, runs)) {
    of.make_listed(*c);
    c->revoked = true;
    c->missed = true;
    return update_answer::refused;
  }
  ++c->sequence;
  const bool was_read = c->unread == 0;
  c->unread += cost_of_update(runs.size(), regions) * (1U + region.skipped);
  if (c->unread > dropped_after * cost_of_fetch(c->bytes()) && c->readers == 0 && c->writers == 0 &&
      c->busy == busy_with::nothing) {
    c->kept = false;
    (void)c->close();
    c->fetched = 0;  // the home forgets it, so whoever needs it fetches it again
    return update_answer::left;
  }
  for_each_run(runs, c->bytes(), [&](std::uint32_t offset, fabric::payload bytes) {
    if (c->twin != nullptr) {
      merge_range(c->data, c->twin.get(), bytes.data(), *c->type, offset, bytes.size());
    } else {
      store_words(c->data + offset, bytes.data(), bytes.size());
    }
  });
  ask_readers(of, *c);
  return was_read ? update_answer::read : update_answer::applied;
}

}  // namespace

void add_update(const part& of, outbox& out, int rank, packet_region region, fabric::payload runs) {
  region.bytes = static_cast<std::uint16_t>(runs.size());
  const std::size_t bytes = sizeof(region) + runs.size();
  const auto last = std::find_if(out.updates.rbegin(), out.updates.rend(),
                                 [&](const update_packet& p) { return p.rank == rank; });
  update_packet* packet = last == out.updates.rend() ? nullptr : &*last;
  if (packet == nullptr || packet->bytes.size() + bytes > of.packet_bytes) {
    packet = &out.updates.emplace_back(update_packet{rank, {}, {}});
    append(packet->bytes, packet_header{of.id, 0});
  }
  append(packet->bytes, region);
  packet->bytes.insert(packet->bytes.end(), runs.begin(), runs.end());
  packet->items.push_back({region.offset, region.number, runs.size()});
  grow(packet->bytes, 0, &packet_header::regions, 1);
}

void send_update(part& of, fabric::context& context, update_packet&& packet) {
  for (update_item& item : packet.items) {
    item.cost = cost_of_update(item.cost, packet.items.size());
  }
  auto message = homes::message_of<update_message>(context, packet.rank, packet.bytes);
  message.reply_bytes = static_cast<std::uint32_t>(packet.items.size());
  message.reply = homes::then_step(
      of.shared_from_this(), context,
      [&of, rank = packet.rank, items = std::move(packet.items)](outbox& out,
                                                                 std::vector<std::byte> answers) {
        answers.resize(items.size());  // of a space that is gone: refused
        for (std::size_t i = 0; i < items.size(); ++i) {
          of.directory.updated(out, items[i], rank, static_cast<update_answer>(answers[i]));
        }
      });
  context.send(message);
}

void run_writer::put(const difference::found& field) {
  if (pieces_.empty() || pieces_.back().size() + sizeof(packet_run) + field.width > room_) {
    pieces_.emplace_back();
    run_at_ = no_run;
  }
  (void)append_field(pieces_.back(), run_at_, field.offset, {field.value, field.width});
}

void update_message::receive(const std::shared_ptr<part>& of, const update_message& header,
                             fabric::message& message) {
  fabric::payload packet = homes::rest_of<update_message>(message);
  std::vector<std::byte> answers;
  {
    const std::scoped_lock lock(of->mutex);
    for (std::uint32_t i = 0; i < header.regions; ++i) {
      const auto region = take<packet_region>(packet);
      const fabric::payload runs = take_bytes(packet, region.bytes);
      const place at(of->space(), message.source(), region.offset);
      of->note_changed(at);
      answers.push_back(
          static_cast<std::byte>(apply_update(*of, at, region, runs, header.regions)));
    }
  }
  message.reply(answers);
}

}  // namespace far::objects
