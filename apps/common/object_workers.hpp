#pragma once
// Programs of shared objects whose threads are equal: how they start, meet and end.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "apps/common/meeting.hpp"
#include "far/far.hpp"

namespace far::apps {

/// What a thread is started with.
template <class Job>
struct worker_start {
  std::uint64_t index;
  std::uint64_t count;
  ref<meeting> all;
  ref<Job> job;
};

/// One of the threads that work on a job.
template <class Job>
struct worker {
  object_view& space;
  std::uint64_t index;  ///< 0 .. count - 1
  std::uint64_t count;
  ref<meeting> all;
  ref<Job> job;

  /// Waits for all workers. Then each of them sees what the others have changed before.
  /// Errors: abandoned if another worker has failed.
  void meet() { apps::meet(space, all); }
};

namespace workers {

/// If the worker fails, the others end at their next meeting.
template <class Job, class F>
void work_on(object_view& space, ref<worker_start<Job>> given, F work) {
  const worker_start<Job> start = space.read(given);
  worker<Job> self{space, start.index, start.count, start.all, start.job};
  try {
    work(self);
  } catch (const abandoned&) {
    // Another worker tells why.
  } catch (const rank_failed&) {
    throw;
  } catch (...) {
    abandon(space, start.all);
    throw;
  }
}

}  // namespace workers

/// Runs `work` on `threads` threads of each rank, and returns when all have ended. The calling
/// thread, the main thread of object_space::run, is worker 0; workers are numbered rank by rank.
/// `work` is a lambda without captures that takes a worker<Job>&.
/// Errors: what a worker has thrown.
template <class Job, class F>
void run_workers(object_view& main, int threads, ref<Job> job, F work) {
  const auto count = static_cast<std::uint64_t>(main.world().size() * threads);
  const ref<meeting> all = main.make<meeting>();
  main.write(all).threads = count;
  const auto start_of = [&](std::uint64_t index) {
    return main.make<worker_start<Job>>(worker_start<Job>{index, count, all, job});
  };
  std::vector<object_thread> others;
  for (std::uint64_t index = 1; index < count; ++index) {
    others.push_back(main.start_thread(
        static_cast<int>(index) / threads,
        [](object_view& space, ref<worker_start<Job>> start) {
          workers::work_on(space, start, F());
        },
        start_of(index)));
  }
  workers::work_on(main, start_of(0), work);
  for (object_thread& other : others) other.join();
}

}  // namespace far::apps

template <class Job>
struct far::object_type<far::apps::worker_start<Job>>
    : far::object_fields<far::apps::worker_start<Job>, &far::apps::worker_start<Job>::index,
                         &far::apps::worker_start<Job>::count, &far::apps::worker_start<Job>::all,
                         &far::apps::worker_start<Job>::job> {};
