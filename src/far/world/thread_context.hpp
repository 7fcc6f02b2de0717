#pragma once
// Contexts for threads that the program has started itself, and for groups of operations that are
// flushed by themselves: as many as it wants.

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "far/world/world.hpp"

namespace far {

/// A context of a rank, which any thread may make, use and destroy.
///
/// Each has a context of the fabric to itself while there are any (fabric::max_contexts, which
/// FAR_CONTEXTS sets). Beyond that it shares that of another thread_context: they take turns, and a
/// flush of one completes the operations of the other, too.
///
/// Threads: any. One turn at a time; who comes meanwhile waits. So a turn must not wait for what
/// another thread of the rank does in a turn, if contexts may be shared: it looks, and gives the
/// turn back in between (far::test_all). It must not outlive the job. Cost: a turn takes a lock,
/// which is free unless another thread uses the context. Operations that are one instruction
/// (direct.hpp) need no turn: view() is enough. Checked by: thread_context_test.as_many_as_asked,
/// thread_context_test.any_thread_opens_and_closes
class thread_context {
 public:
  /// Errors: bad_argument if the fabric has no context left, and there is none to share;
  /// rank_failed.
  explicit thread_context(const world& rank);
  /// Waits for its operations, unless the job has failed.
  ~thread_context();
  thread_context(const thread_context&) = delete;
  thread_context& operator=(const thread_context&) = delete;

  /// Whether it has shared a context with another thread_context since it was made.
  [[nodiscard]] bool is_shared() const;

  /// Runs f(world) as a turn; returns what f does.
  template <class F>
  decltype(auto) use(F f) {
    const turn mine(*this);
    return f(std::as_const(view_));
  }
  /// For operations that are one instruction, and for what needs no context.
  [[nodiscard]] const world& view() const noexcept { return view_; }

 private:
  struct place;
  class places;
  class turn {
   public:
    explicit turn(thread_context& whose);
    ~turn();
    turn(const turn&) = delete;
    turn& operator=(const turn&) = delete;

   private:
    place* place_;
  };

  rank_holder state_;
  place* place_;  // owned by the rank's places
  world view_;
};

}  // namespace far
