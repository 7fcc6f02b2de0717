// Atomics on words of the nic segment. These are UCP's atomics for every word, including this
// rank's own. So one agent performs all of them: the NIC if it has atomics, else the target's
// worker.
//
// Operations that UCP lacks are built from those that it has: load is an add of 0, store a swap;
// min and max read the word, and retry a compare-and-swap until it succeeds. So do and, or and xor,
// although UCP has them: in UCX 1.13, the transports within a machine (self, shared memory) use the
// word itself as the operand of these three.

#include "far/fabric/ucx/callbacks.hpp"
#include "far/fabric/ucx/link.hpp"

namespace far::fabric::ucx {
namespace {

/// The first step of an operation.
ucp_atomic_op_t first_step(amo_op op) noexcept {
  switch (op) {
    case amo_op::load:
    case amo_op::add:
    case amo_op::bit_and:
    case amo_op::bit_or:
    case amo_op::bit_xor:
    case amo_op::min:
    case amo_op::max:
      return UCP_ATOMIC_OP_ADD;
    case amo_op::store:
    case amo_op::swap:
      return UCP_ATOMIC_OP_SWAP;
    case amo_op::compare_swap:
      return UCP_ATOMIC_OP_CSWAP;
  }
  return UCP_ATOMIC_OP_LAST;
}

bool reads_first(amo_op op) noexcept {
  return op == amo_op::load || op == amo_op::bit_and || op == amo_op::bit_or ||
         op == amo_op::bit_xor || op == amo_op::min || op == amo_op::max;
}

/// The low bytes of `value`, as many as the word has.
std::uint64_t cut_to(std::uint64_t value, int bytes) noexcept {
  return bytes == 4 ? static_cast<std::uint32_t>(value) : value;
}

/// Sign-extends a word of `bytes`, for comparisons.
std::int64_t with_sign(std::uint64_t value, int bytes) noexcept {
  return bytes == 4 ? static_cast<std::int32_t>(value) : static_cast<std::int64_t>(value);
}

/// The value to which the operation changes a word that it has read.
std::uint64_t next_value(const amo_request& request, std::uint64_t word) noexcept {
  const std::uint64_t operand = cut_to(request.operand, request.bytes);
  const bool less = request.is_signed
                        ? with_sign(operand, request.bytes) < with_sign(word, request.bytes)
                        : operand < word;
  switch (request.op) {
    case amo_op::bit_and:
      return word & operand;
    case amo_op::bit_or:
      return word | operand;
    case amo_op::bit_xor:
      return word ^ operand;
    case amo_op::min:
      return less ? operand : word;
    case amo_op::max:
      return less ? word : operand;
    default:
      return word;
  }
}

}  // namespace

void link::amo_by_nic(int context, const amo_request& request, completion* done) {
  operation& op = begin(context, request.word.rank(), done);
  op.fetched = request.fetched;
  op.fetched_bytes = request.fetched_bytes;
  op.asked = request;
  op.swaps = false;
  op.result = 0;
  op.operand = reads_first(request.op) ? 0 : cut_to(request.operand, request.bytes);
  if (request.op == amo_op::compare_swap) {
    op.result = op.operand;
    op.operand = cut_to(request.compare, request.bytes);
  }
  ++op.parts;
  if (request.wake) wake_behind(op);
  run_steps(op, first_step(request.op));
}

/// Wakes the target's waiters after the atomic, by a load packet with `wake` set.
void link::wake_behind(operation& op) {
  operation& waking = begin(op.context, op.rank, nullptr);
  amo_request load = op.asked;
  load.op = amo_op::load;
  const packet_buffer packet = make_amo(load, packet_kind::amo);
  header_of(*packet).operation = waking.wire_name();
  waking.staging.assign(packet->bytes.get(), packet->bytes.get() + packet->used);
  await_answer(waking);
  op.then = &waking;
}

/// Starts a step, and the steps that follow while each ends at once.
void link::run_steps(operation& op, ucp_atomic_op_t step) {
  while (take_step(op, step)) {
    if (!needs_swap(op)) return part_ended(op);
    step = UCP_ATOMIC_OP_CSWAP;
  }
}

/// Starts a step. Returns true if it has ended, false if a callback will report its end.
bool link::take_step(operation& op, ucp_atomic_op_t step) {
  peer& there = reach(op.rank);
  ucp_request_param_t param{};
  param.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA |
                       UCP_OP_ATTR_FIELD_DATATYPE | UCP_OP_ATTR_FIELD_REPLY_BUFFER;
  param.cb.send = &callbacks::step_ended;
  param.user_data = &op;
  param.datatype = ucp_dt_make_contig(op.asked.bytes);
  param.reply_buffer = &op.result;
  return !take(ucp_atomic_op_nbx(there.endpoint, step, &op.operand, 1,
                                 place_of(there, op.asked.word), there.window, &param),
               op.rank);
}

/// After a step: returns whether a compare-and-swap must follow, and prepares it.
bool link::needs_swap(operation& op) noexcept {
  const bool swapped = op.swaps && op.result == op.operand;
  if (swapped || !reads_first(op.asked.op)) return false;
  const std::uint64_t next = next_value(op.asked, op.result);
  if (next == op.result) return false;
  op.swaps = true;
  op.operand = op.result;
  op.result = next;
  return true;
}

void callbacks::step_ended(void* request, ucs_status_t status, void* data) {
  auto& op = *static_cast<operation*>(data);
  link& home = *op.home;
  ucp_request_free(request);
  if (status != UCS_OK) return home.note_broken(op.rank, ucs_status_string(status));
  if (!home.needs_swap(op)) return home.part_ended(op);
  home.run_steps(op, UCP_ATOMIC_OP_CSWAP);
}

}  // namespace far::fabric::ucx
