#pragma once
// Clients of locks: they randomly lock, share, try, wait for a limited time, and unlock one lock,
// and record it.

#include <cstdint>

#include "far/base/random.hpp"
#include "far/world/world.hpp"
#include "test/linearizability/history.hpp"
#include "test/linearizability/lock.hpp"

namespace far::linearizability {

using lock_log = history_of<lock_specification>;

/// Calls perform(), and records the call and its result.
template <class Perform>
bool record(lock_log& log, const lock_operation& what, Perform perform) {
  const auto asked = log.invoke(what.who, what);
  const bool done = perform();
  log.respond(asked, done);
  return done;
}

/// Holds a lock for a time. If no time passed, holding the lock could be ordered before or after
/// what others did, and every history would be accepted.
inline void hold(const world& w, base::random& random) { w.compute(random.below(200)); }

template <class Lock>
concept has_deadlines = requires(Lock& lock, std::uint64_t until) { lock.try_lock_until(until); };

/// One turn of a client that locks exclusively.
template <class Lock>
void take(const world& w, Lock& lock, base::random& random, lock_log& log) {
  using op = lock_operation;
  const int me = w.rank();
  const std::uint64_t how = random.below(4);
  const bool mine = [&] {
    if (how == 0) return record(log, op::try_acquire(me), [&] { return lock.try_lock(); });
    if constexpr (has_deadlines<Lock>) {
      if (how == 1) {
        const std::uint64_t until = w.now() + random.below(5000);
        return record(log, op::try_acquire(me), [&] { return lock.try_lock_until(until); });
      }
    }
    return record(log, op::acquire(me), [&] {
      lock.lock();
      return true;
    });
  }();
  if (!mine) return;
  hold(w, random);
  record(log, op::release(me), [&] {
    lock.unlock();
    return true;
  });
}

/// One turn of a client that shares the lock.
template <class Lock>
void share(const world& w, Lock& lock, base::random& random, lock_log& log) {
  using op = lock_operation;
  const int me = w.rank();
  const std::uint64_t how = random.below(4);
  const bool mine = [&] {
    if (how == 0) {
      return record(log, op::try_acquire_shared(me), [&] { return lock.try_lock_shared(); });
    }
    if constexpr (has_deadlines<Lock>) {
      if (how == 1) {
        const std::uint64_t until = w.now() + random.below(5000);
        return record(log, op::try_acquire_shared(me),
                      [&] { return lock.try_lock_shared_until(until); });
      }
    }
    return record(log, op::acquire_shared(me), [&] {
      lock.lock_shared();
      return true;
    });
  }();
  if (!mine) return;
  hold(w, random);
  record(log, op::release_shared(me), [&] {
    lock.unlock_shared();
    return true;
  });
}

template <class Lock>
void use_lock(const world& w, Lock& lock, base::random& random, lock_log& log, int rounds) {
  for (int round = 0; round < rounds; ++round) take(w, lock, random, log);
}

/// Two of three turns share the lock.
template <class Lock>
void use_rw_lock(const world& w, Lock& lock, base::random& random, lock_log& log, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    random.below(3) == 0 ? take(w, lock, random, log) : share(w, lock, random, log);
  }
}

}  // namespace far::linearizability
