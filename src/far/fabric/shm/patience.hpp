#pragma once
// How a wait passes its time, decided here for all waits of shm and ucx.
//
// 1. It spins for spin_ns, about twice the time to fall asleep and to be woken, if the threads of
//    this machine that use libfar have a core each. The cores are those that the ranks may use
//    together, by their affinity, but no more than the quota of their control group has
//    (base/cores.hpp); the threads are those of all ranks of the job on this machine.
// 2. It yields: whoever has work may have this core. Among ranks that share a core that is the
//    fastest way to hand it over.
// 3. It sleeps until its doorbell rings. Whoever is woken gets a core before a program that
//    computes without pause.
//
// A wait for plain memory, whose changes need not wake it, yields for as long as it may spin, and
// then sleeps in naps. They grow with the time that it has waited, so that they add little to it,
// and cost little of a core. Who changes memory by a verb, or gives a hint (plain_wake.hpp), ends a
// nap.
//
// The count knows nothing of other programs, nor of where the system puts the threads. So each
// context observes what its waits bring (wait_record), and leaves out
// - spins, after a few that saw nothing, when another thread used the core at once when it was
//   given up: perhaps the awaited one. From time to time a short spin probes; one that pays, or
//   that fails on an idle core, brings spinning back.
// - yields, after one that took long: a program has used the core for its whole time slice. The
//   next comes after a hundred times as long, so that such yields take a hundredth of the time.
//   Where ranks share cores, a yield in which a rank of the job computed does not count: the rank
//   has had the core, or will have it by the next yield.

#include <algorithm>
#include <cstdint>

namespace far::fabric::shm {

inline constexpr std::uint64_t spin_ns = 100'000;
/// Long enough for another core to answer.
inline constexpr std::uint64_t probe_ns = 10'000;
/// Each takes .3 us, or as long as others use the core.
inline constexpr int max_yields = 20;
/// The naps of such a wait that has yielded and napped for `waited_ns`. The kernel adds 50 us to
/// each.
[[nodiscard]] constexpr std::uint64_t nap_ns(std::uint64_t waited_ns) noexcept {
  constexpr std::uint64_t shortest = 30'000;
  constexpr std::uint64_t longest = 1'000'000;
  constexpr std::uint64_t share = 8;
  return std::clamp(waited_ns / share, shortest, longest);
}
/// A yield to a thread that waits, too, is shorter; a time slice is longer.
inline constexpr std::uint64_t long_yield_ns = 500'000;
/// Whether a rank computed in a long yield of another that began at `yielded_ns`. `waits`: it waits
/// now, since `since_ns`. One whose wait began soon after the yield waits for the rank that
/// yielded.
[[nodiscard]] constexpr bool computed_in_yield(bool waits, std::uint64_t since_ns,
                                               std::uint64_t yielded_ns) noexcept {
  return !waits || since_ns > yielded_ns + long_yield_ns / 2;
}
/// What comes so soon after a sleep began could come because of it.
inline constexpr std::uint64_t prompt_ns = 50'000;

/// What a context's waits have brought. Belongs to the context's thread.
class wait_record {
 public:
  /// How long the wait that begins may spin; 0: not at all.
  [[nodiscard]] std::uint64_t spin_allowance_ns() noexcept {
    if (failures_ < max_failures) [[likely]]
      return spin_ns;
    if (left_out_ < between_probes_) {
      ++left_out_;
      return 0;
    }
    left_out_ = 0;
    return probe_ns;
  }

  /// A spin has seen what it waited for, or has failed on a core that nobody else wanted.
  void spin_paid() noexcept {
    if (failures_ == 0) [[likely]]
      return;
    failures_ = left_out_ = 0;
    between_probes_ = 1;
  }

  /// A spin has seen nothing, and another thread used the core at once when it was given up.
  void spin_failed() noexcept {
    if (failures_ < max_failures) {
      ++failures_;
    } else if (between_probes_ < max_between_probes) {
      between_probes_ *= 2;
    }
  }

  /// Whether a wait may yield at this time.
  [[nodiscard]] bool may_yield(std::uint64_t now_ns) const noexcept {
    return now_ns >= yields_from_ns_;
  }

  /// A yield that ended at this time took long_yield_ns or more.
  void long_yield(std::uint64_t took_ns, std::uint64_t now_ns) noexcept {
    yields_from_ns_ = now_ns + 100 * took_ns;
  }

 private:
  static constexpr int max_failures = 4;
  static constexpr int max_between_probes = 1024;

  int failures_ = 0;  // of spins, in a row
  int between_probes_ = 1;
  int left_out_ = 0;  // waits since the last probe
  std::uint64_t yields_from_ns_ = 0;
};

}  // namespace far::fabric::shm
