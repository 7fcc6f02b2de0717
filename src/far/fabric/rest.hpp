#pragma once
// How long a thread rests between two looks at remote memory. All fabrics follow this; the
// simulator gives each kind of rest its time.

#include <algorithm>
#include <cstdint>

#include "far/fabric/context.hpp"

namespace far::fabric {

struct rest {
  enum class how : std::uint8_t {
    spin,   ///< `amount` pause instructions
    yield,  ///< let another thread have the processor
    nap     ///< sleep `amount` ns
  };
  how what = how::yield;
  std::uint64_t amount = 0;
};

inline constexpr std::uint64_t longest_nap_ns = 1'000'000;

/// The rest after a failed try. It takes a random part of a time that doubles with each try, so
/// that threads that failed together do not retry together, and do not keep the word from whoever
/// will release it. `may_spin`: whether each thread has a core of its own.
[[nodiscard]] inline rest next_rest(backoff& state, bool may_spin, std::uint64_t random) noexcept {
  constexpr std::uint32_t longest_spin = 9;  // as a shift: some 20 us
  constexpr std::uint64_t shortest_nap_ns = 4000;
  const std::uint32_t tries = may_spin ? 24 : 64;  // without a nap
  const std::uint32_t attempt = state.attempts++;
  if (attempt < tries) {
    if (!may_spin) return {rest::how::yield, 0};
    return {rest::how::spin, 1 + random % (std::uint64_t{1} << std::min(attempt, longest_spin))};
  }
  const std::uint64_t nap_ns =
      std::min(longest_nap_ns, shortest_nap_ns << std::min(attempt - tries, 10u));
  return {rest::how::nap, nap_ns / 2 + random % (nap_ns / 2)};
}

/// The rest of a thread whose turn has not come. It does not grow until the thread has waited for
/// so long that those before it must be asleep or interrupted; and never beyond a sixteenth of the
/// time waited, so that it adds little to the wait. `now` is called only then.
template <class Clock>
[[nodiscard]] inline rest next_rest(turn& state, bool may_spin, Clock now) {
  constexpr std::uint32_t spins = 1000;
  constexpr std::uint64_t share = 16;
  constexpr std::uint64_t shortest_nap_ns = 50'000;  // no kernel wakes a thread much sooner
  if (may_spin && state.looks < spins) {
    ++state.looks;
    return {rest::how::spin, 1};
  }
  ++state.looks;
  const std::uint64_t now_ns = now();
  if (state.since_ns == 0) state.since_ns = now_ns;
  const std::uint64_t nap_ns = std::min(longest_nap_ns, (now_ns - state.since_ns) / share);
  if (nap_ns < shortest_nap_ns) return {rest::how::yield, 0};
  return {rest::how::nap, nap_ns};
}

}  // namespace far::fabric
