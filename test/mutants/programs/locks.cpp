// Locks that threads wait for, try, and give up on.

#include <mutex>
#include <shared_mutex>

#include "far/memory/allocate.hpp"
#include "far/rma/atomic_ref.hpp"
#include "far/rma/transfer.hpp"
#include "far/sync/sync.hpp"
#include "far/team/team.hpp"
#include "test/mutants/explore.hpp"

namespace far::mutants {
namespace {

/// The data that a lock protects: a count, which each holder increments.
class counted {
 public:
  explicit counted(const world& w) : w_(&w), count_(allocate<std::uint64_t>(w).on(0)) {
    barrier(w);
  }

  void add() {
    const std::uint64_t seen = get(*w_, count_);
    put(*w_, count_, seen + 1);
    ++mine_;
  }
  void look() const { check(get(*w_, count_) == get(*w_, count_), "a writer is beside a reader"); }
  void check_all() const {
    const auto all = allreduce(*w_, mine_, std::plus<>());
    check(get(*w_, count_) == all, "two held the lock at a time");
  }

 private:
  const world* w_;
  ptr<std::uint64_t> count_;
  std::uint64_t mine_ = 0;
};

/// Some waits may end before the lock is free.
template <class Lock>
void take_turns(world& w, Lock& lock) {
  counted sum(w);
  for (int round = 0; round < 8; ++round) {
    const bool patient = (round + w.rank()) % 4 == 0;
    std::unique_lock guard(lock, std::defer_lock);
    if (patient) {
      guard.lock();
    } else {
      (void)guard.try_lock_for(std::chrono::nanoseconds(20 << round));
    }
    if (guard.owns_lock()) sum.add();
  }
  barrier(w);
  sum.check_all();
}

void turns(world& w) {
  mcs_lock lock(w);
  take_turns(w, lock);
}

void near_turns(world& w) {
  topology_lock lock(w, lock_levels(w, {2}), {1});
  take_turns(w, lock);
}

void readers(world& w) {
  rw_lock lock(w, lock_levels(w, {2}), {.counter_every = 2, .max_passes = {1}});
  counted sum(w);
  for (int round = 0; round < 6; ++round) {
    if ((round + w.rank()) % 3 == 0) {
      const std::unique_lock guard(lock);
      sum.add();
    } else {
      const std::shared_lock guard(lock);
      sum.look();
    }
  }
  barrier(w);
  sum.check_all();
}

const program the_turns("turns", {.ranks = 3}, turns);
const program the_near_turns("near_turns", {.ranks = 4}, near_turns);
const program the_readers("readers", {.ranks = 4}, readers);

}  // namespace
}  // namespace far::mutants
