// Gathering: several packets sent as one active message. Over TCP, each active message of UCX costs
// a system call at both ends, which is most of the cost of a small operation. So small packets to a
// rank are held and sent together while that rank owes answers, and during a turn. Otherwise a
// packet is sent at once, so a single operation is not delayed. Messages and replies have no answer
// that ends their gathering, or none that is certain to come. If one follows others, a ping is
// added, whose answer ends it.
//
// Invariants, all under the lock:
//   1. Packets to a rank are sent in the order in which they were passed to send.
//   2. Outside of turn(), packets are held only for ranks that owe an answer. The answer comes
//      without help of their programs. A turn of a context or of the pump receives it, and sends
//      held packets before it ends, as any earlier turn does. So held packets do not depend on this
//      rank's program either, even if it never makes progress again.
//   3. An owed answer is counted when the packet that requests it is passed to send, and struck
//      when the answer is accepted.

#include <utility>

#include "far/base/error.hpp"
#include "far/fabric/ucx/callbacks.hpp"
#include "far/fabric/ucx/link.hpp"

namespace far::fabric::ucx {

/// Sends or holds a complete packet.
void link::send(int rank, packet_buffer packet) {
  packet_header& header = header_of(*packet);
  header.bytes = static_cast<std::uint32_t>(packet->used - sizeof(packet_header));
  peer& there = peers_[static_cast<std::size_t>(rank)];
  const bool waits = turning_ || there.owed > 0;
  if (is_answered(header.kind)) ++there.owed;
  if (packet->used > max_gathered) {
    if (there.held != nullptr) transmit(rank, std::move(there.held));
    return transmit(rank, std::move(packet));
  }
  hold(rank, std::move(packet));
  if (waits) {
    // The pump may be about to wait for a turn of this context, which may compute for long now.
    if (!turning_) park_.notify_one();
    return;
  }
  if (there.owed == 0 && follows_others(there)) {
    hold(rank, make_packet(packet_kind::ping, 0));
    ++there.owed;
  }
  transmit(rank, std::move(there.held));
}

/// Whether this is at least the third packet sent alone since the last turn.
bool link::follows_others(peer& there) const noexcept {
  constexpr int enough = 3;
  if (there.alone_in != turns_) there.alone = 0;
  there.alone_in = turns_;
  return ++there.alone >= enough;
}

void link::hold(int rank, packet_buffer packet) {
  packet_buffer& before = peers_[static_cast<std::size_t>(rank)].held;
  if (before == nullptr) {
    before = std::move(packet);
    holding_.push_back(rank);
    return;
  }
  const std::size_t together = before->used + packet->used;
  if (together > max_together) return transmit(rank, std::exchange(before, std::move(packet)));
  if (together > before->room) {
    packet_buffer larger = packets_.take(max_together);
    larger->add(before->bytes.get(), before->used);
    before = std::move(larger);
  }
  before->add(packet->bytes.get(), packet->used);
}

/// Counts an answer that has arrived. At 0 it was forged: no request is open.
void link::strike(int rank) noexcept {
  std::uint32_t& owed = peers_[static_cast<std::size_t>(rank)].owed;
  if (owed > 0) --owed;
}

void link::send_held() {
  for (const int rank : holding_) {
    packet_buffer packets = std::move(peers_[static_cast<std::size_t>(rank)].held);
    if (packets != nullptr) transmit(rank, std::move(packets));
  }
  holding_.clear();
}

/// Hands one or more packets to UCX.
void link::transmit(int rank, packet_buffer packets) {
  const peer* there = nullptr;
  try {
    there = &reach(rank);
  } catch (const error& failure) {  // exceptions must not pass through UCX, if this is a callback
    return note_broken(rank, failure.what());
  }
  ucp_request_param_t param{};
  param.op_attr_mask =
      UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA | UCP_OP_ATTR_FIELD_FLAGS;
  param.cb.send = &callbacks::sent;
  param.user_data = packets.get();
  param.flags = UCP_AM_SEND_FLAG_EAGER;
  const void* from = packets->bytes.get();
  std::size_t count = packets->used;
  if (there->emulated && packets->used <= max_together) {  // TCP, and they fit one of its buffers
    param.op_attr_mask |= UCP_OP_ATTR_FIELD_DATATYPE;
    param.datatype = copied_.type;
    from = packets.get();
    count = 1;
  }
  const ucs_status_ptr_t status =
      ucp_am_send_nbx(there->endpoint, packet_id, nullptr, 0, from, count, &param);
  if (UCS_PTR_IS_ERR(status)) {
    return note_broken(rank, ucs_status_string(UCS_PTR_STATUS(status)));
  }
  if (status == nullptr) return;
  packets.release();  // callbacks::sent takes them back
  wake_pump();
}

void callbacks::sent(void* request, ucs_status_t, void* data) {
  ucp_request_free(request);  // callbacks::broken reports a broken connection
  packet_return{}(static_cast<packet*>(data));
}

}  // namespace far::fabric::ucx
