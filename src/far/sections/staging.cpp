#include "far/sections/staging.hpp"

#include "far/base/error.hpp"
#include "far/rma/continuation_queue.hpp"
#include "far/rma/promise.hpp"
#include "far/rma/when_all.hpp"
#include "far/rpc/store.hpp"

namespace far::sections {

slices::slices(const world& world, std::size_t most)
    : world_(world),
      most_(most),
      may_wait_(!world.context().is_lane() &&
                detail::continuation_queue::depth_in(world.context()) == 0) {}

bool slices::wait_for_oldest() {
  if (!may_wait_ || oldest_ == in_flight_.size()) return false;
  in_flight_[oldest_].wait();
  drop_oldest();
  return true;
}

void slices::drop_oldest() noexcept {
  future<void> ended = std::move(in_flight_[oldest_++]);
  try {
    ended.get();
  } catch (...) {
    if (failure_ == nullptr) failure_ = std::current_exception();
  }
  if (2 * oldest_ < in_flight_.size()) return;
  in_flight_.erase(in_flight_.begin(), in_flight_.begin() + static_cast<std::ptrdiff_t>(oldest_));
  oldest_ = 0;
}

void slices::admit() {
  while (oldest_ < in_flight_.size() && in_flight_[oldest_].ready()) drop_oldest();
  if (in_flight_.size() - oldest_ >= most_) (void)wait_for_oldest();
}

staging slices::room_for(std::uint64_t bytes) {
  for (;;) {
    try {
      return staging(world_, bytes);
    } catch (const out_of_memory&) {
      if (!wait_for_oldest()) throw;
    }
  }
}

future<void> slices::all() {
  in_flight_.erase(in_flight_.begin(), in_flight_.begin() + static_cast<std::ptrdiff_t>(oldest_));
  oldest_ = 0;
  if (failure_ != nullptr) {
    in_flight_.insert(in_flight_.begin(), failed_future<void>(world_, std::exchange(failure_, {})));
  }
  if (in_flight_.empty()) return ready_future(world_);
  if (in_flight_.size() == 1) return std::move(in_flight_.front());
  return when_all(world_, std::move(in_flight_));
}

void slices::settle() noexcept {
  try {
    while (wait_for_oldest()) {
    }
  } catch (const error&) {
    // The job has failed: what is in flight ends with it.
  }
}

}  // namespace far::sections
