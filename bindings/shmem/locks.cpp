// Locks in the program's `long`: queues of PEs, of which the copy of the word at one PE, the lock's
// home, is the tail (far/sync/mcs_queue.hpp). Each PE's place is in memory of its own, so that who
// waits sleeps, and is woken by the one before.
//
// Threads of one PE queue here first: the PE has one place in each queue.

#include "shmem/locks.hpp"

#include <condition_variable>
#include <map>
#include <mutex>

#include <far/base/error.hpp>
#include <far/memory/allocate.hpp>
#include <far/sync/mcs_queue.hpp>
#include <fmt/format.h>

#include "far_shmem/setup.h"
#include "shmem/context.hpp"
#include "shmem/function.hpp"
#include "shmem/places.hpp"
#include "shmem/runtime.hpp"
#include "shmem/waiting.hpp"

namespace far::shmem {
namespace {

/// The locks that this PE has used.
struct held_locks {
  explicit held_locks(rank_state& /*state*/) {}

  struct one {
    const long* lock = nullptr;
    ptr<sync::queue_node> node;
    bool is_taken = false;  ///< by a thread of this PE, which holds the lock or waits for it
    bool is_held = false;
  };
  std::mutex mutex;
  std::condition_variable is_free;
  std::map<std::uint64_t, one> by_tail;
};

held_locks& held() { return runtime::get().world().state().get<held_locks>(); }

/// The word of the lock that is its queue's tail. Homes are spread, by the address.
ptr<std::uint64_t> tail_of(const long* lock) {
  runtime& self = runtime::get();
  const fabric::address own = address_of(lock, sizeof(long), self.pe());
  if (own.offset() % sizeof(long) != 0) {
    throw bad_argument(
        fmt::format("the lock at {} is not aligned", static_cast<const void*>(lock)));
  }
  const auto home = own.offset() / sizeof(long) % static_cast<std::uint64_t>(self.pes());
  return ptr<std::uint64_t>(own.on(static_cast<int>(home)));
}

/// This PE's record of the lock, which the calling thread takes; null if another thread has it and
/// `waits` is false.
held_locks::one* take(const long* place, ptr<std::uint64_t> tail, bool waits) {
  runtime& self = runtime::get();
  held_locks& all = held();
  std::unique_lock lock(all.mutex);
  held_locks::one& mine = all.by_tail[tail.bits()];
  if (mine.is_held && !self.is_threaded() && waits) {
    throw bad_argument("this PE holds the lock already");
  }
  if (mine.is_taken && !waits) return nullptr;
  all.is_free.wait(lock, [&] { return !mine.is_taken; });
  if (!mine.node) mine.node = allocate_local<sync::queue_node>(self.world());
  mine.lock = place;
  mine.is_taken = true;
  return &mine;
}

void give_up(held_locks::one& mine) {
  held_locks& all = held();
  {
    const std::scoped_lock lock(all.mutex);
    mine.is_taken = mine.is_held = false;
  }
  all.is_free.notify_all();  // they wait for several locks
}

bool try_enter(ptr<std::uint64_t> tail, const held_locks::one& mine) {
  lane_use use = lane_here();
  const sync::mcs_queue queue(use->world(), tail, mine.node);
  return queue.try_enter() != sync::mcs_queue::nothing;
}

void set(const long* lock) {
  const ptr<std::uint64_t> tail = tail_of(lock);
  held_locks::one* const mine = take(lock, tail, true);
  lane_use use = lane_here();
  (void)sync::mcs_queue(use->world(), tail, mine->node).enter(fabric::never);
  mine->is_held = true;
}

bool test(const long* lock) {
  const ptr<std::uint64_t> tail = tail_of(lock);
  held_locks::one* const mine = take(lock, tail, false);
  if (mine == nullptr) return false;
  if (!try_enter(tail, *mine)) {
    give_up(*mine);
    return false;
  }
  mine->is_held = true;
  return true;
}

void clear(const long* lock) {
  const ptr<std::uint64_t> tail = tail_of(lock);
  held_locks::one* mine = nullptr;
  {
    held_locks& all = held();
    const std::scoped_lock guard(all.mutex);
    const auto found = all.by_tail.find(tail.bits());
    if (found != all.by_tail.end() && found->second.is_held) mine = &found->second;
  }
  if (mine == nullptr) throw bad_argument("this PE does not hold the lock");
  complete(SHMEM_CTX_DEFAULT);
  {
    lane_use use = lane_here();
    const sync::mcs_queue queue(use->world(), tail, mine->node);
    (void)queue.pass(mine->node, sync::mcs_queue::first);
  }
  give_up(*mine);
}

}  // namespace

void check_no_lock_held() {
  held_locks& all = held();
  const std::scoped_lock guard(all.mutex);
  for (const auto& [tail, mine] : all.by_tail) {
    if (!mine.is_held) continue;
    throw bad_argument(fmt::format("this PE holds the lock at {}: call shmem_clear_lock first",
                                   static_cast<const void*>(mine.lock)));
  }
}

}  // namespace far::shmem

using namespace far::shmem;

FAR_SHMEM_FUNCTION(void, set_lock, (long* lock)) {
  guarded("shmem_set_lock", [&] { set(lock); });
}
FAR_SHMEM_FUNCTION(void, clear_lock, (long* lock)) {
  guarded("shmem_clear_lock", [&] { clear(lock); });
}
FAR_SHMEM_FUNCTION(int, test_lock, (long* lock)) {
  return guarded("shmem_test_lock", [&] { return test(lock) ? 0 : 1; });
}
