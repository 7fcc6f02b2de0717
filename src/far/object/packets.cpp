#include "far/object/packets.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <span>

#include "far/base/error.hpp"
#include "far/object/messages.hpp"
#include "far/object/part.hpp"

namespace far::objects {
namespace {

template <class T>
std::size_t append(std::vector<std::byte>& to, const T& value) {
  const std::size_t at = to.size();
  to.resize(at + sizeof(T));
  std::memcpy(to.data() + at, &value, sizeof(T));
  return at;
}

/// Adds to a number of a struct that has been appended.
template <class T>
void grow(std::vector<std::byte>& in, std::size_t at, std::uint32_t T::*member, std::uint32_t by) {
  T value;
  std::memcpy(&value, in.data() + at, sizeof(T));
  value.*member += by;
  std::memcpy(in.data() + at, &value, sizeof(T));
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
    for (std::size_t i = 0; i < packet.regions.size(); ++i) {
      copy& c = *packet.regions[i];
      c.verdict &= i < packet.verdicts.size() && packet.verdicts[i] != std::byte{0};
      --c.packets;
      packet.of->end_flush(out, c);
    }
  }
  packet.used = false;
  --*packet.in_flight;
  out.flush(*packet.of, *packet.context);
}

/// Takes a T off the front. Errors: fabric_error.
template <class T>
T take(fabric::payload& from) {
  if (from.size() < sizeof(T)) throw fabric_error("object_space: a packet of changes is too short");
  T value;
  std::memcpy(&value, from.data(), sizeof(T));
  from = from.subspan(sizeof(T));
  return value;
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
  packet_->context = &view_.context();
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
  region_at_ = append(packet_->bytes, packet_region{c.at.offset(), 0, 0});
  run_at_ = 0;
  packet_->regions.push_back(&c);
  grow(packet_->bytes, 0, &packet_header::regions, 1);
  ++c.packets;
  c.changed = true;
}

void change_stream::put(const difference::found& cell) {
  auto& bytes = packet_->bytes;
  packet_run run{};
  if (run_at_ != 0) std::memcpy(&run, bytes.data() + run_at_, sizeof(run));
  std::uint32_t added = cell.width;
  if (run_at_ == 0 || run.offset + run.bytes != cell.offset) {
    run_at_ = append(bytes, packet_run{cell.offset, 0});
    added += sizeof(packet_run);
  }
  bytes.insert(bytes.end(), cell.value, cell.value + cell.width);
  grow(bytes, run_at_, &packet_run::bytes, cell.width);
  grow(bytes, region_at_, &packet_region::bytes, added);
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
  }
}

void change_stream::send() {
  if (packet_ == nullptr) return;
  fabric::send_request message;
  message.rank = home_;
  message.handler = fabric::handler_of<change_received>::index();
  message.head = packet_->bytes;
  message.reply = packet_;
  message.reply_bytes = static_cast<std::uint32_t>(packet_->regions.size());
  ++me_->packets_in_flight;
  packet_ = nullptr;
  view_.context().send(message);
}

void change_stream::finish() {
  send();
  view_.context().wait([this] { return me_->packets_in_flight == 0; }, fabric::never,
                       {"changes of shared objects to be acknowledged", -1, {}});
}

void apply_packet(part& of, fabric::payload packet, std::vector<std::uint64_t>& regions) {
  const auto header = take<packet_header>(packet);
  for (std::uint32_t i = 0; i < header.regions; ++i) {
    const auto region = take<packet_region>(packet);
    if (!of.heap.is_region(region.offset) || region.bytes > packet.size()) {
      throw fabric_error("object_space: a packet changes an object that is not there");
    }
    const std::uint64_t room =
        max_region_bytes - (region.offset - sizeof(region_header)) % block_bytes;
    fabric::payload runs = packet.first(region.bytes);
    packet = packet.subspan(region.bytes);
    while (!runs.empty()) {
      const auto run = take<packet_run>(runs);
      if (run.bytes > runs.size() || std::uint64_t{run.offset} + run.bytes > room) {
        throw fabric_error("object_space: a packet changes bytes outside an object");
      }
      store_words(of.heap.data_at(region.offset) + run.offset, runs.data(), run.bytes);
      runs = runs.subspan(run.bytes);
    }
    regions.push_back(region.offset);
  }
}

}  // namespace far::objects
