#pragma once
// A thread that another rank runs, from the side of the one that has started it.

#include <memory>

#include "far/object/thread_access.hpp"

namespace far {

/// A thread of an object space. Like std::jthread, it is joined when it is destroyed.
/// Threads: belongs to the thread that has started it.
/// Checked by: object_thread_test.threads_start_everywhere
class object_thread {
 public:
  object_thread(objects::thread_access& starter, int rank, fabric::handler_index handler,
                objects::place argument);
  object_thread(object_thread&& other) noexcept;
  object_thread& operator=(object_thread&& other) = delete;
  ~object_thread();

  /// Waits until the thread has ended; then this thread sees what it has changed.
  /// Errors: far::error with the text of what the thread has thrown; rank_failed.
  /// Checked by: object_thread_test.what_a_thread_throws_is_told
  void join();
  [[nodiscard]] bool joinable() const noexcept { return ended_ != nullptr; }

 private:
  struct end;
  objects::thread_access* starter_;
  int rank_;
  objects::place argument_;
  std::unique_ptr<end> ended_;
};

}  // namespace far
