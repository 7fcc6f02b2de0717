#pragma once
// A fiber is a function with its own stack that can stop in the middle and continue later. All
// fibers of a simulation run on one thread of the operating system, one at a time.

#include <cstddef>
#include <functional>
#include <memory>

namespace far::fabric::sim {

/// Not thread-safe. Keeps what a thread would keep for the body: the stack and the state of C++
/// exceptions. Reports every stack switch to AddressSanitizer.
///
/// Is stored on its own stack, next to the data that a switch touches, and is destroyed with the
/// stack.
class fiber {
 public:
  struct release {
    /// The body must have ended.
    void operator()(fiber* ended) const noexcept;
  };
  using handle = std::unique_ptr<fiber, release>;

  /// Prepares a stack (address space; memory is allocated as it is touched). `body` must not throw.
  /// `number` varies the position of the data within their page: at equal positions, neighbours
  /// would evict each other from the processor's caches.
  /// Errors: out_of_memory.
  [[nodiscard]] static handle make(std::function<void()> body, std::size_t number,
                                   std::size_t stack_bytes = default_stack);
  /// Bytes of a stack; under AddressSanitizer, where frames are several times larger, four times as
  /// many.
  static constexpr std::size_t default_stack = std::size_t{256} << 10;
  /// Whether an access to this address means that the stack is full.
  [[nodiscard]] bool overflows_at(const void* address) const noexcept;
  [[nodiscard]] std::size_t stack_bytes() const noexcept;
  /// Whether AddressSanitizer is active. Then a fiber must not leave its own stack.
  [[nodiscard]] static bool under_asan() noexcept;
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  /// From outside: runs the body until it suspends or ends.
  void resume();
  /// From inside: switches back to the caller of resume().
  void suspend();
  [[nodiscard]] bool ended() const noexcept;
  /// Prefetches what resume() will touch.
  void prefetch() const noexcept;

 protected:
  fiber() = default;
  ~fiber() = default;

 private:
  struct state;  // keeps Boost.Context out of this header
  [[nodiscard]] state& self() noexcept;
  [[nodiscard]] const state& self() const noexcept;
};

}  // namespace far::fabric::sim
