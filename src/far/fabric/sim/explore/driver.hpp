#pragma once
// Who chooses when the explorer may go several ways. Drivers: chance (here), random priorities
// (pct.hpp), all ways in turn (exhaustive.hpp), what was chosen before (trace.hpp).
//
// A driver sees numbers that are the same in every run that has chosen the same so far: no
// address, no hash of the library's, no distribution of std.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "far/base/random.hpp"
#include "far/fabric/sim/explore/labels.hpp"

namespace far::fabric::sim {

/// Time passes as fast as those who sleep like: whoever waits for it may go on at once.
inline constexpr std::uint64_t any_time = 1;
/// Who waits for a completion or in quiesce goes on once that is there, and does not look before,
/// unless something else arrives that it has to see to. The end of the wait is a step of its own.
inline constexpr std::uint64_t waits_end_once = 2;
/// Programs reach shared memory of their rank, and buffers of transfers under way, by verbs and
/// peek alone. So other waits do not look before something arrives either, but by peek.
inline constexpr std::uint64_t verbs_alone = 4;

class driver {
 public:
  driver() = default;
  virtual ~driver() = default;
  driver(const driver&) = delete;
  driver& operator=(const driver&) = delete;

  /// What happens next: a place in `events`, or events.size() + a place in `fibers`; not both are
  /// empty. Events have ids of their own, the oldest first; fibers stand in the order in which
  /// they became able to go on. 0 is what a calm machine would do: the network comes first.
  virtual std::size_t next(std::span<const std::uint64_t> events,
                           std::span<const std::uint32_t> fibers) = 0;
  /// A number below n, which is not 0.
  virtual std::uint64_t choose(std::uint64_t n, question about) = 0;
  /// True with a chance of `parts` in 16.
  virtual bool chance(std::uint64_t parts, question about) = 0;

  /// A fiber more, or another one of this number, which works for this rank.
  virtual void belongs(std::uint32_t, int) {}
  /// Rules that make trees of choices smaller, added up. A trace begins with them.
  [[nodiscard]] virtual std::uint64_t rules() const noexcept { return 0; }
  /// Whether it wants to hear what steps touch.
  [[nodiscard]] virtual bool listens() const noexcept { return false; }

  // For one that listens. Steps are numbered from 0, a call of next() each.

  /// What was chosen last touches this.
  virtual void touched(const touch&) {}
  /// An event more, which came to be because of all these steps.
  virtual void posted(std::uint64_t, std::span<const std::uint32_t>) {}
  /// The fiber, which slept, may go on because of all these steps; of none: because of time.
  virtual void woken(std::uint32_t, std::span<const std::uint32_t>) {}
  /// The current step is a fiber's look at what it waits for, found nothing, and did nothing else.
  virtual void looked_in_vain() {}
};

/// Chance, from a seed. Some seeds have a network that is eager, others one that is slow: with
/// one share for all seeds, long delays against much computation would hardly ever come up.
class random_driver final : public driver {
 public:
  /// With `pauses`, the fibers of one rank stand still for a long while, if others can go on.
  explicit random_driver(std::uint64_t seed, bool pauses = false);

  std::size_t next(std::span<const std::uint64_t> events,
                   std::span<const std::uint32_t> fibers) override;
  std::uint64_t choose(std::uint64_t n, question) override { return random_.below(n); }
  bool chance(std::uint64_t parts, question) override { return random_.below(16) < parts; }
  void belongs(std::uint32_t fiber, int rank) override;

 private:
  std::size_t any_fiber(std::span<const std::uint32_t> fibers);

  base::random random_;
  std::uint64_t event_share_;  // of 16 steps that could go either way, those given to events
  bool pauses_;
  std::uint64_t steps_ = 0;
  std::uint64_t pause_ends_ = 0;
  std::uint64_t next_pause_ = 0;
  int paused_rank_ = -1;
  int ranks_ = 0;
  std::vector<int> ranks_of_;        // by fiber
  std::vector<std::size_t> others_;  // places that a choice is among, kept for the memory
};

}  // namespace far::fabric::sim
