// Progress: by the contexts while they wait, else by the pump.

#include <poll.h>
#include <sys/eventfd.h>

#include <array>
#include <chrono>

#include "far/fabric/shm/bell.hpp"
#include "far/fabric/ucx/callbacks.hpp"
#include "far/fabric/ucx/link.hpp"

namespace far::fabric::ucx {
namespace {

constexpr std::chrono::milliseconds look_again{1};
constexpr std::uint64_t spin_ns = 100'000;
constexpr int most_left_alone = 100;  // looks in a row: the pump watches other ranks too
constexpr int patience = 100;         // rounds; each takes a microsecond or less

}  // namespace

/// Lets UCX work until it has nothing to do, within reason. What waits to go out goes first; what
/// callbacks send, which are answers most often, goes after the round in which they ran. Under the
/// lock. Does nothing once the job has failed. `context`: whose turn it is, or nobody's. Its own
/// ends with what has come, for it may have waited for that, be it the end of an operation, a
/// message or a word; and to look whether there is more takes a call of the system.
bool link::turn(int context) {
  constexpr int rounds = 16;
  const auto goes_on = [&] {
    return !is_over() && (context == nobody || !(arrivals_ || has_ended(context)));
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
    any = turn(context);  // others' transfers too: where there is one, there will be more
    if (any) rouse_pump();
    any |= std::exchange(arrivals_, false);
  }
  return tell(context) || any;
}

void link::attend(int change, bool sleeps) noexcept {
  if (sleeps) asleep_.fetch_sub(change, std::memory_order_relaxed);
  const int now = attending_.fetch_add(change, std::memory_order_seq_cst) + change;
  if (change > 0 || now > 0 || !sleeps) return;
  { const std::scoped_lock parked(park_lock_); }  // it is asleep by now, or sees the zero
  park_.notify_one();
}

/// Makes the next event show at the descriptor; false if there is something to do at once. UCX arms
/// a verbs device's queue, but does not look into it again: what has come since the last turn would
/// never show (Soft-RoCE; adapters may tell of it all the same). Hence one more turn.
bool link::arm() { return waiting_.empty() && ucp_worker_arm(worker_) == UCS_OK && !turn(); }

/// For who has called UCX, under the lock, and it has not done all of it: a connection that is to
/// be made, or a full queue between two processes of a machine, shows at no descriptor.
void link::rouse_pump() noexcept {
  if (std::exchange(armed_, false)) eventfd_write(wake_event_, 1);
}

/// Whether the pump may use the core of a context that is asleep.
bool link::has_core() const noexcept {
  return asleep_.load(std::memory_order_relaxed) > 0 && home_->patience_now().spins > 0;
}

/// Waits while contexts poll, for a while. False if they have had turns meanwhile: who then asks
/// for the lock, which they have most of the time, costs them a call of the system with each turn
/// until it has got it. Of a context that is busy in a handler it takes over within two looks.
bool link::is_pump_needed() {
  const auto none_polls = [this] {
    return attending_.load(std::memory_order_seq_cst) == 0 ||
           stops_.load(std::memory_order_seq_cst);
  };
  if (none_polls()) return true;
  {
    std::unique_lock parked(park_lock_);
    if (park_.wait_for(parked, look_again, none_polls)) return true;
  }
  const std::uint64_t turns = turns_.load(std::memory_order_relaxed);
  const bool had_turns = std::exchange(seen_turns_, turns) != turns;
  left_alone_ = had_turns ? left_alone_ + 1 : 0;
  if (left_alone_ < most_left_alone) return !had_turns;
  left_alone_ = 0;
  return true;
}

void link::pump() {
  std::uint64_t busy_at = 0;
  int idle_rounds = 0;  // that found nothing to do, though UCX says that there is
  while (!stops_.load(std::memory_order_seq_cst)) {
    if (!is_pump_needed()) continue;
    bool armed = false;
    bool starved = false;  // what is there to do waits for a rank that does not look after it
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
      // One packet is often followed by another, and to be woken for it costs more than to wait.
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
