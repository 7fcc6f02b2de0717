// put, get, amo and flush.
//
// A put is done when a later flush of its endpoint is. Where UCX emulates puts and gets by packets,
// small ones are sent as our own packets, which are gathered (gathering.cpp). Atomics of the domain
// cpu are requested by packets and performed by the target's processor, as are those of its node's
// ranks; nic_atomics.cpp does those of the domain nic. A signal is sent in a packet with its
// payload; if the payload is longer, after a flush of it. So it needs no order that UCX does not
// guarantee.

#include <cstring>
#include <memory>

#include "far/fabric/ucx/callbacks.hpp"
#include "far/fabric/ucx/link.hpp"

namespace far::fabric::ucx {
namespace {

ucp_request_param_t calling(ucp_send_nbx_callback_t callback, void* data) {
  ucp_request_param_t param{};
  param.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
  param.cb.send = callback;
  param.user_data = data;
  return param;
}

std::size_t total(std::span<const put_part> parts) {
  std::size_t bytes = 0;
  for (const put_part& part : parts) bytes += part.bytes;
  return bytes;
}

/// A context with more operations in flight than this waits for those whose data are copied, too:
/// so it makes progress, which frees their records.
constexpr std::uint32_t max_unattended = 512;

bool is_small(std::span<const put_part> parts) {
  const std::size_t bytes = total(parts);
  return bytes > 0 && bytes <= max_small && parts.size() <= max_landings;
}

}  // namespace

/// Checks what a call of UCX has returned. Returns false if the operation has ended already.
bool link::take(ucs_status_ptr_t status, int rank) noexcept {
  // An operation that failed to start never ends: the job fails instead.
  if (UCS_PTR_IS_ERR(status)) note_broken(rank, ucs_status_string(UCS_PTR_STATUS(status)));
  if (status != nullptr) wake_pump();
  return status != nullptr;
}

std::uint64_t link::place_of(const peer& there, address a) const noexcept {
  return there.base + home_->layout().begin[static_cast<std::size_t>(a.segment())] + a.offset();
}

/// Starts a write. `op`, if not null, has one more part until the bytes at `from` can be reused.
void link::write(int rank, address to, const void* from, std::size_t bytes, operation* op) {
  if (bytes == 0) return;
  peer& there = reach(rank);
  const ucp_request_param_t param =
      op != nullptr ? calling(&callbacks::part_ended, op) : calling(&callbacks::unawaited, this);
  ++there.writes;
  const bool in_flight = take(
      ucp_put_nbx(there.endpoint, from, bytes, place_of(there, to), there.window, &param), rank);
  if (in_flight && op != nullptr) ++op->parts;
}

/// Starts a flush of UCX's puts to the rank, if any are unflushed; `op` has one more part until it
/// is done. Packets need none, because they are answered; over TCP, a UCX flush is a round trip.
void link::flush_endpoint(operation& op, int rank) {
  peer& there = peers_[static_cast<std::size_t>(rank)];
  if (there.flushed == there.writes) return;
  auto mark = std::make_unique<flush_mark>(flush_mark{&op, rank, there.writes});
  const ucp_request_param_t param = calling(&callbacks::flush_ended, mark.get());
  const ucs_status_ptr_t status = ucp_ep_flush_nbx(there.endpoint, &param);
  if (status == nullptr) there.flushed = there.writes;
  if (!take(status, rank)) return;
  ++op.parts;
  mark.release();  // the callback owns it
}

void link::put(int context, std::span<const put_part> parts, completion* done, completion* source,
               const signal* after) {
  const guard locked(lock_);
  const int rank = after != nullptr ? after->word.rank() : parts.front().to.rank();
  if (after != nullptr || (is_small(parts) && reach(rank).emulated)) {
    return put_by_packet(context, parts, done, source, after);
  }
  operation* const reading = source == nullptr ? nullptr : &begin(context, rank, source);
  for (const put_part& part : parts) write(rank, part.to, part.from, part.bytes, reading);
  if (reading != nullptr) complete(*reading);
  // quiesce must see the end of a lane's operations.
  if (done != nullptr || context >= max_contexts) {
    operation& op = begin(context, rank, done);
    flush_endpoint(op, rank);
    complete(op);
  }
}

/// Puts by a packet. If `after` is null, the data must fit the packet.
void link::put_by_packet(int context, std::span<const put_part> parts, completion* done,
                         completion* source, const signal* after) {
  const int rank = after != nullptr ? after->word.rank() : parts.front().to.rank();
  const std::size_t bytes = total(parts);
  const bool rides = bytes <= max_riding && parts.size() <= max_landings;
  const context_state& state = states_[static_cast<std::size_t>(context)];
  const bool is_attended =
      !rides || state.outstanding.load(std::memory_order_relaxed) > max_unattended;
  packet_buffer packet =
      make_packet(packet_kind::put, rides ? parts.size() * sizeof(place) + bytes : 0);
  operation& op = begin(context, rank, done);
  packet_header& header = header_of(*packet);
  if (after != nullptr) {
    header.detail = static_cast<std::uint16_t>(after->how);
    header.word = after->word.bits();
    header.value = after->value;
  }
  header.operation = op.wire_name();
  await_answer(op);
  operation* const reading =
      source == nullptr || !is_attended ? nullptr : &begin(context, rank, source);
  if (rides) {
    header.places = static_cast<std::uint32_t>(parts.size());
    for (const put_part& part : parts) packet->add(place{part.to.bits(), part.bytes});
    for (const put_part& part : parts) packet->add(part.from, part.bytes);
    send(rank, std::move(packet));
  } else {
    for (const put_part& part : parts) write(rank, part.to, part.from, part.bytes, reading);
    send_behind_writes(begin(context, rank, nullptr), op, *packet);
  }
  if (reading != nullptr) complete(*reading);
}

/// Sends the packet of `op` once all writes to its rank are flushed and `ahead` has ended.
void link::send_behind_writes(operation& ahead, operation& op, const packet& packet) {
  op.staging.assign(packet.bytes.get(), packet.bytes.get() + packet.used);
  ahead.then = &op;
  flush_endpoint(ahead, op.rank);
  complete(ahead);
}

void link::start_then(operation& first) {
  operation& op = *first.then;
  packet_buffer packet = packets_.take(op.staging.size());
  packet->add(op.staging.data(), op.staging.size());
  send(op.rank, std::move(packet));
  if (!op.answered) finish(op);
}

void link::get(int context, const get_part& part, completion* done) {
  const guard locked(lock_);
  const int rank = part.from.rank();
  peer& there = reach(rank);
  operation& op = begin(context, rank, done);
  if (there.emulated && part.bytes > 0 && part.bytes <= max_small) {
    op.to = part.to;
    op.bytes = part.bytes;
    packet_buffer packet = make_packet(packet_kind::get, 0);
    header_of(*packet).operation = op.wire_name();
    header_of(*packet).word = part.from.bits();
    header_of(*packet).value = part.bytes;
    await_answer(op);
    return send(rank, std::move(packet));
  }
  if (part.bytes > 0) {
    const ucp_request_param_t param = calling(&callbacks::read_ended, &op);
    const ucs_status_ptr_t status = ucp_get_nbx(there.endpoint, part.to, part.bytes,
                                                place_of(there, part.from), there.window, &param);
    if (take(status, rank)) {
      ++op.parts;
      enter_ledger(op);
    }
    if (UCS_PTR_IS_PTR(status)) ++reads_;
  }
  complete(op);
}

void link::amo(int context, const amo_request& request, completion* done) {
  const guard locked(lock_);
  if (!home_->cpu_atomics(request.word)) return amo_by_nic(context, request, done);
  const int rank = request.word.rank();
  // quiesce must see the end of a lane's operations.
  if (request.loose && context < max_contexts) {
    return send(rank, make_amo(request, packet_kind::loose_amo));
  }
  operation& op = begin(context, rank, done);
  op.fetched = request.fetched;
  op.fetched_bytes = request.fetched_bytes;
  packet_buffer packet = make_amo(request, packet_kind::amo);
  header_of(*packet).operation = op.wire_name();
  await_answer(op);
  send(rank, std::move(packet));
}

packet_buffer link::make_amo(const amo_request& request, packet_kind kind) {
  packet_buffer packet = make_packet(kind, sizeof(amo_detail));
  header_of(*packet).word = request.word.bits();
  amo_detail detail;
  detail.operand = request.operand;
  detail.compare = request.compare;
  detail.op = static_cast<std::uint8_t>(request.op);
  detail.bytes = request.bytes;
  detail.is_signed = request.is_signed ? 1 : 0;
  detail.wake = request.wake ? 1 : 0;
  packet->add(detail);
  return packet;
}

void link::flush(int context, int rank, completion* done) {
  const guard locked(lock_);
  operation& op = begin(context, rank, done);
  if (flushed_) return complete(op);
  send_held();
  ++op.parts;  // until all flushes have started: some may end before
  auto& ledgers = states_[static_cast<std::size_t>(context)].ledgers;
  if (rank < 0) {
    const auto close_all = [&op](context_state& state) {
      for (auto& [_, book] : state.ledgers) op.parts += book.close(&op) ? 1U : 0U;
    };
    if (rank == every_context) {
      for (context_state& state : states_) close_all(state);
    } else {
      close_all(states_[static_cast<std::size_t>(context)]);
    }
    // Not the worker's flush: it also waits for connections from strangers, perhaps without end.
    for (int to = 0; to < home_->size(); ++to) flush_endpoint(op, to);
  } else {
    const auto book = ledgers.find(rank);
    if (book != ledgers.end() && book->second.close(&op)) ++op.parts;
    flush_endpoint(op, rank);
  }
  part_ended(op);
}

void link::request_extents(int context, int rank, completion* done) {
  const guard locked(lock_);
  operation& op = begin(context, rank, done);
  packet_buffer packet = make_packet(packet_kind::request_extents, 0);
  header_of(*packet).operation = op.wire_name();
  await_answer(op);
  send(rank, std::move(packet));
}

}  // namespace far::fabric::ucx
