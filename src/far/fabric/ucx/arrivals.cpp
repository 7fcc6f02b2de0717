// Incoming packets. The contents of each are checked before they are used.

#include <cstdio>
#include <cstring>

#include "far/fabric/copy.hpp"
#include "far/fabric/handlers.hpp"
#include "far/fabric/shm/doorbell.hpp"
#include "far/fabric/shm/rank_context.hpp"
#include "far/fabric/ucx/callbacks.hpp"
#include "far/fabric/ucx/link.hpp"

namespace far::fabric::ucx {
namespace {

/// Cuts a T off the front of `rest`; returns false if `rest` is too short.
template <class T>
bool cut(payload& rest, T& value) {
  if (rest.size() < sizeof(T)) return false;
  std::memcpy(&value, rest.data(), sizeof(T));
  rest = rest.subspan(sizeof(T));
  return true;
}

template <class T>
bool cut(payload& rest, std::vector<T>& values, std::size_t count) {
  if (rest.size() < count * sizeof(T)) return false;
  values.resize(count);
  if (count > 0) std::memcpy(values.data(), rest.data(), count * sizeof(T));
  rest = rest.subspan(count * sizeof(T));
  return true;
}

}  // namespace

ucs_status_t callbacks::arrived(void* data, const void*, std::size_t, void* bytes,
                                std::size_t count, const ucp_am_recv_param_t*) {
  static_cast<link*>(data)->receive({static_cast<const std::byte*>(bytes), count});
  return UCS_OK;
}

/// Accepts the packets of one UCX active message. Refuses an inconsistent packet and all that
/// follow it, because the start of the next one is unknown.
void link::receive(payload bytes) {
  payload rest = bytes;
  do {
    packet_header header;
    header.source = -1;
    if (bytes.size() > max_packet || !receive_one(rest, header)) {
      return refuse(header, bytes.size());
    }
    peers_[static_cast<std::size_t>(header.source)].last_heard = home_->now();
    arrivals_ = true;
  } while (!rest.empty());
}

/// Accepts the packet at the front of `rest`; returns false if it is not a valid one of this job.
bool link::receive_one(payload& rest, packet_header& header) {
  if (!cut(rest, header) || header.key != key_ || header.source < 0 ||
      header.source >= home_->size() || header.places > max_landings ||
      header.bytes > rest.size()) {
    return false;
  }
  const payload body = rest.first(header.bytes);
  rest = rest.subspan(header.bytes);
  return accept(header, body);
}

/// Limits the reports of refused packets to the first ones.
bool link::may_report() noexcept {
  constexpr int lines = 10;
  return ++refused_ <= lines;
}

void link::refuse_reply() noexcept {
  const guard locked(lock_);
  if (!may_report()) return;
  std::fprintf(stderr, "far: rank %d: refused a reply to a request that is not open\n",
               home_->rank());
}

void link::refuse(const packet_header& header, std::size_t bytes) noexcept {
  if (!may_report()) return;
  std::fprintf(
      stderr, "far: rank %d: refused a packet of %zu bytes that claims to be from rank %d: %s\n",
      home_->rank(), bytes, header.source,
      header.key == key_ ? "its contents are inconsistent" : "it lacks the key of this job");
}

bool link::accept(const packet_header& header, payload body) {
  switch (header.kind) {
    case packet_kind::message:
      return accept_message(header, body);
    case packet_kind::reply:
      return accept_reply(header, body);
    case packet_kind::credit: {
      if (header.detail > 1 || header.value > credits) return false;
      std::uint32_t& credit = peers_[static_cast<std::size_t>(header.source)].credit[header.detail];
      if (credit + header.value > credits) return false;
      credit += static_cast<std::uint32_t>(header.value);
      if (credit_wanted_.exchange(false, std::memory_order_seq_cst)) shm::wake_rank(own_block());
      return true;
    }
    case packet_kind::put:
      return accept_put(header, body);
    case packet_kind::get:
      return accept_get(header, body);
    case packet_kind::amo:
    case packet_kind::loose_amo:
      return accept_amo(header, body);
    case packet_kind::request_extents: {
      std::array<std::uint64_t, address::max_segments> own{};
      for (int s = 0; s < address::max_segments; ++s) {
        own[static_cast<std::size_t>(s)] = home_->extent(home_->rank(), s);
      }
      answer(header, packet_kind::extents, 0, std::as_bytes(std::span(own)));
      return true;
    }
    case packet_kind::done:
    case packet_kind::got:
      return answered(header, body);
    case packet_kind::extents: {
      std::vector<std::uint64_t> theirs;
      if (!cut(body, theirs, address::max_segments)) return false;
      for (std::size_t s = 0; s < theirs.size(); ++s) {
        if (theirs[s] > home_->layout().bytes[s]) return false;
        extents_[static_cast<std::size_t>(header.source) * address::max_segments + s].store(
            theirs[s], std::memory_order_relaxed);
      }
      return answered(header, body);
    }
    case packet_kind::arrived:
    case packet_kind::count:
    case packet_kind::counted:
    case packet_kind::go_on:
      return note_rendezvous(header, body);
    case packet_kind::ping:
      answer(header, packet_kind::pong, 0, {});
      return true;
    case packet_kind::pong:
      strike(header.source);
      return true;
    case packet_kind::failed:
      return note_failure(header, body);
  }
  return false;
}

bool link::accept_message(const packet_header& header, payload body) {
  shm::record_header record;
  payload rest = body;
  if (!cut(rest, record)) return false;
  const int lane = header.detail / 2;
  const std::size_t landing_bytes = record.landings * sizeof(landing);
  if (lane >= home_->lanes() || record.source != header.source ||
      record.context >= shm::all_contexts || record.landings > max_landings ||
      record.reply_bytes > shm::max_payload || record.bytes > shm::max_payload ||
      rest.size() != landing_bytes + record.bytes || handler_at(record.handler) == nullptr) {
    return false;
  }
  if (!waiting_.empty() || !push(header, body)) {
    waiting_.push_back({header, {body.begin(), body.end()}});
  }
  return true;
}

/// Pushes an accepted message into the rank's own ring; returns false if there is no space.
bool link::push(const packet_header& header, payload body) {
  shm::record_header record;
  cut(body, record);
  const int lane = header.detail / 2;
  const auto at = static_cast<std::size_t>(lane);
  const bool forward = header.detail % 2 == static_cast<int>(message_class::forward);
  shm::message_ring ring(
      forward ? own_block().forwards[at] : own_block().requests[at],
      forward ? shm::forward_ring(own_block(), lane) : shm::request_ring(own_block(), lane),
      shm::request_cells);
  if (!ring.push(record, body, {})) return false;
  shm::wake_one(own_block());
  return true;
}

bool link::push_waiting() {
  bool any = false;
  while (!waiting_.empty() && push(waiting_.front().packet, waiting_.front().body)) {
    waiting_.pop_front();
    any = true;
  }
  return any;
}

bool link::accept_reply(const packet_header& header, payload body) {
  shm::record_header record;
  std::vector<place> places;
  if (!cut(body, record) || !cut(body, places, header.places) ||
      record.context >= shm::all_contexts || record.bytes > shm::max_payload ||
      body.size() < record.bytes || record.landings != 0) {
    return false;
  }
  if (!scatter(places, body.subspan(record.bytes))) return false;
  shm::message_ring ring(own_block().contexts[record.context].replies,
                         shm::reply_ring(own_block(), record.context), shm::reply_cells);
  if (!ring.push(record, body.first(record.bytes), {})) return false;
  if (record.context < max_contexts) {
    shm::wake_context(own_block(), record.context);
  } else {
    shm::wake_one(own_block());
  }
  return true;
}

/// Copies data to places in this rank's segments. Returns false unless all places are valid and
/// their sizes add up to that of the data.
bool link::scatter(std::span<const place> places, payload data) {
  std::uint64_t bytes = 0;
  for (const place& p : places) {
    if (!inside(address::from_bits(p.to), p.bytes)) return false;
    bytes += p.bytes;  // each is bounded by its segment
  }
  if (bytes != data.size()) return false;
  for (const place& p : places) {
    copy_bytes(home_->local(address::from_bits(p.to)), data.data(), p.bytes);
    data = data.subspan(p.bytes);
  }
  return true;
}

/// Whether these bytes lie in this rank's segments. Does not check that they are allocated: the
/// sender has checked that, and may know of an allocation that this rank has yet to make.
bool link::inside(address a, std::uint64_t bytes) const noexcept {
  if (a.rank() != home_->rank() || a.offset() == 0) return false;
  const std::uint64_t capacity = home_->layout().bytes[static_cast<std::size_t>(a.segment())];
  return bytes <= capacity && a.offset() <= capacity - bytes;
}

bool link::accept_put(const packet_header& header, payload body) {
  std::vector<place> places;
  const address word = address::from_bits(header.word);
  const bool signals = header.word != 0;
  if (!cut(body, places, header.places) || header.detail > 1 ||
      (signals &&
       (!inside(word, sizeof(std::uint64_t)) || word.offset() % sizeof(std::uint64_t) != 0)) ||
      !scatter(places, body)) {
    return false;
  }
  if (signals) {
    shm::raise(home_->local(word), {word, header.value, static_cast<signal::kind>(header.detail)});
    shm::wake_waiters(own_block());
  } else {
    shm::wake_plain(home_->job().header(), own_block());
  }
  answer(header, packet_kind::done, 0, {});
  return true;
}

bool link::accept_get(const packet_header& header, payload body) {
  const address from = address::from_bits(header.word);
  if (!body.empty() || header.value > max_small || !inside(from, header.value)) return false;
  packet_buffer packet = make_packet(packet_kind::got, header.value);
  header_of(*packet).operation = header.operation;
  copy_bytes(packet->bytes.get() + packet->used, home_->local(from), header.value);
  packet->used += header.value;
  send(header.source, std::move(packet));
  return true;
}

bool link::accept_amo(const packet_header& header, payload body) {
  amo_detail detail;
  const address word = address::from_bits(header.word);
  if (!cut(body, detail) || !body.empty() || (detail.bytes != 4 && detail.bytes != 8) ||
      detail.op > static_cast<std::uint8_t>(amo_op::compare_swap) || !inside(word, detail.bytes) ||
      word.offset() % detail.bytes != 0) {
    return false;
  }
  amo_request request;
  request.word = word;
  request.op = static_cast<amo_op>(detail.op);
  request.bytes = detail.bytes;
  request.is_signed = detail.is_signed != 0;
  request.operand = detail.operand;
  request.compare = detail.compare;
  const std::uint64_t old = shm::perform(home_->local(word), request);
  if (detail.wake != 0) {
    shm::wake_waiters(own_block());
  } else {
    shm::wake_plain(home_->job().header(), own_block());
  }
  if (header.kind == packet_kind::amo) answer(header, packet_kind::done, old, {});
  return true;
}

void link::answer(const packet_header& asked, packet_kind kind, std::uint64_t value, payload body) {
  packet_buffer packet = make_packet(kind, body.size());
  header_of(*packet).operation = asked.operation;
  header_of(*packet).value = value;
  packet->add(body);
  send(asked.source, std::move(packet));
}

}  // namespace far::fabric::ucx
