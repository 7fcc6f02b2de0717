#pragma once
// What other ranks have sent to this one's interpreter, and how its threads wait for it.

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>

#include <far/far.hpp>

namespace far::python {

/// Wakes the threads of a rank that wait for something that another of its threads has done, by
/// libfar's own waiting: where ranks share a thread, as in a simulation, no other would do.
class bell {
 public:
  explicit bell(const far::world& world) : word_(allocate_local<std::uint64_t>(world)) {}

  /// How often it was rung. Look at this, then at what it is rung for, then wait.
  [[nodiscard]] std::uint64_t count(const far::world& world) const {
    return atomic_ref<std::uint64_t>(world, word_).load();
  }
  /// Waits until it is rung again.
  void wait(const far::world& world, std::uint64_t seen) const {
    (void)wait_signal(world, word_, [seen](std::uint64_t now) { return now != seen; });
  }
  void ring(const far::world& world) const {
    (void)atomic_ref<std::uint64_t>(world, word_).waking().fetch_add(1);
  }
  /// Does not wait for the operation: for tasks, in which nothing may wait.
  void ring_soon(const far::world& world) const {
    (void)atomic_ref<std::uint64_t>(world, word_).waking().fetch_add_async(1);
  }

 private:
  ptr<std::uint64_t> word_;
};

class mailbox {
 public:
  struct message {
    int from = 0;
    std::string bytes;
  };

  explicit mailbox(const far::world& world) : bell_(world) {}

  /// Called where a message arrives.
  void deliver(const far::world& at, message what);
  /// Whoever receives is there.
  void open(const far::world& world);
  /// Waits for the next message, once it is open; nothing when it is closed. Errors: rank_failed.
  [[nodiscard]] std::optional<message> receive(const far::world& world);
  void close(const far::world& world);

 private:
  bell bell_;
  std::mutex mutex_;
  std::deque<message> messages_;
  bool open_ = false, closed_ = false;
};

}  // namespace far::python
