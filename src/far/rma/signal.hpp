#pragma once
// Signals: words whose change notifies their owner that something has arrived, and wakes it.

#include <cstdint>
#include <optional>

#include "far/base/function_ref.hpp"
#include "far/memory/ptr.hpp"
#include "far/world/world.hpp"

namespace far {

/// A change to one 8-byte word, made after the put that carries it.
using signal = fabric::signal;

/// The signal that sets `word` to `value`, or adds `value` to it.
/// Checked by: signal_test.payload_is_there_before_the_signal
[[nodiscard]] constexpr signal signal_of(ptr<std::uint64_t> word, std::uint64_t value,
                                         signal::kind how = signal::kind::set) noexcept {
  return {word.address(), value, how};
}

/// The most common predicate of wait_signal.
/// Checked by: signal_test.counts_many_senders
struct at_least {
  std::uint64_t bound;
  constexpr bool operator()(std::uint64_t value) const noexcept { return value >= bound; }
};

namespace rma {

std::optional<std::uint64_t> wait_word(const world& world, ptr<std::uint64_t> word,
                                       base::function_ref<bool(std::uint64_t)> satisfied,
                                       fabric::deadline_ns deadline);

}  // namespace rma

/// Sends a signal without a payload.
///
/// Completion: remote. Ordering: after this thread's earlier blocking operations.
/// Cost: an atomic operation.
/// Errors: out_of_bounds; bad_argument if the word is not aligned; rank_failed.
/// Checked by: signal_test.notify_wakes
void notify(const world& world, const signal& change);

/// Waits until satisfied(value) holds for the word's value, and returns that value. The word must
/// be in this rank's segments. The payload of the signal that changed the word is visible then, and
/// so is what was complete before the signal or waking atomic, even to plain loads.
///
/// Progress: made meanwhile. Signals, and operations of a waking atomic_ref, wake the waiter; a
/// plain put or atomic is seen late or never.
/// Threads: several may wait for one word.
/// Errors: bad_argument if the word is another rank's or not aligned; out_of_bounds; rank_failed.
/// Checked by: signal_test.payload_is_there_before_the_signal, signal_test.counts_many_senders
template <class Predicate>
std::uint64_t wait_signal(const world& world, ptr<std::uint64_t> word, Predicate satisfied) {
  return *rma::wait_word(world, word, satisfied, fabric::never);
}

/// The same, or nothing if world.now() passes the deadline first.
/// Checked by: signal_test.deadline_passes
template <class Predicate>
[[nodiscard]] std::optional<std::uint64_t> wait_signal(const world& world, ptr<std::uint64_t> word,
                                                       Predicate satisfied,
                                                       fabric::deadline_ns deadline) {
  return rma::wait_word(world, word, satisfied, deadline);
}

}  // namespace far
