// A thread's side of collections.

#include <exception>
#include <mutex>
#include <string>

#include "far/base/error.hpp"
#include "far/object/core.hpp"
#include "far/object/heap/conductor.hpp"
#include "far/object/part.hpp"

namespace far::objects {

void core::park(bool waits) {
  outbox out;
  {
    std::unique_lock lock(part_->mutex);
    if (!waits) {
      wait_for_change(*part_, lock, world_, "the end of a collection", -1,
                      [this] { return !part_->collection.is_stopping(); });
    }
    me_->parked = waits;
    if (waits) part_->collection.parked(out);
  }
  out.flush(*part_, world_.context());
}

void core::stop_if_asked() {
  {
    const std::scoped_lock lock(part_->mutex);
    if (!part_->collection.is_stopping()) return;
  }
  publish();
  park(true);
  park(false);
}

int core::try_collect() {
  int late = -1;
  outside([&] {
    std::uint64_t resumed = 0;
    {
      const std::scoped_lock lock(part_->mutex);
      resumed = part_->collection.resumed();
    }
    const conductor_lock_answer answer = acquire_conductor_lock(world_, *part_, resumed);
    late = answer.conducts ? conduct(world_, *part_) : answer.late;
  });
  return late;
}

std::string core::text_of_late(int rank) {
  return "a thread of rank " + std::to_string(rank) +
         " has come to no safe point for 30 s (threads that wait by other means than the space's "
         "do so in object_view::outside)";
}

void core::collect() {
  let_others_run();
  const int late = try_collect();
  if (late >= 0) throw error("object_space::collect: " + text_of_late(late));
}

void core::outside(base::function_ref<void()> f) {
  publish();
  park(true);
  std::exception_ptr failure;
  try {
    f();
  } catch (...) {
    failure = std::current_exception();
  }
  park(false);  // what happens now may change objects
  if (failure) std::rethrow_exception(failure);
}

collection_counts core::collections() const {
  const std::scoped_lock lock(part_->mutex);
  return part_->collection.counts();
}

}  // namespace far::objects
