#pragma once
// Python functions that run inside the handler of a message, where nothing may wait.

#include <nanobind/nanobind.h>

#include <string>

namespace far::python {

class inline_calls {
 public:
  /// Runs a call that arrived, on whatever thread makes progress. Functions of a rank run one at a
  /// time. `shares`: ranks share this thread.
  [[nodiscard]] std::string run(const std::string& bytes, bool shares);
  /// Nothing arrives any more. Called by who holds the interpreter.
  void end() noexcept;
  /// Errors: bad_argument in such a function.
  static void refuse_to_wait() {
    if (running_) [[unlikely]]
      throw_would_wait();
  }

 private:
  [[noreturn]] static void throw_would_wait();
  static thread_local bool running_;

  PyThreadState* state_ = nullptr;  // where ranks share a thread
};

}  // namespace far::python
