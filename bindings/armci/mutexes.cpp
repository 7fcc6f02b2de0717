#include "armci/mutexes.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "armci/profiled.hpp"
#include "armci/runtime.hpp"
#include "far/base/error.hpp"
#include "far/memory/allocate.hpp"

namespace far::armci {

using namespace std::chrono_literals;

mutexes::mutexes(const world& world, MPI_Comm comm, int count) : world_(world) {
  if (count < 0) throw bad_argument(fmt::format("{} mutexes: the number is negative", count));
  own_ = allocate_local<std::uint64_t>(world, static_cast<std::uint64_t>(count));
  int members = 0;
  MPI_Comm_size(comm, &members);
  tails_.resize(static_cast<std::size_t>(members));
  counts_.resize(static_cast<std::size_t>(members));
  const std::uint64_t bits = own_.bits();
  const out_of_turn meanwhile;
  MPI_Allgather(&bits, sizeof bits, MPI_BYTE, tails_.data(), sizeof bits, MPI_BYTE, comm);
  MPI_Allgather(&count, 1, MPI_INT, counts_.data(), 1, MPI_INT, comm);
}

mutexes::~mutexes() {
  for (const auto& [which, queue] : held_) nodes_.push_back(queue.own());
  for (const ptr<sync::queue_node> node : nodes_) deallocate_local(world_, node);
  deallocate_local(world_, own_);
}

ptr<std::uint64_t> mutexes::tail_of(int mutex, int proc) const {
  if (proc < 0 || static_cast<std::size_t>(proc) >= counts_.size()) {
    throw bad_argument(
        fmt::format("there is no rank {}: ranks are 0 to {}", proc, counts_.size() - 1));
  }
  const int count = counts_[static_cast<std::size_t>(proc)];
  if (mutex < 0 || mutex >= count) {
    throw bad_argument(fmt::format("rank {} has no mutex {}: it has made {}, numbered from 0", proc,
                                   mutex, count));
  }
  return ptr<std::uint64_t>::from_bits(tails_[static_cast<std::size_t>(proc)]) + mutex;
}

void mutexes::lock(int mutex, int proc) {
  if (turn::is_needed()) return try_in_turns(mutex, proc);
  const ptr<std::uint64_t> tail = tail_of(mutex, proc);
  if (held_.contains({proc, mutex})) {
    throw bad_argument(fmt::format("this rank holds mutex {} of rank {} already", mutex, proc));
  }
  const sync::mcs_queue queue = queue_at(tail);
  (void)queue.enter(fabric::never);
  nodes_.pop_back();
  held_.emplace(name(proc, mutex), queue);
}

/// Does not wait in the queue: it would keep its turn there, and the thread that holds the mutex
/// needs one to unlock it.
void mutexes::try_in_turns(int mutex, int proc) {
  for (auto pause = 1us; !try_lock(mutex, proc); pause = std::min<>(2 * pause, 1000us)) {
    const out_of_turn meanwhile;
    std::this_thread::sleep_for(pause);
  }
}

bool mutexes::try_lock(int mutex, int proc) {
  const ptr<std::uint64_t> tail = tail_of(mutex, proc);
  if (held_.contains({proc, mutex})) return false;
  const sync::mcs_queue queue = queue_at(tail);
  if (queue.try_enter() == sync::mcs_queue::nothing) return false;
  nodes_.pop_back();
  held_.emplace(name(proc, mutex), queue);
  return true;
}

/// With the last of the free nodes, which it leaves there.
sync::mcs_queue mutexes::queue_at(ptr<std::uint64_t> tail) {
  if (nodes_.empty()) nodes_.push_back(allocate_local<sync::queue_node>(world_));
  return {world_, tail, nodes_.back()};
}

void mutexes::unlock(int mutex, int proc) {
  (void)tail_of(mutex, proc);
  const auto found = held_.find({proc, mutex});
  if (found == held_.end()) {
    throw bad_argument(fmt::format("this rank does not hold mutex {} of rank {}", mutex, proc));
  }
  const sync::mcs_queue queue = found->second;
  held_.erase(found);
  (void)queue.pass(queue.own(), sync::mcs_queue::first);
  nodes_.push_back(queue.own());
}

}  // namespace far::armci

using namespace far::armci;

extern "C" {

int ARMCI_Create_mutexes(int count) {
  return guarded_0("ARMCI_Create_mutexes", [&] {
    runtime& self = runtime::get();
    if (self.mutex_set() != nullptr) {
      throw far::bad_argument("there are mutexes already: call ARMCI_Destroy_mutexes first");
    }
    self.mutex_set() = std::make_unique<mutexes>(self.world(), self.comm(), count);
  });
}

int ARMCI_Destroy_mutexes(void) {
  return guarded_0("ARMCI_Destroy_mutexes", [] {
    runtime& self = runtime::get();
    (void)self.made_mutexes();
    self.barrier();
    self.mutex_set().reset();
  });
}

void ARMCI_Lock(int mutex, int proc) {
  guarded("ARMCI_Lock", [&] { runtime::get().made_mutexes().lock(mutex, proc); });
}

void ARMCI_Unlock(int mutex, int proc) {
  guarded("ARMCI_Unlock", [&] {
    runtime& self = runtime::get();
    self.fence_all();
    self.made_mutexes().unlock(mutex, proc);
  });
}

}  // extern "C"

FAR_ARMCI_PROFILED(ARMCI_Create_mutexes);
FAR_ARMCI_PROFILED(ARMCI_Destroy_mutexes);
FAR_ARMCI_PROFILED(ARMCI_Lock);
FAR_ARMCI_PROFILED(ARMCI_Unlock);
