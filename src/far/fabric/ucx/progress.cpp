// Progress: contexts make it while they wait, otherwise the pump does.

#include <poll.h>
#include <sys/eventfd.h>

#include <array>
#include <chrono>

#include "far/fabric/shm/doorbell.hpp"
#include "far/fabric/ucx/callbacks.hpp"
#include "far/fabric/ucx/link.hpp"

namespace far::fabric::ucx {
namespace {

constexpr std::chrono::milliseconds recheck{1};
constexpr std::uint64_t spin_ns = 100'000;
constexpr int max_left_alone = 100;  // checks in a row; then the pump runs, to watch other ranks
constexpr int patience = 100;        // rounds; each takes a microsecond or less

}  // namespace

/// Makes UCX progress until it has nothing to do, within limits. Needs the lock. Sends held packets
/// first; packets that callbacks send, mostly answers, are sent after the round in which these ran.
/// No-op once the job has failed. `context`: the calling context, or no_rank. A context's turn ends
/// at the first arrival, because it may have waited for that (the end of an operation, a message or
/// a word), and to look for more takes a system call.
bool link::turn(int context) {
  constexpr int rounds = 16;
  const auto goes_on = [&] {
    return !is_over() && (context == no_rank || !(arrivals_ || has_ended(context)));
  };
  if (is_over()) return false;
  bool any = false;
  send_held();
  turns_.store(turns_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  turning_ = true;
  for (int round = 0; round < rounds && goes_on() && ucp_worker_progress(worker_) != 0; ++round) {
    any = true;
    send_held();
  }
  turning_ = false;
  send_held();
  if (!waiting_.empty()) any |= push_waiting();
  return any;
}

bool link::progress(int context) {
  bool any = false;
  if (guard locked(lock_, std::try_to_lock); locked.owns_lock()) {
    any = turn(context);   // also for the other contexts
    if (any) wake_pump();  // more work often follows
    any |= std::exchange(arrivals_, false);
  }
  return tell(context) || any;
}

void link::attend(int change, bool sleeps) noexcept {
  if (sleeps) asleep_.fetch_sub(change, std::memory_order_relaxed);
  const int now = attending_.fetch_add(change, std::memory_order_seq_cst) + change;
  if (change > 0 || now > 0 || !sleeps) return;
  { const std::scoped_lock parked(park_lock_); }  // now the pump is asleep or will see the zero
  park_.notify_one();
}

/// Arms the worker, so that the next event shows at the descriptor; returns false if there is work
/// to do at once. UCX arms a verbs device's queue but does not check it again, so an arrival since
/// the last turn would never show (seen on Soft-RoCE; adapters may report it anyway). Hence one
/// more turn.
bool link::arm() { return waiting_.empty() && ucp_worker_arm(worker_) == UCS_OK && !turn(); }

/// Call it under the lock when UCX has unfinished work: a connection to be made, or a full queue
/// between two processes of a machine, does not show at the descriptor.
void link::wake_pump() noexcept {
  if (std::exchange(armed_, false)) eventfd_write(wake_event_, 1);
}

/// Whether the pump may use the core of a context that is asleep.
bool link::has_core() const noexcept {
  return asleep_.load(std::memory_order_relaxed) > 0 && home_->has_cores();
}

/// Waits for a while as long as contexts poll. Returns false if they have had turns meanwhile. The
/// pump must not wait for the lock then: contexts hold it most of the time, and with a waiter each
/// of their turns costs a system call. If a context is busy in a handler, the pump takes over
/// within two checks.
bool link::is_pump_needed() {
  const auto none_polls = [this] {
    return attending_.load(std::memory_order_seq_cst) == 0 ||
           stops_.load(std::memory_order_seq_cst);
  };
  if (none_polls()) return true;
  {
    std::unique_lock parked(park_lock_);
    if (park_.wait_for(parked, recheck, none_polls)) return true;
  }
  const std::uint64_t turns = turns_.load(std::memory_order_relaxed);
  const bool had_turns = std::exchange(seen_turns_, turns) != turns;
  left_alone_ = had_turns ? left_alone_ + 1 : 0;
  if (left_alone_ < max_left_alone) return !had_turns;
  left_alone_ = 0;
  return true;
}

void link::pump() {
  std::uint64_t busy_at = 0;
  int idle_rounds = 0;  // rounds in a row without progress in which arming failed
  while (!stops_.load(std::memory_order_seq_cst)) {
    if (!is_pump_needed()) continue;
    bool armed = false;
    bool starved = false;  // the remaining work waits for a rank that makes no progress
    bool watching = false;
    bool over = false;
    {
      const guard locked(lock_);
      over = is_over();
      armed_ = false;
      const bool any = turn();
      seen_turns_ = turns_.load(std::memory_order_relaxed);
      watch_peers();
      watching = explain_broken() || peer_timeout_ns_ > 0;
      if (attending_.load(std::memory_order_seq_cst) > 0) continue;
      if (any) busy_at = home_->now();
      // Another packet often follows, and to be woken for it costs more than to poll.
      const bool lingers = has_core() && home_->now() - busy_at < spin_ns;
      armed_ = armed = !any && !over && !lingers && arm();
      idle_rounds = any || armed || lingers ? 0 : idle_rounds + 1;
      starved = !over && (waiting_.empty() ? idle_rounds > patience : idle_rounds > 0);
    }
    if (!armed && !starved && !over) continue;
    std::array<pollfd, 2> news{pollfd{events_, POLLIN, 0}, pollfd{wake_event_, POLLIN, 0}};
    const int limit = starved ? 1 : watching && !over ? 500 : -1;
    poll(armed ? news.data() : news.data() + 1, armed ? 2 : 1, limit);
    eventfd_t woken = 0;
    eventfd_read(wake_event_, &woken);
  }
}

}  // namespace far::fabric::ucx
