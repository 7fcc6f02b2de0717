#pragma once
// Work that other threads leave for a thread, with a descriptor that wakes it.

#include <mutex>
#include <utility>
#include <vector>

#include "bindings/kv/listener.hpp"
#include "far/base/unique_function.hpp"

namespace far::kv {

class mailbox {
 public:
  using task = base::unique_function<void()>;

  mailbox();

  /// Thread-safe. The owner runs the task the next time that it opens the box.
  void post(task work);
  /// Readable while there are tasks.
  [[nodiscard]] int wakes() const noexcept { return wakes_.number(); }
  /// Runs all tasks that are there.
  void run_all();

 private:
  descriptor wakes_;
  std::mutex mutex_;
  std::vector<task> tasks_;  // under mutex_
  std::vector<task> taken_;  // the owner's
};

}  // namespace far::kv
