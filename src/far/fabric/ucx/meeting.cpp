// quiesce and leave: all ranks meet, rank 0 leads. For quiesce it counts, in waves, what was sent
// and what was handled: if all that was handled by one wave adds up to all that was sent by the
// next, nothing was under way in between (F. Mattern, Algorithms for distributed termination
// detection, 1987), and as every rank is in the meeting, nothing new begins.
// Cost: two packets a rank and wave at rank 0.

#include <algorithm>
#include <cstring>

#include "far/base/error.hpp"
#include "far/fabric/shm/bell.hpp"
#include "far/fabric/ucx/link.hpp"

namespace far::fabric::ucx {
namespace {

constexpr std::uint64_t first_pause_ns = 20'000;
constexpr std::uint64_t longest_pause_ns = 2'000'000;

}  // namespace

/// Messages handled and sent by this rank's contexts. Handled first: what was handled before it
/// was read, was sent before too.
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

void link::quiesce(context& caller) { meet(caller, true); }

/// Nobody may close while another still lets UCX work: 1.13's TCP takes a peer that closes for one
/// to connect to again, and fails an assertion. So all flush, meet, stop, and meet once more by
/// other means. Nor may anybody flush after the meeting: the flush of an endpoint waits for all of
/// its lanes to be connected, used or not, and of those who have met some have stopped.
void link::leave() {
  const bool leads = home_->rank() == 0;
  try {
    {
      const auto caller = home_->open_quietly();
      caller->flush();
      hand_over(*caller);
      meet(*caller, false);
      if (leads) hand_over(*caller);
      const guard locked(lock_);
      flushed_ = true;
    }
    stop_pump();
    {
      const guard locked(lock_);
      if (leads) say_farewell();
      closed_ = true;
    }
    board_->meet();
  } catch (const rank_failed&) {
    // Nobody comes to meetings of a job that has failed.
  }
}

/// Waits until UCX has sent this rank's packets. Who has not got the leader's last ones still
/// works.
void link::hand_over(context& caller) {
  backoff patience;
  for (;;) {
    {
      const guard locked(lock_);
      send_held();
      if (packets_.in_use() == 0) return;
    }
    caller.pause(patience);
  }
}

void link::meet(context& caller, bool count) {
  const std::uint64_t number = meeting_.own.load() + 1;
  const bool leads = home_->rank() == 0;
  {
    const guard locked(lock_);
    meeting_.own.store(number, std::memory_order_seq_cst);
    if (leads) {
      ++meeting_.arrivals;
    } else {
      packet_buffer packet = make_packet(packet_kind::arrived, 0);
      header_of(*packet).value = number;
      send(0, std::move(packet));
    }
  }
  const auto over = [&] { return meeting_.over.load(std::memory_order_seq_cst) >= number; };
  const wait_reason reason{count ? "quiesce" : "all ranks to leave", -1, {}};
  if (!leads) {
    caller.wait(over, never, reason);
    return;
  }
  for (;;) {
    std::uint64_t again = never;
    {
      const guard locked(lock_);
      again = step_meeting(number, count);
    }
    if (over()) return;
    caller.wait([&] { return over() || meeting_.news.exchange(false); }, again, reason);
  }
}

/// The leader looks at what has come. Returns when it is to look again, if nothing comes.
std::uint64_t link::step_meeting(std::uint64_t number, bool count) {
  meeting_state& m = meeting_;
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
  m.handled_before = never;  // nothing to compare with
  m.next_wave_at = 0;
  m.pause = 0;
  tell_all(packet_kind::go_on, number, 0);
  m.over.store(number, std::memory_order_seq_cst);
  return never;
}

void link::start_wave(std::uint64_t number) {
  meeting_.counting = true;
  ++meeting_.wave;
  meeting_.counted = 1;
  meeting_.sum = totals();
  tell_all(packet_kind::count, number, meeting_.wave);
}

void link::tell_all(packet_kind kind, std::uint64_t value, std::uint64_t operation) {
  for (int rank = 0; rank < home_->size(); ++rank) {
    if (rank == home_->rank()) continue;
    packet_buffer packet = make_packet(kind, 0);
    header_of(*packet).value = value;
    header_of(*packet).operation = operation;
    send(rank, std::move(packet));
  }
}

/// A packet of a meeting, from the wire.
bool link::note_meeting(const packet_header& packet, payload body) {
  meeting_state& m = meeting_;
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
