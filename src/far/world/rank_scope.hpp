#pragma once
// The objects of a rank, and of its first thread, that exist between joining a job and leaving it.

#include <memory>

#include "far/world/world.hpp"

namespace far {

class rank_scope {
 public:
  explicit rank_scope(fabric::fabric& fabric)
      : state_(*new rank_state(fabric)), ends_{this}, world_(open_view(fabric)) {}
  rank_scope(const rank_scope&) = delete;
  rank_scope& operator=(const rank_scope&) = delete;

  /// Valid while the scope exists, also after end().
  [[nodiscard]] far::world& world() noexcept { return world_; }
  /// Collective, called at the end: until all ranks are here, they may need this rank's handlers,
  /// and handlers need the state.
  /// Errors: what a destructor could not throw; rank_failed.
  void quiesce() {
    state_.throw_kept();
    state_.fabric().quiesce(*context_);
  }
  /// The rank leaves its job. The destructor does it otherwise.
  void end() noexcept {
    if (state_.ended()) return;
    fabric::fabric& fabric = state_.fabric();
    context_.reset();
    fabric.end_handlers();  // handlers use the state, so they must end before it
    state_.end();
  }

 private:
  /// Also on exceptions of the constructor.
  struct ending {
    rank_scope* scope;
    ~ending() {
      scope->end();
      scope->state_.release();
    }
  };

  far::world open_view(fabric::fabric& fabric) {
    context_ = fabric.open_context();
    return {state_, *context_};
  }

  rank_state& state_;  // held
  std::unique_ptr<fabric::context> context_;
  ending ends_;
  far::world world_;
};

}  // namespace far
