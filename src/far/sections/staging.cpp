#include "far/sections/staging.hpp"

#include "far/base/error.hpp"
#include "far/rma/continuation_queue.hpp"
#include "far/rma/promise.hpp"
#include "far/rma/when_all.hpp"
#include "far/rpc/store.hpp"

namespace far::sections {

slices::slices(const world& view, std::size_t most)
    : view_(view),
      most_(most),
      may_wait_(!detail::is_lane(view.context()) &&
                detail::continuation_queue::depth_in(view.context()) == 0) {}

bool slices::wait_for_oldest() {
  if (!may_wait_ || oldest_ == all_.size()) return false;
  all_[oldest_++].wait();
  return true;
}

void slices::admit() {
  if (all_.size() - oldest_ >= most_) (void)wait_for_oldest();
}

staging slices::room_for(std::uint64_t bytes) {
  for (;;) {
    try {
      return staging(view_, bytes);
    } catch (const out_of_memory&) {
      if (!wait_for_oldest()) throw;
    }
  }
}

future<void> slices::all() {
  if (all_.size() == 1) return std::move(all_.front());
  return when_all(view_, std::move(all_));
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
