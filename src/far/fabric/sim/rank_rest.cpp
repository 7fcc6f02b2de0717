// Rests between two looks at remote memory, and retries that come to nothing.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/base/random.hpp"
#include "far/fabric/rest.hpp"
#include "far/fabric/sim/operation.hpp"
#include "far/fabric/sim/rank_context.hpp"

namespace far::fabric::sim {

void rank_context::pause(backoff& state) {
  const visit inside(*this);
  begin_rest(state.attempts);
  if (const profile* const costs = job().costs()) {
    const auto self = static_cast<std::uint64_t>(home().rank());
    take(*costs, next_rest(state, true, base::mix(self << 40 ^ ++rests_)));
  } else {
    constexpr std::uint32_t longest_shift = 13;  // much less than makes a livelock of others' looks
    ++state.attempts;
    take_any(std::uint64_t{2} << std::min(state.attempts, longest_shift));
  }
  check_job();
}

void rank_context::await_turn(turn& state) {
  const visit inside(*this);
  begin_rest(state.looks);
  if (const profile* const costs = job().costs()) {
    take(*costs, next_rest(state, true, [this] { return home().now(); }));
  } else {
    constexpr std::uint32_t longest_shift = 10;  // one who sleeps for long holds up all others
    ++state.looks;
    take_any(std::uint64_t{2} << std::min(state.looks, longest_shift));
  }
  check_job();
}

/// Between two looks, of which there have been `looks`.
void rank_context::begin_rest(std::uint32_t looks) {
  constexpr std::uint32_t patience = 1u << 20;
  polled_ = {};
  check_may_wait();
  check_job();
  if (looks + 1 >= patience) {
    throw deadlock(
        fmt::format("rank {}, context {}: {} tries of one retry loop came to nothing "
                    "(seed {})",
                    home().rank(), index(), patience, job().options().seed));
  }
  tried_again();
  make_progress();
}

/// A rest takes as long as on shm, where each rank has a core.
void rank_context::take(const profile& costs, const rest& next) {
  picoseconds duration = std::max<picoseconds>(costs.poll, 1000);
  switch (next.what) {
    case rest::how::spin:
      duration += next.amount * costs.spin;
      break;
    case rest::how::yield:
      duration += costs.yield;
      break;
    case rest::how::nap:
      duration += from_ns(next.amount) + costs.oversleep;
  }
  schedule().park(schedule().now() + duration);
}

/// Where orders are explored, a rest takes up to `longest` steps.
void rank_context::take_any(std::uint64_t longest) {
  const std::uint64_t nap = schedule().about(question::nap).choose(longest);
  schedule().park(schedule().now() + from_ns(1 + nap));
}

// If a context starts the same operations between two pauses as between the previous two, it only
// retries. If no memory has changed meanwhile, they find the same as before.

void rank_context::tried(const operation& op) {
  tried_word_ = op.first.where;
  round_ = base::mix(round_ ^ (tried_word_.bits() + static_cast<std::uint64_t>(op.kind) + 1));
  if (++round_calls_ > last_round_calls_) {
    tries_ = 0;
    job().progressed();
  }
}

void rank_context::tried_again() {
  if (job().exploring() == nullptr) return;
  ++tries_;
  if (std::exchange(last_round_, round_) != round_) {
    tries_ = 0;
    job().progressed();
  }
  last_round_calls_ = std::exchange(round_calls_, 0);
  round_ = 0;
}

}  // namespace far::fabric::sim
