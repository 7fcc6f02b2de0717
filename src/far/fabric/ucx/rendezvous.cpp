// quiesce and leave: a rendezvous of all ranks, led by rank 0. For quiesce, rank 0 counts sent and
// handled messages in waves. If the number handled in one wave equals the number sent in the next,
// nothing was in flight in between (F. Mattern, Algorithms for distributed termination detection,
// 1987). As every rank is in the rendezvous, nothing new begins.
// Cost: two packets a rank and wave at rank 0.

#include <algorithm>
#include <cstring>

#include "far/base/error.hpp"
#include "far/fabric/shm/doorbell.hpp"
#include "far/fabric/ucx/link.hpp"

namespace far::fabric::ucx {
namespace {

constexpr std::uint64_t first_pause_ns = 20'000;
constexpr std::uint64_t longest_pause_ns = 2'000'000;

}  // namespace

/// Messages handled and sent by this rank's contexts. It reads `handled` first: messages handled
/// before that read were also sent before it.
std::array<std::uint64_t, 2> link::totals() const noexcept {
  std::array<std::uint64_t, 2> sum{};
  for (const shm::context_block& block : own_block().contexts) {
    sum[0] += block.handled.load(std::memory_order_acquire);
  }
  for (const shm::context_block& block : own_block().contexts) {
    sum[1] += block.sent.load(std::memory_order_acquire);
  }
  return sum;
}

void link::quiesce(context& caller) { rendezvous(caller, true); }

/// No rank may close while another still makes UCX progress: the TCP of UCX 1.13 tries to connect
/// again to a peer that closes, and fails an assertion. So all ranks flush, meet, stop, and meet
/// once more by the board. No rank may flush after the first rendezvous, either: the flush of an
/// endpoint waits until all its UCX lanes are connected, used or not, and some peers have stopped.
void link::leave() {
  const bool leads = home_->rank() == 0;
  try {
    {
      const auto caller = home_->open_quietly();
      caller->flush();
      hand_over(*caller);
      rendezvous(*caller, false);
      if (leads) hand_over(*caller);
      const guard locked(lock_);
      flushed_ = true;
    }
    stop_pump();
    {
      const guard locked(lock_);
      if (leads) announce_close();
      closed_ = true;
    }
    board_->rendezvous();
  } catch (const rank_failed&) {
    // There is no rendezvous after the job has failed.
  }
}

/// Waits until UCX has sent this rank's packets. Ranks that still miss the leader's last packets
/// still make progress.
void link::hand_over(context& caller) {
  struct turn wait;  // the other ranks wait for this one
  for (;;) {
    {
      const guard locked(lock_);
      send_held();
      if (packets_.in_use() == 0) return;
    }
    caller.await_turn(wait);
  }
}

void link::rendezvous(context& caller, bool count) {
  const std::uint64_t number = rendezvous_.own.load() + 1;
  const bool leads = home_->rank() == 0;
  {
    const guard locked(lock_);
    rendezvous_.own.store(number, std::memory_order_seq_cst);
    if (leads) {
      ++rendezvous_.arrivals;
    } else {
      packet_buffer packet = make_packet(packet_kind::arrived, 0);
      header_of(*packet).value = number;
      send(0, std::move(packet));
    }
  }
  const auto over = [&] { return rendezvous_.over.load(std::memory_order_seq_cst) >= number; };
  const wait_reason reason{count ? "quiesce" : "all ranks to leave", -1, {}};
  if (!leads) {
    caller.wait(over, never, reason);
    return;
  }
  for (;;) {
    std::uint64_t again = never;
    {
      const guard locked(lock_);
      again = step_rendezvous(number, count);
    }
    if (over()) return;
    caller.wait([&] { return over() || rendezvous_.news.exchange(false); }, again, reason);
  }
}

/// One step of the leader. Returns the time of the next step if nothing arrives before.
std::uint64_t link::step_rendezvous(std::uint64_t number, bool count) {
  rendezvous_state& m = rendezvous_;
  if (m.arrivals < number * static_cast<std::uint64_t>(home_->size())) return never;
  while (count) {
    if (m.counting && m.counted < home_->size()) return never;
    if (m.counting) {
      m.counting = false;
      if (m.handled_before == m.sum[1]) break;
      m.handled_before = m.sum[0];
      m.next_wave_at = home_->now() + m.pause;
      m.pause = std::clamp(2 * m.pause, first_pause_ns, longest_pause_ns);
    }
    if (home_->now() < m.next_wave_at) return m.next_wave_at;
    start_wave(number);
  }
  m.handled_before = never;  // no wave before
  m.next_wave_at = 0;
  m.pause = 0;
  send_to_all(packet_kind::go_on, number, 0);
  m.over.store(number, std::memory_order_seq_cst);
  return never;
}

void link::start_wave(std::uint64_t number) {
  rendezvous_.counting = true;
  ++rendezvous_.wave;
  rendezvous_.counted = 1;
  rendezvous_.sum = totals();
  send_to_all(packet_kind::count, number, rendezvous_.wave);
}

void link::send_to_all(packet_kind kind, std::uint64_t value, std::uint64_t operation) {
  for (int rank = 0; rank < home_->size(); ++rank) {
    if (rank == home_->rank()) continue;
    packet_buffer packet = make_packet(kind, 0);
    header_of(*packet).value = value;
    header_of(*packet).operation = operation;
    send(rank, std::move(packet));
  }
}

/// Accepts a packet of a rendezvous from the wire.
bool link::note_rendezvous(const packet_header& packet, payload body) {
  rendezvous_state& m = rendezvous_;
  const bool leads = home_->rank() == 0;
  switch (packet.kind) {
    case packet_kind::arrived:
      if (!leads) return false;
      ++m.arrivals;
      break;
    case packet_kind::counted: {
      std::array<std::uint64_t, 2> theirs{};
      if (!leads || !m.counting || packet.operation != m.wave || body.size() != sizeof(theirs)) {
        return false;
      }
      std::memcpy(theirs.data(), body.data(), sizeof(theirs));
      m.sum[0] += theirs[0];
      m.sum[1] += theirs[1];
      ++m.counted;
      break;
    }
    case packet_kind::count: {
      const std::array<std::uint64_t, 2> own = totals();
      answer(packet, packet_kind::counted, packet.value, std::as_bytes(std::span(own)));
      return packet.source == 0;
    }
    case packet_kind::go_on:
      if (packet.source != 0 || packet.value > m.own.load()) return false;
      m.over.store(packet.value, std::memory_order_seq_cst);
      break;
    default:
      return false;
  }
  m.news.store(true, std::memory_order_seq_cst);
  shm::wake_rank(own_block());
  return true;
}

}  // namespace far::fabric::ucx
