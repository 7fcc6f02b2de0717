#pragma once
// A driver makes the explorer's choices. There are drivers for random choices (here), random
// priorities (pct.hpp), exhaustive search (exhaustive.hpp), and replay (trace.hpp).
//
// Everything that a driver sees depends only on its earlier choices: no addresses, no hashes of the
// library, no distributions of std.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "far/base/random.hpp"
#include "far/fabric/sim/explore/labels.hpp"

namespace far::fabric::sim {

/// Time does not constrain the order: a fiber that waits for time may continue at once.
inline constexpr std::uint64_t any_time = 1;
/// A fiber that waits for a completion, or in quiesce, continues once it is there, and does not
/// check before, unless something else arrives that it must handle. The end of the wait is a step
/// of its own.
inline constexpr std::uint64_t waits_end_once = 2;
/// Programs access shared memory of their rank, and buffers of transfers in flight, only by verbs
/// and peek. So other waits do not check before something arrives either, except by peek.
inline constexpr std::uint64_t verbs_alone = 4;

class driver {
 public:
  driver() = default;
  virtual ~driver() = default;
  driver(const driver&) = delete;
  driver& operator=(const driver&) = delete;

  /// Chooses what happens next: returns an index into `events`, or events.size() + an index into
  /// `fibers`; at least one is not empty. Events have ids, and stand oldest first; fibers stand in
  /// the order in which they became runnable. 0 is the calm choice: the network comes first.
  virtual std::size_t next(std::span<const std::uint64_t> events,
                           std::span<const std::uint32_t> fibers) = 0;
  /// Returns a number below n, which is not 0.
  virtual std::uint64_t choose(std::uint64_t n, question about) = 0;
  /// Returns true with a probability of `parts` in 16.
  virtual bool chance(std::uint64_t parts, question about) = 0;

  /// A fiber was created, perhaps with the number of an ended one; it works for this rank.
  virtual void belongs(std::uint32_t, int) {}
  /// The rules that make the tree of choices smaller, added up. A trace begins with them.
  [[nodiscard]] virtual std::uint64_t rules() const noexcept { return 0; }
  /// Whether the functions below are to be called.
  [[nodiscard]] virtual bool listens() const noexcept { return false; }

  // For a driver that listens. Steps are numbered from 0; each call of next() begins one.

  /// The current step touches this.
  virtual void touched(const touch&) {}
  /// A new event, which all these steps caused.
  virtual void posted(std::uint64_t, std::span<const std::uint32_t>) {}
  /// The sleeping fiber may continue because of all these steps; none: because of time.
  virtual void woken(std::uint32_t, std::span<const std::uint32_t>) {}
  /// The current step only checks what its fiber waits for, and finds nothing.
  virtual void empty_poll() {}
};

/// Random choices, from a seed. Some seeds have an eager network, others a slow one: with one share
/// for all seeds, long delays during much computation would hardly ever occur.
class random_driver final : public driver {
 public:
  /// With `pauses`, the fibers of one rank stop for a long time, if others can continue.
  explicit random_driver(std::uint64_t seed, bool pauses = false);

  std::size_t next(std::span<const std::uint64_t> events,
                   std::span<const std::uint32_t> fibers) override;
  std::uint64_t choose(std::uint64_t n, question) override { return random_.below(n); }
  bool chance(std::uint64_t parts, question) override { return random_.below(16) < parts; }
  void belongs(std::uint32_t fiber, int rank) override;

 private:
  std::size_t any_fiber(std::span<const std::uint32_t> fibers);

  base::random random_;
  std::uint64_t event_share_;  // how many of 16 steps go to events, if fibers can run too
  bool pauses_;
  std::uint64_t steps_ = 0;
  std::uint64_t pause_ends_ = 0;
  std::uint64_t next_pause_ = 0;
  int paused_rank_ = -1;
  int ranks_ = 0;
  std::vector<int> ranks_of_;        // by fiber
  std::vector<std::size_t> others_;  // of next(); a member to reuse its memory
};

}  // namespace far::fabric::sim
