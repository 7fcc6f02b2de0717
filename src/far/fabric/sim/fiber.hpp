#pragma once
// A fiber: a function with a stack of its own, that can stop in the middle and go on later. All
// fibers of a simulation run on one thread of the operating system, one at a time.

#include <cstddef>
#include <functional>
#include <memory>

namespace far::fabric::sim {

/// Not thread-safe. Keeps what a thread would keep for the body: the stack and the state of C++
/// exceptions. Tells AddressSanitizer of every change of stacks.
///
/// Lives on its own stack, beside what is touched there at every change, and ends with it.
class fiber {
 public:
  struct release {
    /// The body must have ended.
    void operator()(fiber* ended) const noexcept;
  };
  using handle = std::unique_ptr<fiber, release>;

  /// Prepares a stack (address space; memory comes as it is touched). `body` must not throw.
  /// `number`: neighbours lie at different places of their pages, for those at the same place
  /// drive each other out of the processor's caches.
  [[nodiscard]] static handle make(std::function<void()> body, std::size_t number);
  /// Whether AddressSanitizer looks on, for which a fiber must not leave its own stack.
  [[nodiscard]] static bool is_watched() noexcept;
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  /// From outside: runs the body until it suspends or ends.
  void resume();
  /// From inside: back to whoever resumed.
  void suspend();
  [[nodiscard]] bool ended() const noexcept;
  /// Has what resume() will touch brought into the processor's caches.
  void prefetch() const noexcept;

 protected:
  fiber() = default;
  ~fiber() = default;

 private:
  struct state;  // keeps Boost.Context out of this header
  [[nodiscard]] state& self() noexcept;
};

}  // namespace far::fabric::sim
