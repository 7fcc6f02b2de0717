#include "bindings/kv/remote_thread.hpp"

#include <chrono>

namespace far::kv {

void remote_thread::post(job work) {
  {
    const std::scoped_lock lock(mutex_);
    posted_.push_back(std::move(work));
    has_posted_.store(true, std::memory_order_relaxed);
  }
  changed_.notify_one();
}

void remote_thread::stop() {
  {
    const std::scoped_lock lock(mutex_);
    stops_ = true;
  }
  changed_.notify_one();
}

/// Takes what has been posted; sleeps if there is nothing to do. Returns false at the end.
bool remote_thread::take() {
  std::unique_lock lock(mutex_);
  if (in_flight_ == 0) changed_.wait(lock, [&] { return stops_ || !posted_.empty(); });
  has_posted_.store(false, std::memory_order_relaxed);
  taken_.swap(posted_);
  return !stops_ || !taken_.empty() || in_flight_ > 0;
}

void remote_thread::start(job& work, const world& world, const store_view& view) {
  ++in_flight_;
  // The job's own future may be dropped: its operations go on, and count down at their end.
  static_cast<void>(work(world, view).then([this] { --in_flight_; }));
}

void remote_thread::run(const world& world, const store_view& view) {
  // A post does not wake a thread that waits for an answer, so it looks now and then.
  constexpr std::uint64_t look_ns = 20'000;
  while (take()) {
    for (job& work : taken_) start(work, world, view);
    taken_.clear();
    if (in_flight_ == 0) continue;
    const std::uint64_t before = in_flight_;
    world.context().wait(
        [&] { return in_flight_ != before || has_posted_.load(std::memory_order_relaxed); },
        world.now() + look_ns, {"an answer from another rank", -1, {}});
  }
}

}  // namespace far::kv
