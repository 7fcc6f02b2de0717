// Locks. A thread unlocks by the view that it locked by, so its lane keeps the view.

#include "far/c/lock.h"

#include <memory>
#include <utility>

#include "bindings/c/deadline.hpp"
#include "bindings/c/session.hpp"
#include "bindings/c/status.hpp"

struct far_lock : far::c::structure {
  far_lock(const far::world& world, int home) : it(world, home) {}
  far::mcs_lock it;
};

struct far_rw_lock : far::c::structure {
  explicit far_rw_lock(const far::world& world) : it(world) {}
  far::rw_lock it;
};

namespace far::c {
namespace {

template <class View>
struct kept_lock final : kept_view {
  explicit kept_lock(View made) : view(std::move(made)) {}
  View view;
};

/// The lane's view of a lock.
template <class Lock>
auto& lock_here(lane& mine, Lock* lock) {
  check_not_null(lock, "far_lock: the lock");
  using view = decltype(lock->it.on(mine.world()));
  return mine
      .kept<kept_lock<view>>(
          lock, [&] { return std::make_unique<kept_lock<view>>(lock->it.on(mine.world())); })
      .view;
}

/// `tries` takes a free lock; `waits(deadline)` waits for it. Both return whether it was taken.
template <class Try, class Wait>
void acquire(lane& mine, std::uint64_t timeout_ns, int* acquired, Try tries, Wait waits) {
  if (timeout_ns != FAR_FOREVER) check_not_null(acquired, "far_lock_acquire: the result");
  bool has = tries();
  if (!has && timeout_ns > 0) {
    mine.outside([&] { has = waits(deadline_of(mine.world(), timeout_ns)); });
  }
  if (has) ++mine.held_locks;
  if (acquired != nullptr) *acquired = has ? 1 : 0;
}

template <class View>
void acquire_exclusively(lane& mine, View& view, std::uint64_t timeout_ns, int* acquired) {
  acquire(
      mine, timeout_ns, acquired, [&] { return view.try_lock(); },
      [&](std::uint64_t deadline) { return view.try_lock_until(deadline); });
}

void check_free(bool holds) {
  if (holds) throw bad_argument("far_lock_acquire: this thread holds the lock already");
}

void check_held(bool holds) {
  if (!holds) throw bad_argument("far_lock_release: this thread does not hold the lock");
}

void check_mode(int mode) {
  if (mode != FAR_READ && mode != FAR_WRITE) {
    throw bad_argument("far_rw_lock: the mode is neither FAR_READ nor FAR_WRITE");
  }
}

}  // namespace
}  // namespace far::c

using namespace far::c;  // NOLINT: what follows is C's

extern "C" {

far_status far_lock_create(int home, far_lock** lock) {
  return guarded([&] {
    check_not_null(lock, "far_lock_create: the result");
    *lock = make_structure<far_lock>(
        [&](far::world& all) { return std::make_unique<far_lock>(all, home); });
  });
}

far_status far_lock_destroy(far_lock* lock) {
  return guarded([&] { drop_structure(lock); });
}

far_status far_lock_acquire(far_lock* lock, uint64_t timeout_ns, int* acquired) {
  return guarded([&] {
    lane& mine = lane_here();
    auto& view = lock_here(mine, lock);
    check_free(view.is_held());
    acquire_exclusively(mine, view, timeout_ns, acquired);
  });
}

far_status far_lock_release(far_lock* lock) {
  return guarded([&] {
    lane& mine = lane_here();
    auto& view = lock_here(mine, lock);
    check_held(view.is_held());
    view.unlock();
    --mine.held_locks;
  });
}

far_status far_rw_lock_create(far_rw_lock** lock) {
  return guarded([&] {
    check_not_null(lock, "far_rw_lock_create: the result");
    *lock = make_structure<far_rw_lock>(
        [](far::world& all) { return std::make_unique<far_rw_lock>(all); });
  });
}

far_status far_rw_lock_destroy(far_rw_lock* lock) {
  return guarded([&] { drop_structure(lock); });
}

far_status far_rw_lock_acquire(far_rw_lock* lock, int mode, uint64_t timeout_ns, int* acquired) {
  return guarded([&] {
    check_mode(mode);
    lane& mine = lane_here();
    auto& view = lock_here(mine, lock);
    check_free(view.is_held() || view.is_shared());
    if (mode == FAR_WRITE) return acquire_exclusively(mine, view, timeout_ns, acquired);
    acquire(
        mine, timeout_ns, acquired, [&] { return view.try_lock_shared(); },
        [&](std::uint64_t deadline) { return view.try_lock_shared_until(deadline); });
  });
}

far_status far_rw_lock_release(far_rw_lock* lock, int mode) {
  return guarded([&] {
    check_mode(mode);
    lane& mine = lane_here();
    auto& view = lock_here(mine, lock);
    check_held(mode == FAR_WRITE ? view.is_held() : view.is_shared());
    if (mode == FAR_WRITE) {
      view.unlock();
    } else {
      view.unlock_shared();
    }
    --mine.held_locks;
  });
}
}
