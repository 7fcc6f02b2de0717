#pragma once
// The lock of one element of a cached array.

#include <cstdint>

#include "far/array/cached/messages.hpp"
#include "far/world/world.hpp"

namespace far {

/// Lockable and SharedLockable, so std::scoped_lock, std::unique_lock and std::shared_lock work on
/// it. Cheap to copy: the state is at the element's home, which grants the lock in the order of the
/// requests. What a holder's accesses have done, the next holder sees.
/// Threads: each uses an object of its own view. Errors: rank_failed; bad_argument if the home's
/// part of the array has been destroyed.
/// Checked by: cached_array_test.locks_exclude
class element_mutex {
 public:
  element_mutex(const world& world, homes::object_id object, int home, std::uint64_t index) noexcept
      : world_(world), object_(object), home_(home), index_(index) {}

  void lock() const { wait_for(cached::lock_request::exclusive); }
  [[nodiscard]] bool try_lock() const { return request(cached::lock_request::try_exclusive); }
  void unlock() const { release(false); }
  void lock_shared() const { wait_for(cached::lock_request::shared); }
  [[nodiscard]] bool try_lock_shared() const { return request(cached::lock_request::try_shared); }
  void unlock_shared() const { release(true); }

 private:
  void wait_for(cached::lock_request what) const {
    if (!request(what)) cached::throw_no_lock(home_, index_);
  }
  bool request(cached::lock_request what) const {
    return cached::lock_element(world_, home_, {object_, what, index_});
  }
  void release(bool is_shared) const {
    cached::unlock_element(world_, home_, {object_, is_shared, index_});
  }

  world world_;
  homes::object_id object_;
  int home_;
  std::uint64_t index_;
};

}  // namespace far
