// Sending messages, replies and credits.

#include <algorithm>
#include <cstring>

#include "far/fabric/shm/landing_runs.hpp"
#include "far/fabric/ucx/link.hpp"

namespace far::fabric::ucx {
namespace {

/// Credits are returned in batches of this size: a quarter of all.
constexpr std::uint32_t credit_heap = 16;

std::size_t total(std::span<const gather> data) {
  std::size_t bytes = 0;
  for (const gather& piece : data) bytes += piece.bytes;
  return bytes;
}

}  // namespace

ucs_status_t copied_packets::open() {
  ucp_generic_dt_ops_t ops{};
  ops.start_pack = [](void*, const void* whole, std::size_t) { return const_cast<void*>(whole); };
  ops.packed_size = [](void* whole) { return static_cast<packet*>(whole)->used; };
  ops.pack = [](void* whole, std::size_t offset, void* to, std::size_t room) {
    const packet& from = *static_cast<packet*>(whole);
    const std::size_t bytes = std::min(room, from.used - offset);
    std::memcpy(to, from.bytes.get() + offset, bytes);
    return bytes;
  };
  ops.finish = [](void*) {};
  return ucp_dt_create_generic(&ops, nullptr, &type);
}

packet_header& link::header_of(packet& packet) noexcept {
  return *reinterpret_cast<packet_header*>(packet.bytes.get());
}

/// Makes a packet with a header and with space for `bytes` more.
packet_buffer link::make_packet(packet_kind kind, std::size_t bytes) {
  packet_buffer result = packets_.take(sizeof(packet_header) + bytes);
  packet_header header;
  header.key = key_;
  header.kind = kind;
  header.source = home_->rank();
  result->add(header);
  return result;
}

bool link::send(const send_request& message, const shm::record_header& header) {
  const guard locked(lock_);
  const auto kind = static_cast<std::size_t>(message.kind);
  std::uint32_t& credit = peers_[static_cast<std::size_t>(message.rank)].credit[kind];
  if (credit == 0) {
    credit_wanted_.store(true, std::memory_order_seq_cst);
    return false;
  }
  --credit;
  packet_buffer packet =
      make_packet(packet_kind::message, sizeof(header) + message.landings.size_bytes() +
                                            message.head.size() + message.body.size());
  header_of(*packet).detail =
      static_cast<std::uint16_t>(static_cast<std::size_t>(message.lane) * 2 + kind);
  packet->add(header);
  packet->add(std::as_bytes(message.landings));
  packet->add(message.head);
  packet->add(message.body);
  send(message.rank, std::move(packet));
  return true;
}

void link::handled(int source, message_class kind) noexcept {
  const guard locked(lock_);
  std::uint32_t& count =
      peers_[static_cast<std::size_t>(source)].handled[static_cast<std::size_t>(kind)];
  if (++count < credit_heap) return;
  packet_buffer packet = make_packet(packet_kind::credit, 0);
  header_of(*packet).detail = static_cast<std::uint16_t>(kind);
  header_of(*packet).value = count;
  count = 0;
  send(source, std::move(packet));
}

void link::reply(int context, const reply_token& token, const shm::record_header& header,
                 payload inline_bytes, std::span<const gather> data) {
  const guard locked(lock_);
  const std::size_t bytes = total(data);
  std::vector<place> places;
  if (bytes <= max_riding) {
    address end;
    shm::for_each_run(token, data, [&](address to, const std::byte*, std::size_t run) {
      if (!places.empty() && to == end) {
        places.back().bytes += run;
      } else {
        places.push_back({to.bits(), run});
      }
      end = to + static_cast<std::int64_t>(run);
    });
  }
  const bool rides = bytes > 0 && bytes <= max_riding && places.size() <= max_landings;
  if (!rides) places.clear();
  packet_buffer packet =
      make_packet(packet_kind::reply, sizeof(header) + places.size() * sizeof(place) +
                                          inline_bytes.size() + (rides ? bytes : 0));
  header_of(*packet).places = static_cast<std::uint32_t>(places.size());
  packet->add(header);
  packet->add(std::as_bytes(std::span(places)));
  packet->add(inline_bytes);
  if (rides) {
    for (const gather& piece : data) packet->add(piece.from, piece.bytes);
  }
  if (rides || bytes == 0) return send(token.rank, std::move(packet));

  // The caller may reuse the data when this returns, so they are written from a copy.
  operation& ahead = begin(context, token.rank, nullptr);
  ahead.staging.resize(bytes);
  std::byte* copy = ahead.staging.data();
  shm::for_each_run(token, data, [&](address to, const std::byte* from, std::size_t run) {
    std::memcpy(copy, from, run);
    write(token.rank, to, copy, run, &ahead);
    copy += run;
  });
  send_behind_writes(ahead, begin(context, token.rank, nullptr), *packet);
}

}  // namespace far::fabric::ucx
