#pragma once
// The thread of a rank that asks other ranks. Event loops must not wait for another rank, and the
// continuations of their own requests would run only when they make progress; so they hand requests
// to this thread, which starts them, makes progress, and posts the answers to their mailboxes.

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "far/base/unique_function.hpp"
#include "far/store/store.hpp"

namespace far::kv {

class remote_thread {
 public:
  /// Starts operations, and may wait for some. What it returns is ready when all have ended.
  using job = base::unique_function<future<void>(const world&, const store_view&)>;

  /// Thread-safe. Jobs start in order.
  void post(job work);
  /// Thread-safe: run returns when all jobs that were posted have ended.
  void stop();
  /// The body of the thread. Errors: those of the jobs' waits; rank_failed.
  void run(const world& world, const store_view& view);

 private:
  bool take();
  void start(job& work, const world& world, const store_view& view);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<job> posted_;               // under mutex_
  bool stops_ = false;                    // under mutex_
  std::atomic<bool> has_posted_ = false;  // a hint without the mutex
  std::vector<job> taken_;                // the thread's
  std::uint64_t in_flight_ = 0;           // the thread's
};

}  // namespace far::kv
