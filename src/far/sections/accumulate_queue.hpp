#pragma once
// The owner's side of accumulates: slices that wait for the lock of this rank's memory.
//
// Threads: tasks of lane 0, which run one at a time, and completions of that lane's context.
// Invariants: `asks_` is true from the first slice in an empty queue until the lane has released
// the lock and found the queue empty. While it is, one of these will continue: the completion of
// the amo that asks for the lock or releases it, or the message of the rank that hands it over. The
// lane holds the lock for one slice at a time, so ranks of the owner's node get it in between.

#include <cstddef>
#include <deque>
#include <memory>

#include "far/rma/future.hpp"
#include "far/rma/promise.hpp"
#include "far/sections/accumulate_rows.hpp"
#include "far/sections/remote_side.hpp"
#include "far/world/world.hpp"

namespace far::sections {

/// A slice to add, with its bytes.
struct arrived_slice {
  own_slice to;
  scaling how;
  std::shared_ptr<std::byte[]> bytes;
};

class accumulate_queue {
 public:
  explicit accumulate_queue(rank_state& state) : fabric_(&state.fabric()) {}

  /// This rank's only one.
  [[nodiscard]] static accumulate_queue& of(const world& world) {
    return world.state().get<accumulate_queue>();
  }

  /// A future that is ready when the slice has been added. `world` is that of a task of lane 0.
  [[nodiscard]] future<void> add(const world& world, arrived_slice slice);
  /// The message of a rank that has unlocked: the lane holds the lock now.
  static void granted(const world& world);

 private:
  struct entry {
    arrived_slice slice;
    promise<void> done;
  };

  void ask(fabric::context& lane);
  void serve(fabric::context& lane);

  fabric::fabric* fabric_;
  std::deque<entry> entries_;
  bool asks_ = false;
};

}  // namespace far::sections
