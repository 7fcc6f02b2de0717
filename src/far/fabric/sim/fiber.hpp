#pragma once
// A fiber: a function with a stack of its own, that can stop in the middle and go on later. All
// fibers of a simulation run on one thread of the operating system, one at a time.

#include <functional>
#include <memory>

namespace far::fabric::sim {

/// Not thread-safe. Keeps what a thread would keep for the body: the stack and the state of C++
/// exceptions. Tells AddressSanitizer of every change of stacks.
class fiber {
 public:
  /// Prepares a stack (address space; memory comes as it is touched). `body` must not throw.
  explicit fiber(std::function<void()> body);
  /// The body must have ended.
  ~fiber();
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  /// From outside: runs the body until it suspends or ends.
  void resume();
  /// From inside: back to whoever resumed.
  void suspend();
  [[nodiscard]] bool ended() const noexcept;

 private:
  struct state;
  std::unique_ptr<state> state_;  // keeps Boost.Context out of this header
};

}  // namespace far::fabric::sim
