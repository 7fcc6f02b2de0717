#pragma once
// A line of threads before what they take by tries, such as a word that they change from free to
// locked: only the first in line tries. Who comes may try once or more before it stands in line.

#include <cstdint>

#include "far/memory/ptr.hpp"
#include "far/sync/mcs_queue.hpp"
#include "far/world/world.hpp"

namespace far::sync {

/// A thread's use of a line. A thread stands in one line at a time.
class line {
 public:
  /// `tail`: a word of any rank, initially zero.
  line(const world& world, ptr<std::uint64_t> tail);

  /// Returns when this thread is the first. Makes progress meanwhile.
  /// Cost: with nobody in line A_swap; else with a put and the wait.
  /// Errors: rank_failed.
  void enter() const { (void)queue_.enter(fabric::never); }
  /// Lets the next be the first. Cost: A_cas. Errors: rank_failed.
  void leave() const { (void)queue_.pass(queue_.own(), mcs_queue::first); }

 private:
  mcs_queue queue_;
};

}  // namespace far::sync
