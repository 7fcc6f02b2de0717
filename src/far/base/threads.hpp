#pragma once
// Starting threads where the system may refuse one.

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace far::base {

/// Starts a thread. `what` names it in the error. Errors: fabric_error if the system refuses.
[[nodiscard]] std::thread start_thread(const std::string& what, std::function<void()> body);

/// Threads that work together: none begins before all exist, so none waits for one that does not.
/// The destructor joins them.
class thread_group {
 public:
  /// Runs body(0) .. body(n-1), each on a thread; body must not throw. Errors: fabric_error if the
  /// system refuses one; then none has run. `what` names a thread, of whom it is one.
  thread_group(int n, const std::string& what, const std::function<void(int)>& body);
  ~thread_group() { join(); }
  thread_group(const thread_group&) = delete;
  thread_group& operator=(const thread_group&) = delete;

  /// Returns when all have ended.
  void join();

 private:
  enum class state { waits, runs, ends };

  void open(state next) noexcept;

  std::atomic<state> gate_{state::waits};
  std::vector<std::thread> threads_;
};

}  // namespace far::base
