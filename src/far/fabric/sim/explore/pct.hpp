#pragma once
// Exploring by random priorities.
//
// Source: Burckhardt, Kothari, Musuvathi, Nagarakatte, "A Randomized Scheduler with Probabilistic
// Guarantees of Finding Bugs", ASPLOS 2010. A bug that needs d orderings among n threads and k
// steps is found by one run with a probability of at least 1 / (n k^(d-1)).
//
// Here events of the network have priorities of their own, as if each were a thread of one step; so
// n counts them too, and a piece or a message may be delayed as long as anything else can happen.
// Two things are not in the paper. A fiber that runs alone for a long time while others could run
// is put behind them, because a loop over progress() would otherwise never end. And after twice the
// estimated length, everything is chosen at random, which is fair.

#include <cstdint>
#include <map>
#include <vector>

#include "far/fabric/sim/explore/driver.hpp"

namespace far::fabric::sim {

class pct_driver final : public driver {
 public:
  /// Makes `depth` - 1 changes of priority, at random steps below `length`; 0: a random length from
  /// 32 to 8192.
  pct_driver(std::uint64_t seed, int depth, std::uint64_t length = 0);

  std::size_t next(std::span<const std::uint64_t> events,
                   std::span<const std::uint32_t> fibers) override;
  std::uint64_t choose(std::uint64_t n, question) override { return random_.below(n); }
  /// Before each call others may run first: the priorities decide whether they do.
  bool chance(std::uint64_t parts, question about) override {
    return about == question::give_way || random_.below(16) < parts;
  }

 private:
  using key = std::uint64_t;  // twice the number of an event; of a fiber, plus one

  [[nodiscard]] std::uint64_t priority(key who) const noexcept;

  base::random random_;
  std::uint64_t salt_;
  std::uint64_t length_;
  std::vector<std::uint64_t> changes_;    // steps, the latest first
  std::map<key, std::uint64_t> lowered_;  // priorities that replace the initial ones
  std::uint64_t behind_;                  // the next priority for one that ran alone too long
  std::uint64_t steps_ = 0;
  key last_ = 0;
  int in_a_row_ = 0;
};

}  // namespace far::fabric::sim
