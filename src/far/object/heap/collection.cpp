// A thread's side of collections.

#include <exception>
#include <mutex>
#include <string>

#include "far/base/error.hpp"
#include "far/homes/message.hpp"
#include "far/object/heap/conductor.hpp"
#include "far/object/part.hpp"
#include "far/object/thread_access.hpp"

namespace far::objects {

void thread_access::enter_safe_region() {
  homes::step(world_.context(), *part_, [this](outbox& out) {
    me_->parked = true;
    part_->collection.parked(out);
  });
}

void thread_access::leave_safe_region() {
  std::unique_lock lock(part_->mutex);
  wait_for_change(*part_, lock, world_, "the end of a collection", -1,
                  [this] { return !part_->collection.is_stopping(); });
  me_->parked = false;
}

void thread_access::stop_if_asked() {
  {
    const std::scoped_lock lock(part_->mutex);
    if (!part_->collection.is_stopping()) return;
  }
  publish();
  enter_safe_region();
  leave_safe_region();
}

int thread_access::try_collect() {
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

std::string thread_access::text_of_late(int rank) {
  return "a thread of rank " + std::to_string(rank) +
         " has come to no safe point for 30 s (threads that wait by other means than the space's "
         "do so in object_view::outside)";
}

void thread_access::collect() {
  let_others_run();
  const int late = try_collect();
  if (late >= 0) throw error("object_space::collect: " + text_of_late(late));
}

void thread_access::outside(base::function_ref<void()> f) {
  begin_outside();
  std::exception_ptr failure;
  try {
    f();
  } catch (...) {
    failure = std::current_exception();
  }
  end_outside();  // what happens now may change objects
  if (failure) std::rethrow_exception(failure);
}

void thread_access::begin_outside() {
  publish();
  enter_safe_region();
}

void thread_access::end_outside() { leave_safe_region(); }

collection_counts thread_access::collections() const {
  const std::scoped_lock lock(part_->mutex);
  return part_->collection.counts();
}

}  // namespace far::objects
