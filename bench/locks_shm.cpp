// Locks between processes of this machine, compared with atomics, the system's locks and MPI's (row
// B7).

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/baselines/locks_baseline.hpp"
#include "bench/baselines/mpi_peers.hpp"
#include "bench/baselines/mpi_rw_lock.hpp"
#include "bench/baselines/spin_lock.hpp"
#include "bench/harness/measure.hpp"
#include "bench/harness/registry.hpp"
#include "far/base/random.hpp"
#include "far/far.hpp"

namespace far::bench {
namespace {

constexpr int peer_rounds = 5;
constexpr int sleepers = 8;
constexpr std::uint64_t writes_in_million = 2000;  // 0.2 %

/// The baselines, in memory that the processes share.
struct baseline_words {
  alignas(64) std::atomic<std::uint64_t> word;
  alignas(64) baseline::shared_mutex_of_system mutex;
  alignas(64) baseline::shared_rwlock_of_system rwlock;
  baseline::sleeping_ring ring;
};

/// A rank's locks.
struct locks_of_a_rank {
  locks_of_a_rank(world& on, baseline_words& words)
      : view(on),
        hand(words),
        queue(on),
        flat(on, lock_levels(on, {})),
        deep(on, lock_levels(on, {on.size()})),
        rw(on),
        spin(on),
        mpi_rw(on),
        random(base::mix(static_cast<std::uint64_t>(on.rank()) + 1)) {}

  world& view;
  baseline_words& hand;
  mcs_lock queue;
  topology_lock flat;
  topology_lock deep;
  rw_lock rw;
  spin_lock spin;
  mpi_rw_lock mpi_rw;
  base::random random;
};
using locks_ref = std::shared_ptr<locks_of_a_rank>;

/// Runs `once` only on the first rank, while the others sleep.
template <class Once>
subject alone(const locks_ref& all, std::string name, Once once) {
  return {std::move(name), [all, once](std::int64_t count) {
            if (all->view.rank() != 0) return;
            for (std::int64_t i = 0; i < count; ++i) once(*all);
          }};
}

/// Runs `once` on all ranks at the same time, until all are done.
template <class Once>
subject together(const locks_ref& all, std::string name, Once once) {
  return {std::move(name), [all, once](std::int64_t count) {
            for (std::int64_t i = 0; i < count; ++i) once(*all);
            barrier(all->view);
          }};
}

template <class Lock>
void hold(Lock& lock) {
  lock.lock();
  lock.unlock();
}
template <class Lock>
void share(Lock& lock) {
  lock.lock_shared();
  lock.unlock_shared();
}
template <class Lock>
void read_mostly(Lock& lock, base::random& random) {
  random.below(1'000'000) < writes_in_million ? hold(lock) : share(lock);
}

std::vector<subject> uncontended(world& world, baseline_words& words) {
  const auto all = std::make_shared<locks_of_a_rank>(world, words);
  using ranks_locks = locks_of_a_rank;
  return {alone(all, "two exchanges",
                [](ranks_locks& l) {
                  keep(l.hand.word.exchange(1));
                  keep(l.hand.word.exchange(0));
                }),
          alone(all, "mcs_lock", [](ranks_locks& l) { hold(l.queue); }),
          alone(all, "topology_lock, one level", [](ranks_locks& l) { hold(l.flat); }),
          alone(all, "topology_lock, two levels", [](ranks_locks& l) { hold(l.deep); }),
          alone(all, "rw_lock, reader", [](ranks_locks& l) { share(l.rw); }),
          alone(all, "rw_lock, writer", [](ranks_locks& l) { hold(l.rw); }),
          alone(all, "spin_lock", [](ranks_locks& l) { hold(l.spin); }),
          alone(all, "mpi_rw_lock, reader", [](ranks_locks& l) { share(l.mpi_rw); }),
          alone(all, "mpi_rw_lock, writer", [](ranks_locks& l) { hold(l.mpi_rw); }),
          alone(all, "pthread_mutex_t", [](ranks_locks& l) { hold(l.hand.mutex); }),
          alone(all, "pthread_rwlock_t, reader", [](ranks_locks& l) { share(l.hand.rwlock); }),
          alone(all, "pthread_rwlock_t, writer", [](ranks_locks& l) { hold(l.hand.rwlock); })};
}

std::vector<subject> contended(world& world, baseline_words& words) {
  const auto all = std::make_shared<locks_of_a_rank>(world, words);
  using ranks_locks = locks_of_a_rank;
  return {together(all, "mcs_lock", [](ranks_locks& l) { hold(l.queue); }),
          together(all, "topology_lock", [](ranks_locks& l) { hold(l.flat); }),
          together(all, "pthread_mutex_t", [](ranks_locks& l) { hold(l.hand.mutex); }),
          together(all, "rw_lock", [](ranks_locks& l) { read_mostly(l.rw, l.random); }),
          together(all, "mpi_rw_lock", [](ranks_locks& l) { read_mostly(l.mpi_rw, l.random); }),
          together(all, "pthread_rwlock_t",
                   [](ranks_locks& l) { read_mostly(l.hand.rwlock, l.random); })};
}

std::vector<subject> asleep(world& world, baseline_words& words) {
  const auto all = std::make_shared<locks_of_a_rank>(world, words);
  using ranks_locks = locks_of_a_rank;
  if (world.rank() == 0) words.ring.give(0);
  return {together(all, "futexes",
                   [](ranks_locks& l) { l.hand.ring.pass(l.view.rank(), l.view.size()); }),
          together(all, "mcs_lock", [](ranks_locks& l) { hold(l.queue); }),
          together(all, "topology_lock", [](ranks_locks& l) { hold(l.flat); }),
          together(all, "rw_lock", [](ranks_locks& l) { hold(l.rw); })};
}

/// The goal: five times as fast as each MPI library.
void claim_against_mpi(report& result, const mpi_peers& mpi, const char* lock, double ns,
                       const char* operation) {
  for (const auto& [library, peer_ns] : mpi.of(2, operation)) {
    result.claims.push_back(
        {fmt::format("{} is at least 5 times as fast as {} of {}", lock,
                     std::string(operation) == "lock_shared" ? "MPI_Win_lock, shared,"
                                                             : "MPI_Win_lock, exclusive,",
                     library),
         fmt::format("{:.2f} times", peer_ns / ns), peer_ns >= 5 * ns});
  }
}

row of(std::string name, double ns, std::optional<double> limit, std::optional<double> max,
       std::map<std::string, double> peers = {}, std::string note = {}) {
  row result{std::move(name), ns, limit, std::move(peers)};
  result.wanted.max_ratio = max;
  result.note = std::move(note);
  return result;
}

report measure_locks_shm() {
  const shared_memory memory(sizeof(baseline_words));
  baseline_words& words = *new (memory.data()) baseline_words;
  words.mutex.make();
  words.rwlock.make();

  const auto free =
      measure_on_processes(2, "locks-shm", [&](world& world) { return uncontended(world, words); });
  const auto busy =
      measure_on_processes(2, "locks-shm", [&](world& world) { return contended(world, words); });
  const effort long_rounds{21, 20};
  const auto sleep = measure_on_processes(
      sleepers, "locks-shm", [&](world& world) { return asleep(world, words); }, long_rounds);
  mpi_peers mpi("locks-shm");
  for (int i = 0; i < peer_rounds; ++i) mpi.run(2, {"lock_exclusive", "lock_shared"});

  report result;
  result.measured = fmt::format(
      "locks-shm: lock and unlock, lower is better. Alone: by one of two processes, while the "
      "other "
      "sleeps; limit:\ntwo atomic exchanges on memory that both map, for each level. Together: by "
      "two processes at once, the time\nfrom one to the next of each; readers and writers with "
      "{} % writers. Asleep: by {} processes at once, per round of\nall of them; limit: a token "
      "that they pass around by futexes.",
      static_cast<double>(writes_in_million) / 1e4, sleepers);
  const double two = free[0];
  const auto with_mpi = [&](const char* operation, const char* system, double ns) {
    peer_times peers = mpi.of(2, operation);
    peers[system] = ns;
    return peers;
  };
  auto& rows = result.rows;
  rows.push_back(of("alone: mcs_lock", free[1], two, 1.5,
                    with_mpi("lock_exclusive", "pthread_mutex_t", free[9])));
  rows.push_back(of("alone: topology_lock, one level", free[2], two, 1.5));
  rows.push_back(of("alone: topology_lock, two levels", free[3], 2 * two, 1.5));
  rows.push_back(of("alone: rw_lock, reader", free[4], two, 2,
                    with_mpi("lock_shared", "pthread_rwlock_t", free[10])));
  rows.push_back(of("alone: rw_lock, writer", free[5], two, {},
                    with_mpi("lock_exclusive", "pthread_rwlock_t", free[11])));
  rows.push_back(of("alone: spin_lock", free[6], two, {}));
  rows.push_back(of("alone: mpi_rw_lock, reader", free[7], two, {}));
  rows.push_back(of("alone: mpi_rw_lock, writer", free[8], two, {}));
  rows.push_back(of("together: mcs_lock", busy[0], {}, {}, {{"pthread_mutex_t", busy[2]}}));
  rows.push_back(of("together: topology_lock", busy[1], {}, {}, {{"pthread_mutex_t", busy[2]}}));
  rows.push_back(of("together: rw_lock", busy[3], {}, {}, {{"pthread_rwlock_t", busy[5]}}));
  rows.back().wanted.max_peer_ratio = 1;
  rows.push_back(of("together: mpi_rw_lock", busy[4], {}, {}, {{"pthread_rwlock_t", busy[5]}}));
  rows.push_back(of("asleep: mcs_lock", sleep[1], sleep[0], 1.5));
  rows.push_back(of("asleep: topology_lock", sleep[2], sleep[0], 1.5));
  rows.push_back(of("asleep: rw_lock, writers", sleep[3], sleep[0], {}));
  claim_against_mpi(result, mpi, "mcs_lock", free[1], "lock_exclusive");
  claim_against_mpi(result, mpi, "rw_lock, reader,", free[4], "lock_shared");
  result.remarks = mpi.remarks();
  return result;
}

const benchmark registered("locks-shm", "locks between processes, against the system's and MPI's",
                           measure_locks_shm);

}  // namespace
}  // namespace far::bench
