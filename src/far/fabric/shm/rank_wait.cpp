// Progress and waiting: spin briefly, yield, then sleep (patience.hpp).

#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "far/base/error.hpp"
#include "far/base/random.hpp"
#include "far/base/relax.hpp"
#include "far/fabric/copy.hpp"
#include "far/fabric/fork.hpp"
#include "far/fabric/rest.hpp"
#include "far/fabric/shm/doorbell.hpp"
#include "far/fabric/shm/lane.hpp"
#include "far/fabric/shm/rank_context.hpp"

namespace far::fabric::shm {
namespace {

/// A pause takes as long as several laps of wait's loop, in which it would see nothing.
constexpr int laps_per_pause = 8;
/// After a message the service thread looks for the next one for two or three microseconds: that is
/// less than it takes to fall asleep and to be woken, and who gets a reply often asks again at
/// once.
constexpr int service_laps = 200;
/// A look at the clock takes as long as a few laps.
constexpr int laps_per_look = 64;

/// How often the calling thread has been switched out while it could run, over its life.
long times_switched_out() noexcept {
  rusage used{};
  getrusage(RUSAGE_THREAD, &used);
  return used.ru_nivcsw;
}

}  // namespace

/// One wait's way from spinning to sleep.
class rank_context::course {
 public:
  enum class step { poll, yield, sleep };

  course(rank_context& self, bool plain_memory) noexcept
      : self_(&self),
        plain_memory_(plain_memory),
        record_(&self.record_),
        allowance_ns_(self.is_service_ || !self.home().has_cores() ? 0
                                                                   : record_->spin_allowance_ns()),
        spins_(allowance_ns_ > 0) {}
  course(const course&) = delete;
  course& operator=(const course&) = delete;
  ~course() { judge(); }

  /// After a lap with news: the next often follow.
  void restart() noexcept {
    judge();
    spins_ = self_->is_service_ ? self_->home().has_cores() : allowance_ns_ > 0;
    laps_ = 0;
    yields_ = 0;
  }

  /// After a lap without news: what to do before the next.
  [[nodiscard]] step next() noexcept {
    if (spins_) {
      if (++laps_ % laps_per_pause == 0) base::relax();
      if (!spin_is_over()) return step::poll;
      spins_ = false;
      if (self_->is_service_) return step::sleep;
      failed_ = true;
      switches_ = times_switched_out();
    }
    return self_->is_service_ || !may_yield() ? step::sleep : step::yield;
  }

  void yield() noexcept {
    ++yields_;
    yielding_ = true;
    sched_yield();
  }

  [[nodiscard]] bool is_plain() const noexcept { return plain_memory_; }
  /// When the next sleep of a wait for plain memory ends, if nobody ends it: it takes a share of
  /// the time that the wait has yielded and slept so far.
  [[nodiscard]] deadline_ns sleep_end(deadline_ns deadline) noexcept {
    const std::uint64_t now_ns = self_->home().now();
    return std::min(deadline, now_ns + nap_ns(now_ns - plain_since_ns_));
  }

  void begin_sleep() noexcept {
    if (yields_ > 0 && failed_) judge();
    slept_ns_ = failed_ ? self_->home().now() : 0;
  }
  void end_sleep(bool news) noexcept {
    if (!std::exchange(failed_, false)) return;  // it did not spin, or the yields have told
    if (news && self_->home().now() - slept_ns_ < prompt_ns) record_->spin_failed();
  }

 private:
  [[nodiscard]] bool spin_is_over() noexcept {
    if (self_->is_service_) return laps_ >= service_laps;
    if (laps_ % laps_per_look != 0) return false;
    const std::uint64_t now_ns = self_->home().now();
    if (laps_ == laps_per_look) end_ns_ = now_ns + allowance_ns_;
    return now_ns >= end_ns_;
  }

  [[nodiscard]] bool may_yield() noexcept {
    const std::uint64_t now_ns = self_->home().now();
    end_yield(now_ns);
    yielded_ns_ = now_ns;
    if (plain_since_ns_ == 0) plain_since_ns_ = now_ns;
    const bool early = plain_memory_ ? now_ns - plain_since_ns_ < spin_ns : yields_ < max_yields;
    return early && record_->may_yield(now_ns);
  }

  /// Returns true if the last yield took long. That tells nothing about the spin before.
  bool end_yield(std::uint64_t now_ns) noexcept {
    if (!std::exchange(yielding_, false)) return false;
    const std::uint64_t took_ns = now_ns - yielded_ns_;
    if (took_ns < long_yield_ns) return false;
    if (self_->home().has_cores() || !another_rank_computed()) record_->long_yield(took_ns, now_ns);
    failed_ = false;
    return true;
  }

  /// In the last yield, a long one. Threads beside the rank's first one do not count.
  [[nodiscard]] bool another_rank_computed() const noexcept {
    const rank_fabric& home = self_->home();
    for (int rank = 0; rank < home.size(); ++rank) {
      if (rank == home.rank() || !home.near(rank)) continue;
      const rank_block& other = home.near_block(rank);
      const context_block& first = other.contexts.front();
      if (other.stage.load(std::memory_order_relaxed) != rank_stage::finished &&
          computed_in_yield(first.waiting.load(std::memory_order_acquire) != 0,
                            first.wait_since_ns.load(std::memory_order_relaxed), yielded_ns_)) {
        return true;
      }
    }
    return false;
  }

  /// Records what the spin has brought: it has seen news, or the yields after it tell more.
  void judge() noexcept {
    if (yielding_ && end_yield(self_->home().now())) return;
    if (std::exchange(failed_, false)) {
      if (times_switched_out() == switches_) {
        record_->spin_paid();
      } else {
        record_->spin_failed();
      }
    } else if (spins_ && laps_ > 0) {
      record_->spin_paid();
    }
  }

  rank_context* self_;
  bool plain_memory_;
  wait_record* record_;
  std::uint64_t allowance_ns_;
  bool spins_;
  bool failed_ = false;    // a spin has, and it is not judged yet
  bool yielding_ = false;  // and it has not been looked how long that took
  int laps_ = 0;
  int yields_ = 0;
  std::uint64_t end_ns_ = 0;
  std::uint64_t yielded_ns_ = 0;
  std::uint64_t slept_ns_ = 0;
  std::uint64_t plain_since_ns_ = 0;  // when it began to yield or sleep; 0: not yet
  long switches_ = 0;
};

rank_context::rank_context(rank_fabric& home, int index, bool is_service)
    : context(home, index),
      home_(&home),
      block_(&home.block(home.rank()).contexts[static_cast<std::size_t>(index)]),
      is_service_(is_service),
      replies_(block_->replies, reply_ring(home.block(home.rank()), index), reply_cells) {}

rank_context::~rank_context() {
  if (index() >= max_contexts) return;
  const bool replied = end_requests();
  end_remote_operations();
  home_->close_context(*this, replied);
}

void rank_context::end_remote_operations() noexcept {
  uplink* const far = home_->uplink();
  if (far == nullptr) return;
  if (!is_unwinding() && !home_->job_failed()) {
    try {
      completion flushed;  // waits also for puts without a completion
      far->flush(index(), all_ranks, &flushed);
      wait(flushed, {"operations at close", -1, {}});
    } catch (const error&) {
      // Then abandon drops them.
    }
  }
  far->abandon(index());
}

bool rank_context::end_requests() noexcept {
  if (all_replied()) return true;
  // If the job has failed, exceptions have left functions whose requests lay on the stack; a reply
  // must not be taken for these, even if the exceptions have been caught since.
  if (!is_unwinding() && !home_->job_failed()) {
    try {
      wait([this] { return all_replied(); }, never, {"replies at close", -1, {}});
      return true;
    } catch (const rank_failed&) {
      return false;
    }
  }
  // No caller waits for these replies any more, so quiesce must not wait for them.
  for (auto open = slots_.size() - free_slots_.size(); open > 0; --open) count_handled();
  return false;
}

bool rank_context::progress() {
  check_no_fork();
  const bool ended = end_own();
  const bool ran_lane = run_lanes();
  if (ran_lane) pass_on();
  return ran_lane || ended;
}

bool rank_context::run_lanes() {
  bool ran_lane = false;
  if (home().lanes_open()) {
    const std::uint64_t begin = times_service() ? home().now() : 0;
    for (const auto& lane : home().lane_list()) ran_lane |= lane->poll();
    if (ran_lane && times_service()) add_service(home().now() - begin);
  }
  // Quiesce may depend on what just ended, and another context of this rank may wait in it.
  if (ran_lane && home().in_quiesce()) wake_rank(home().block(home().rank()));
  return ran_lane;
}

void rank_context::pass_on() noexcept {
  // A context that found the lane busy may have gone to sleep, so what has arrived must be looked
  // for after the lane was left.
  full_fence();
  for (const auto& lane : home().lane_list()) {
    if (lane->has_work()) return wake_one(home().block(home().rank()));
  }
}

bool rank_context::wait(base::function_ref<bool()> ready, deadline_ns deadline,
                        const wait_reason& reason) {
  const struct hearing {
    const rank_fabric& home;
    ~hearing() { home.after_hearing(); }
  } hears{home()};
  if (ready()) return true;
  check_no_fork();
  struct announcement {
    context_block* block = nullptr;
    ~announcement() {
      if (block != nullptr) block->waiting.store(0, std::memory_order_relaxed);
    }
  } announced;
  const struct attendance {
    uplink* far;
    explicit attendance(uplink* link) noexcept : far(link) {
      if (far != nullptr) far->attend(1, false);
    }
    ~attendance() {
      if (far != nullptr) far->attend(-1, false);
    }
  } attends(home().uplink());
  // News for a lane wakes one context. If that was this one, or if another one found the lane busy
  // here, and this one leaves because what it waited for has come too, the news is another's.
  struct succession {
    rank_context& self;
    bool due = false;
    ~succession() {
      if (due && self.home().lanes_open()) self.pass_on();
    }
  } leaves{*this};
  course way(*this, reason.plain_memory);
  for (;;) {
    bool did = end_own();
    if (did && ready()) return true;  // the most frequent case
    if (run_lanes()) did = leaves.due = true;
    if (ready()) return true;
    if (home().job_failed()) home().check_job();
    if (did) {
      way.restart();
      if (deadline != never && home().now() >= deadline) return false;
      continue;
    }
    const course::step next = way.next();
    if (next == course::step::poll) continue;
    if (announced.block == nullptr) {
      report_reason(reason);
      announced.block = block_;
    }
    if (deadline != never && home().now() >= deadline) return false;
    if (next == course::step::yield) {
      way.yield();
      continue;
    }
    leaves.due = true;
    way.begin_sleep();
    const wake_up why =
        way.is_plain() ? nap(ready, way.sleep_end(deadline)) : sleep(ready, deadline);
    way.end_sleep(why == wake_up::news);
    if (why == wake_up::ready) return true;
    if (why == wake_up::news && !is_service_) way.restart();  // without a message it sleeps again
  }
}

rank_context::wake_up rank_context::nap(base::function_ref<bool()> ready, deadline_ns deadline) {
  // Before the last check in sleep, so that who changes memory after it knows.
  const struct plain_sleeper {
    std::atomic<std::uint32_t>& count;
    explicit plain_sleeper(std::atomic<std::uint32_t>& all) noexcept : count(all) {
      count.fetch_add(1, std::memory_order_seq_cst);
    }
    ~plain_sleeper() { count.fetch_sub(1, std::memory_order_relaxed); }
  } counted(home().job().header().plain_sleepers);
  return sleep(ready, deadline);
}

rank_context::wake_up rank_context::sleep(base::function_ref<bool()> ready, deadline_ns deadline) {
  const std::uint32_t seen = block_->doorbell.load(std::memory_order_seq_cst);
  // Cleared on every exit, also by exceptions of `ready`: a stale bit would attract wake-ups that a
  // real sleeper needs.
  const struct sleeping_bit {
    std::atomic<std::uint64_t>& mask;
    std::uint64_t bit;
    sleeping_bit(std::atomic<std::uint64_t>& all, int index) noexcept
        : mask(all), bit(std::uint64_t{1} << index) {
      mask.fetch_or(bit, std::memory_order_seq_cst);
    }
    ~sleeping_bit() { mask.fetch_and(~bit, std::memory_order_seq_cst); }
  } announced(home().block(home().rank()).sleeping, index());
  // The last check, with the bit set. What it runs may ring this doorbell; that only costs a lap.
  const bool news = progress();
  if (ready()) return wake_up::ready;
  if (news || home().job_failed()) return wake_up::news;
  std::uint64_t timeout_ns = 0;
  if (deadline != never) {
    const std::uint64_t now_ns = home().now();
    timeout_ns = deadline > now_ns ? deadline - now_ns : 1;
  }
  uplink* const far = home().uplink();
  if (far != nullptr) far->attend(-1, true);
  sleep_on(block_->doorbell, seen, timeout_ns);
  if (far != nullptr) far->attend(1, true);
  const bool rang = block_->doorbell.load(std::memory_order_relaxed) != seen;
  return rang ? wake_up::news : wake_up::nothing;
}

void rank_context::pause(backoff& state) {
  if (home().job_failed()) home().check_job();
  progress();
  const auto self = static_cast<std::uint64_t>(home().rank() * max_contexts + index());
  take(next_rest(state, home().has_cores(), base::mix(self << 40 ^ ++rests_)));
}

void rank_context::await_turn(turn& state) {
  if (home().job_failed()) home().check_job();
  progress();
  take(next_rest(state, home().has_cores(), [this] { return home().now(); }));
}

void rank_context::take(const rest& next) {
  switch (next.what) {
    case rest::how::spin:
      for (std::uint64_t i = 0; i < next.amount; ++i) base::relax();
      return;
    case rest::how::yield:
      sched_yield();
      return;
    case rest::how::nap:
      sleep_on(block_->doorbell, block_->doorbell.load(std::memory_order_seq_cst), next.amount);
  }
}

void rank_context::compute(std::uint64_t duration_ns) {
  const std::uint64_t end = home().now() + duration_ns;
  while (home().now() < end) base::relax();
}

void rank_context::report_reason(const wait_reason& reason) noexcept {
  std::array<std::uint64_t, 4> words{};
  std::memcpy(words.data(), reason.what, std::min(std::strlen(reason.what), sizeof(words)));
  for (std::size_t i = 0; i < words.size(); ++i) {
    block_->wait_what[i].store(words[i], std::memory_order_relaxed);
  }
  block_->wait_rank.store(reason.rank, std::memory_order_relaxed);
  block_->wait_word.store(reason.word.bits(), std::memory_order_relaxed);
  block_->wait_since_ns.store(home().now(), std::memory_order_relaxed);
  block_->waiting.store(1, std::memory_order_release);
}

}  // namespace far::fabric::shm
