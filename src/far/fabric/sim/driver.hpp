#pragma once
// Who chooses when the explorer may go several ways.

#include <cstddef>
#include <cstdint>
#include <span>

#include "far/base/random.hpp"

namespace far::fabric::sim {

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
  virtual std::uint64_t choose(std::uint64_t n) = 0;
  /// True with a chance of `parts` in 16.
  virtual bool chance(std::uint64_t parts) = 0;
};

/// Chance, from a seed. Some seeds have a network that is eager, others one that is slow: with
/// one share for all seeds, long delays against much computation would hardly ever come up.
class random_driver final : public driver {
 public:
  explicit random_driver(std::uint64_t seed)
      : random_(base::mix(seed)), event_share_(1 + random_.below(15)) {}

  std::size_t next(std::span<const std::uint64_t> events,
                   std::span<const std::uint32_t> fibers) override {
    const bool network = !events.empty() && (fibers.empty() || chance(event_share_));
    return network ? random_.below(events.size()) : events.size() + random_.below(fibers.size());
  }
  std::uint64_t choose(std::uint64_t n) override { return random_.below(n); }
  bool chance(std::uint64_t parts) override { return random_.below(16) < parts; }

 private:
  base::random random_;
  std::uint64_t event_share_;  // of 16 steps that could go either way, those given to events
};

}  // namespace far::fabric::sim
