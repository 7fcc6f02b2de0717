// The same by threads of one process, with what a C++ programmer has there.

#include <pthread.h>

#include <atomic>
#include <barrier>
#include <deque>
#include <memory>
#include <mutex>

#include "bench/array_loops.hpp"
#include "bench/baselines/locks_baseline.hpp"
#include "bench/baselines/mcs_baseline.hpp"
#include "bench/scaling/load.hpp"

namespace far::bench::scaling {
namespace {

using word = std::uint64_t;

/// The simplest queue that threads share.
struct locked_deque {
  std::mutex mutex;
  std::deque<word> values;

  void push(word value) {
    const std::lock_guard guard(mutex);
    values.push_back(value);
  }
  void pop() {
    const std::lock_guard guard(mutex);
    if (values.empty()) throw error("the deque of a thread has too few values");
    keep(values.front());
    values.pop_front();
  }
};

}  // namespace

loads_of_rank queues_of_threads(int /*threads*/) {
  const auto queue = std::make_shared<locked_deque>();
  return [queue](world& world) {
    const auto holds_exactly = [queue, &world](std::int64_t values) {
      barrier(world);
      if (world.rank() == 0) queue->values.assign(static_cast<std::size_t>(values), 1);
      barrier(world);
    };
    load push = load_of("deque under std::mutex: push",
                        [queue](std::int64_t i) { queue->push(static_cast<word>(i)); });
    push.make_ready = [holds_exactly](std::int64_t) { holds_exactly(0); };
    load pop = load_of("deque under std::mutex: pop", [queue](std::int64_t) { queue->pop(); });
    pop.make_ready = [holds_exactly, &world](std::int64_t each) {
      holds_exactly(each * world.size());
    };
    // Deques of more values would measure the memory.
    push.room = pop.room = room_of_each(1 << 19, world);
    return std::vector{push, pop};
  };
}

loads_of_rank words_of_threads(int threads) {
  const std::uint64_t n = words_of_rank * static_cast<std::uint64_t>(threads);
  const auto words = std::make_shared<array_loops::word_vector<true>>(n);
  return [words, n](world& world) {
    const auto at = [words](std::uint64_t i) { return std::atomic_ref<word>((*words)[i]); };
    return std::vector{
        load_of("threads: fetch_add, random words",
                [at, n, random = random_of(world, 0)](std::int64_t) mutable {
                  keep(at(random.below(n)).fetch_add(1));
                }),
        load_of("threads: fetch_add, one word", [at](std::int64_t) { keep(at(0).fetch_add(1)); }),
        load_of("threads: get, huge pages",
                [at, n, random = random_of(world, 1)](std::int64_t) mutable {
                  keep(at(random.below(n)).load(std::memory_order_relaxed));
                })};
  };
}

loads_of_rank mutexes_of_threads(int /*threads*/) {
  const auto mutex = std::make_shared<std::mutex>();
  return [mutex](world&) { return owning(mutex, {holds("std::mutex", *mutex)}); };
}

loads_of_rank queue_locks_of_threads(int threads) {
  const auto lock = std::make_shared<baseline::mcs_mutex>(threads <= core_count());
  return [lock](world&) {
    const auto node = std::make_shared<baseline::mcs_mutex::node>();
    return std::vector{load_of("MCS by hand, threads", [lock, node](std::int64_t) {
      lock->lock(*node);
      lock->unlock(*node);
    })};
  };
}

loads_of_rank rw_locks_of_threads(int /*threads*/) {
  const auto lock = std::make_shared<baseline::shared_rwlock_of_system>();
  lock->make();
  return [lock](world& world) {
    std::vector<load> loads;
    add_shares(loads, world, "pthread_rwlock_t", *lock);
    return owning(lock, std::move(loads));
  };
}

loads_of_rank barriers_of_threads(int threads) {
  const auto meeting = std::make_shared<std::barrier<>>(threads);
  return [meeting](world&) {
    return std::vector{collective_load_of("std::barrier",
                                          [meeting](std::int64_t) { meeting->arrive_and_wait(); })};
  };
}

}  // namespace far::bench::scaling
