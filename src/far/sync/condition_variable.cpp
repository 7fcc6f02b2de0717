#include "far/sync/condition_variable.hpp"

#include <mutex>

#include "far/rma/signal.hpp"

namespace far {
namespace {

// The words of a node.
constexpr int next = 0;
constexpr int status = 1;
constexpr int before = 2;

// Values of a status. All words, except a thread's own status, are used only under the list's lock.
constexpr std::uint64_t waits = 1;
constexpr std::uint64_t notified = 2;

}  // namespace

condition_variable_any_view::condition_variable_any_view(const world& world,
                                                         sync::condition_words& words)
    : world_(world),
      list_(reinterpret_pointer_cast<std::uint64_t>(words.list())),
      own_(words.node_of(world).bits()),
      lock_(words.lock_of(world)) {}

condition_variable_any_view::word condition_variable_any_view::at(std::uint64_t node,
                                                                  int index) const noexcept {
  return {world_, ptr<std::uint64_t>(fabric::address::from_bits(node)) + index};
}

void condition_variable_any_view::enter() {
  const std::unique_lock guard(lock_);
  const std::uint64_t end = last().load();
  at(own_, next).store(0);
  at(own_, before).store(end);
  at(own_, status).store(waits);
  (end == 0 ? first() : at(end, next)).store(own_);
  last().store(own_);
}

/// Returns whether this thread was notified.
bool condition_variable_any_view::await(std::uint64_t deadline_ns) {
  const auto is_notified = [](std::uint64_t value) { return value == notified; };
  if (wait_signal(world_, at(own_, status).place(), is_notified, deadline_ns)) return true;
  const std::unique_lock guard(lock_);
  if (at(own_, status).load() == notified) return true;  // notified just now
  remove();
  return false;
}

/// Removes its own node from the list.
void condition_variable_any_view::remove() {
  const std::uint64_t after = at(own_, next).load();
  const std::uint64_t ahead = at(own_, before).load();
  (ahead == 0 ? first() : at(ahead, next)).store(after);
  (after == 0 ? last() : at(after, before)).store(ahead);
}

void condition_variable_any_view::notify(std::uint64_t max) {
  const std::unique_lock guard(lock_);
  std::uint64_t node = first().load();
  if (node == 0) return;
  for (std::uint64_t count = 0; node != 0 && count < max; ++count) {
    const std::uint64_t after = at(node, next).load();
    at(node, status).waking().store(notified);
    node = after;
  }
  first().store(node);
  (node == 0 ? last() : at(node, before)).store(0);
}

}  // namespace far
