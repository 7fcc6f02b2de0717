// Packets that go out together. Over TCP each active message of UCX costs a call of the system here
// and one there, which is most of what a small operation costs; so while answers of a rank are on
// their way, and while this rank's worker works, small packets to that rank are gathered, and go as
// one. With nothing on its way a packet goes at once: a lone operation waits for nobody. Messages
// and replies have no answer that would end their gathering, or none that surely comes; where one
// follows others a ping is put behind, whose answer does.
//
// Invariants, all under the lock:
//   1. Packets to a rank go out in the order in which they were given to send.
//   2. Outside of turn(), packets wait only for ranks that owe an answer. That comes without their
//      programs' help, and is received in a turn of some context's or of the pump's, which sends
//      what waits before it ends; any turn before that does so too. So nothing waits for this
//      rank's program either: not even if it never makes progress again.
//   3. An answer that is owed is counted when the packet that asks for it is given to send, and
//      struck when it is taken.

#include <utility>

#include "far/base/error.hpp"
#include "far/fabric/ucx/callbacks.hpp"
#include "far/fabric/ucx/link.hpp"

namespace far::fabric::ucx {

/// Takes a packet that is complete.
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
  if (waits) return;
  if (there.owed == 0 && follows_others(there)) {
    hold(rank, make_packet(packet_kind::ping, 0));
    ++there.owed;
  }
  transmit(rank, std::move(there.held));
}

/// Whether this packet is the third since the last turn that went alone.
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

/// An answer has come: at 0, one that was forged before it was asked for.
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
  } catch (const error& failure) {  // perhaps inside a callback of UCX, which knows no exceptions
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
  if (there->emulated && packets->used <= max_together) {  // TCP, and it fits one of its buffers
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
  packets.release();  // until they are sent
  rouse_pump();
}

void callbacks::sent(void* request, ucs_status_t, void* data) {
  ucp_request_free(request);  // of a connection that broke, the endpoint tells
  packet_return{}(static_cast<packet*>(data));
}

}  // namespace far::fabric::ucx
