#pragma once
// How objects end that all ranks make and destroy together.

#include "far/base/function_ref.hpp"
#include "far/base/unwinding.hpp"
#include "far/world/world.hpp"

namespace far {

/// A member of an object that all ranks have; the object's destructor calls `leave`. Ranks that use
/// each other's parts wait there for each other before the parts go.
///
///     class board {
///      public:
///       explicit board(const far::world& world)
///           : world_(world), words_(far::allocate<int>(world, 64)) {}
///       ~board() {
///         scope_.leave(world_);               // from here on nobody reads the words
///         far::deallocate(world_, words_);
///       }
///       ...
///       far::collective_scope scope_;
///     };
///
/// An exception that destroys the object on one rank need not occur on the others. So while one is
/// on its way, that rank waits for nobody.
///
/// Cost: one word.
/// Checked by: collective_scope_test.leaves_when_all_are_there,
/// collective_scope_test.waits_for_nobody_while_an_exception_is_on_its_way
class collective_scope {
 public:
  /// Whether an exception destroys the object. An exception that was on its way before the object
  /// was made does not count.
  [[nodiscard]] bool is_unwinding() const noexcept { return watch_.is_unwinding(); }

  /// Collective, unless an exception is on its way: then it does nothing. Returns when every rank
  /// is here, or the job has failed, of which the program learns at its next call.
  /// Cost: a barrier.
  void leave(const world& view) const noexcept;
  /// The same, and every rank calls `finish` when all are here. Returns when all have called it.
  /// Cost: two barriers.
  /// Checked by: collective_scope_test.finishes_when_all_are_there
  void leave(const world& view, base::function_ref<void()> finish) const noexcept;

 private:
  base::unwind_watch watch_;
};

}  // namespace far
