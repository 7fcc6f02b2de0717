#include "far/object/copy/packets.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <span>

#include "far/base/error.hpp"
#include "far/object/messages.hpp"
#include "far/object/part.hpp"

namespace far::objects {
namespace {

/// Adds a field behind the runs.
void note_change(std::vector<packet_run>& runs, packet_run field) {
  if (!runs.empty() && runs.back().offset + runs.back().bytes == field.offset) {
    runs.back().bytes += field.bytes;
  } else {
    runs.push_back(field);
  }
}

void on_verdicts(fabric::request& self, fabric::payload bytes) noexcept {
  auto& packet = static_cast<change_packet&>(self);
  packet.verdicts.assign(bytes.begin(), bytes.end());
}

void on_acknowledged(fabric::completion& self) noexcept {
  auto& packet = static_cast<change_packet&>(self);
  outbox out;
  {
    const std::scoped_lock lock(packet.of->mutex);
    // A space that is gone gives no verdicts.
    packet.verdicts.resize(packet.regions.size());
    for (std::size_t i = 0; i < packet.regions.size(); ++i) {
      copy& c = *packet.regions[i];
      const auto verdict = static_cast<change_verdict>(packet.verdicts[i]);
      c.verdict &= verdict != change_verdict::forget;
      c.granted |= verdict == change_verdict::own;
      --c.packets;
      packet.of->end_flush(out, c);
    }
  }
  packet.used = false;
  --*packet.in_flight;
  out.flush(*packet.of, *packet.context);
}

}  // namespace

void change_stream::begin_packet(int home) {
  auto& packets = me_->packets;
  auto unused = std::ranges::find_if(packets, [](const auto& p) { return !p->used; });
  if (unused == packets.end()) {
    unused = packets.insert(unused, std::make_unique<change_packet>());
    packet_ = unused->get();
    packet_->on_reply = &on_verdicts;
    packet_->on_done = &on_acknowledged;
    packet_->of = part_;
    packet_->in_flight = &me_->packets_in_flight;
  }
  packet_ = unused->get();
  packet_->context = &world_.context();
  packet_->bytes.clear();
  packet_->regions.clear();
  packet_->verdicts.clear();
  packet_->used = true;
  home_ = home;
  append(packet_->bytes, packet_header{part_->id, 0});
}

void change_stream::begin_region(copy& c) {
  const std::size_t least = sizeof(packet_region) + sizeof(packet_run) + 8;
  if (packet_ != nullptr &&
      (home_ != c.at.rank() || packet_->bytes.size() + least > part_->packet_bytes)) {
    send();
  }
  if (packet_ == nullptr) begin_packet(c.at.rank());
  region_at_ =
      append(packet_->bytes, packet_region{c.at.offset(), c.number, 0, 0, c.changed ? 1U : 0U});
  run_at_ = no_run;
  packet_->regions.push_back(&c);
  grow(packet_->bytes, 0, &packet_header::regions, 1);
  ++c.packets;
  c.changed = true;
}

void change_stream::put(const difference::found& cell) {
  const std::uint32_t added =
      append_field(packet_->bytes, run_at_, cell.offset, {cell.value, cell.width});
  grow(packet_->bytes, region_at_, &packet_region::bytes, added);
}

void change_stream::add(copy& c) {
  difference changes(c.data, c.twin.get(), *c.type, c.length);
  bool begun = false;
  for (auto cell = changes.next(); cell.width != 0; cell = changes.next()) {
    if (begun && packet_->bytes.size() + sizeof(packet_run) + cell.width > part_->packet_bytes) {
      send();
      begun = false;
    }
    if (!begun) begin_region(c);
    begun = true;
    put(cell);
    note_change(c.in_flight, {cell.offset, cell.width});
  }
}

void change_stream::send() {
  if (packet_ == nullptr) return;
  auto message = homes::message_of<change_message>(world_.context(), home_, packet_->bytes);
  message.reply = packet_;
  message.reply_bytes = static_cast<std::uint32_t>(packet_->regions.size());
  ++me_->packets_in_flight;
  packet_ = nullptr;
  world_.context().send(message);
}

bool change_stream::is_last_to(int home) const noexcept {
  return packet_ != nullptr && home_ == home && me_->packets_in_flight == 0;
}

bool change_stream::carries(const copy* c) const noexcept {
  return packet_ != nullptr && std::ranges::find(packet_->regions, c) != packet_->regions.end();
}

void change_stream::send_followed(std::uint64_t number) {
  std::memcpy(packet_->bytes.data() + offsetof(packet_header, followed), &number, sizeof(number));
  send();
}

void change_stream::finish() {
  send();
  if (me_->packets_in_flight == 0) return;
  world_.context().wait([this] { return me_->packets_in_flight == 0; }, fabric::never,
                        {"changes of shared objects to be acknowledged", -1, {}});
}

std::vector<std::uint64_t> regions_of(fabric::payload packet) {
  std::vector<std::uint64_t> offsets;
  const auto header = take<packet_header>(packet);
  for (std::uint32_t i = 0; i < header.regions; ++i) {
    const auto region = take<packet_region>(packet);
    offsets.push_back(region.offset);
    (void)take_bytes(packet, region.bytes);
  }
  return offsets;
}

std::vector<changed_region> apply_packet(part& of, fabric::payload packet) {
  std::vector<changed_region> regions;
  const auto header = take<packet_header>(packet);
  for (std::uint32_t i = 0; i < header.regions; ++i) {
    const auto region = take<packet_region>(packet);
    if (!of.heap.is_region(region.offset)) {
      throw_malformed("it changes an object that is not there");
    }
    of.note_changed(place(of.space(), of.rank, region.offset));
    const std::uint64_t room = of.bytes_of_region(region.offset);
    std::byte* const data = of.heap.data_at(region.offset);
    regions.push_back(
        {region.offset, region.number, take_bytes(packet, region.bytes), region.sequence > 0});
    for_each_run(regions.back().runs, room, [&](std::uint32_t at, fabric::payload bytes) {
      store_words(data + at, bytes.data(), bytes.size());
    });
  }
  return regions;
}

}  // namespace far::objects
