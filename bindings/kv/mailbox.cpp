#include "bindings/kv/mailbox.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include "far/base/error.hpp"

namespace far::kv {

mailbox::mailbox() : wakes_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (!wakes_.is_open()) throw fabric_error("cannot make a descriptor that wakes a thread");
}

void mailbox::post(task work) {
  const std::scoped_lock lock(mutex_);
  tasks_.push_back(std::move(work));
  if (tasks_.size() == 1) eventfd_write(wakes_.number(), 1);
}

void mailbox::run_all() {
  eventfd_t count = 0;
  static_cast<void>(eventfd_read(wakes_.number(), &count));
  {
    const std::scoped_lock lock(mutex_);
    taken_.swap(tasks_);
  }
  for (task& work : taken_) work();
  taken_.clear();
}

}  // namespace far::kv
