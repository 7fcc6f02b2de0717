#pragma once
// ARMCI's mutexes: queue locks (far/sync/mcs_queue.hpp), any number at each rank.

#include <mpi.h>

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "far/memory/ptr.hpp"
#include "far/sync/mcs_queue.hpp"
#include "far/world/world.hpp"

namespace far::armci {

class mutexes {
 public:
  /// Collective over `comm`, in whose ranks mutexes are named: `count` mutexes at this rank.
  mutexes(const world& world, MPI_Comm comm, int count);
  /// After a barrier.
  ~mutexes();
  mutexes(const mutexes&) = delete;
  mutexes& operator=(const mutexes&) = delete;

  /// Errors: bad_argument if there is no such mutex; from lock if this rank holds it, unless
  ///   another thread may have got it; from unlock if it does not.
  void lock(int mutex, int proc);
  /// Returns false if a rank holds it.
  [[nodiscard]] bool try_lock(int mutex, int proc);
  void unlock(int mutex, int proc);

 private:
  using name = std::pair<int, int>;  ///< rank, mutex

  [[nodiscard]] ptr<std::uint64_t> tail_of(int mutex, int proc) const;
  void try_in_turns(int mutex, int proc);
  [[nodiscard]] sync::mcs_queue queue_at(ptr<std::uint64_t> tail);

  world world_;
  ptr<std::uint64_t> own_;            ///< the tails of this rank's queues
  std::vector<std::uint64_t> tails_;  ///< the same of every rank, as bits
  std::vector<int> counts_;
  std::map<name, sync::mcs_queue> held_;
  std::vector<ptr<sync::queue_node>> nodes_;  ///< in no queue
};

}  // namespace far::armci
