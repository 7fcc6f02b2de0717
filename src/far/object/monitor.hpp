#pragma once
// The monitor of a shared object.

#include <chrono>
#include <cstdint>
#include <limits>
#include <utility>

#include "far/object/thread_access.hpp"
#include "far/sync/lock_use.hpp"

namespace far {

/// One thread's use of an object's monitor; every object has one. Lockable, so std::unique_lock and
/// std::scoped_lock work on it. A thread may enter a monitor that it is in; it leaves it when it
/// has left as often.
///
/// Completion: entering and leaving publish what the thread has changed, wherever it is; entering
///   also refreshes: the thread then sees what others had published before they left the monitor.
/// Fairness: first come, first served.
/// Progress: a waiting thread sleeps. The home's service thread answers.
/// Threads: belongs to the thread of its view.
/// Cost: a message to the home and one back, which brings an object of up to 512 bytes along.
///   Leaving is a message; if what it publishes fits in one to the same home, that is sent at the
///   same time, and waited for. At the home itself, and where ranks share memory, a free monitor is
///   entered, and one that nobody waits for left, by an atomic exchange. Where ranks share memory,
///   one that threads have queued for is passed on as an mcs_lock. And what publishing costs.
/// Errors: bad_argument for null references and those of another space, and for a thread that is
///   not in the monitor; rank_failed.
/// Source: oo-dsm-rdma.txt, section 3. Checked by: object_monitor_test.excludes_others,
///   object_monitor_test.may_be_entered_again
class monitor {
 public:
  monitor(objects::thread_access& thread, objects::place at) noexcept : thread_(&thread), at_(at) {}

  void lock() { thread_->enter(at_); }
  [[nodiscard]] bool try_lock() { return thread_->try_enter(at_); }
  /// If a rank dies meanwhile, the thread's next call that waits says so: destructors unlock, too.
  void unlock() {
    sync::release_lock(thread_->world(), [this] { thread_->exit(at_); });
  }
  [[nodiscard]] bool is_held() const noexcept { return thread_->is_in(at_); }

  /// Leaves the monitor, however often the thread has entered it, until it is notified; then enters
  /// it again. Checked by: object_monitor_test.notified_threads_go_on
  void wait() { (void)thread_->wait(at_, fabric::never); }
  template <class Predicate>
  void wait(Predicate predicate) {
    while (!predicate()) wait();
  }
  /// The same, but also ends at a time of world::now(). Returns false if it did.
  /// Checked by: object_monitor_test.waits_may_end
  [[nodiscard]] bool wait_until(std::uint64_t deadline_ns) {
    return thread_->wait(at_, deadline_ns);
  }
  template <class Rep, class Period>
  [[nodiscard]] bool wait_for(std::chrono::duration<Rep, Period> time) {
    return wait_until(sync::deadline_in(thread_->world(), time));
  }

  /// The thread that has waited longest, or all, go on once this thread leaves the monitor.
  void notify() { thread_->notify(at_, 1); }
  void notify_all() { thread_->notify(at_, std::numeric_limits<std::uint32_t>::max()); }

 private:
  objects::thread_access* thread_;
  objects::place at_;
};

/// Enters a monitor, and leaves it when it is destroyed. May be moved, so that a thread can go from
/// object to object hand over hand; assigning leaves the monitor that was held.
/// Checked by: object_monitor_test.locks_are_passed_hand_over_hand
class monitor_lock {
 public:
  explicit monitor_lock(const monitor& of) : monitor_(of) { monitor_.lock(); }
  monitor_lock(monitor_lock&& other) noexcept
      : monitor_(other.monitor_), holds_(std::exchange(other.holds_, false)) {}
  monitor_lock& operator=(monitor_lock&& other) {
    monitor_lock taken(std::move(other));
    std::swap(monitor_, taken.monitor_);
    std::swap(holds_, taken.holds_);
    return *this;
  }
  ~monitor_lock() {
    if (holds_) monitor_.unlock();
  }

  /// The monitor that is held.
  [[nodiscard]] far::monitor& monitor() noexcept { return monitor_; }

 private:
  far::monitor monitor_;
  bool holds_ = true;
};

}  // namespace far
