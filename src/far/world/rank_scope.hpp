#pragma once
// The objects of a rank, and of its first thread, that exist between joining a job and leaving it.

#include <memory>

#include "far/world/world.hpp"

namespace far {

class rank_scope {
 public:
  explicit rank_scope(fabric::fabric& fabric)
      : state_(fabric), ends_{&fabric}, context_(fabric.open_context()), view_(state_, *context_) {}
  rank_scope(const rank_scope&) = delete;
  rank_scope& operator=(const rank_scope&) = delete;

  [[nodiscard]] world& view() noexcept { return view_; }
  /// Collective, called at the end: until all ranks are here, they may need this rank's handlers,
  /// and handlers need the state.
  void quiesce() { state_.fabric().quiesce(*context_); }

 private:
  struct handlers_end {
    fabric::fabric* fabric;
    ~handlers_end() { fabric->end_handlers(); }
  };

  rank_state state_;
  handlers_end ends_;  // handlers use the state, so they must end before it, even on exceptions
  std::unique_ptr<fabric::context> context_;
  world view_;
};

}  // namespace far
