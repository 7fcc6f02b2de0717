#pragma once
// Destruction of objects that all ranks construct and destroy together.

#include "far/base/function_ref.hpp"
#include "far/base/unwinding.hpp"
#include "far/world/world.hpp"

namespace far {

/// A data member of a distributed object. The object's destructor calls `leave`, which waits until
/// no rank uses the others' parts any more; then the parts can be freed.
///
///     class board {
///      public:
///       explicit board(const far::world& world)
///           : world_(world), words_(far::allocate<int>(world, 64)) {}
///       ~board() {
///         scope_.leave(world_);               // from here on no rank reads the words
///         far::deallocate(world_, words_);
///       }
///       ...
///       far::collective_scope scope_;
///     };
///
/// An exception may destroy the object on one rank only, so `leave` does not wait during stack
/// unwinding.
///
/// Cost: one word.
/// Checked by: collective_scope_test.leaves_when_all_are_there,
/// collective_scope_test.waits_for_nobody_while_an_exception_is_on_its_way
class collective_scope {
 public:
  /// Whether an exception is destroying the object. Exceptions that were in flight when the object
  /// was constructed do not count.
  [[nodiscard]] bool is_unwinding() const noexcept { return watch_.is_unwinding(); }

  /// Collective, but a no-op during stack unwinding, and after the rank has left its job. Returns
  /// when every rank has called it, or when the job has failed; the program's next call reports the
  /// failure. If other ranks are in another collective, this rank's next one throws that.
  /// Checked by: mismatch_test.destructors_are_noticed
  /// Cost: a barrier.
  void leave(const world& world) const noexcept;
  /// The same, and every rank calls `finish` once all have called leave. Returns when `finish` has
  /// returned on all ranks.
  /// Cost: two barriers.
  /// Checked by: collective_scope_test.finishes_when_all_are_there
  void leave(const world& world, base::function_ref<void()> finish) const noexcept;

 private:
  base::unwind_watch watch_;
};

}  // namespace far
