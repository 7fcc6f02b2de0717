#pragma once
// The world: one thread's view of its rank's job. It is handed to the program and to every
// structure; there are no globals, because ranks may share a process.

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "far/fabric/fabric.hpp"
#include "far/fabric/reach.hpp"

namespace far {

/// What one rank keeps for all its threads: its fabric, and what the rooms above attach.
/// Thread-safe. Handlers find it as message::owner.
class rank_state {
 public:
  explicit rank_state(fabric::fabric& fabric) : fabric_(&fabric), reach_(fabric) {
    fabric.owner = this;
  }
  ~rank_state();
  rank_state(const rank_state&) = delete;
  rank_state& operator=(const rank_state&) = delete;

  [[nodiscard]] fabric::fabric& fabric() const noexcept { return *fabric_; }
  [[nodiscard]] const fabric::reach& reach() const noexcept { return reach_; }

  /// The one T of this rank, made as T(rank_state&) at the first call and destroyed, latest
  /// first, when the rank leaves its job. The lock is held while T is made, which therefore must
  /// not wait. Cost: a lock and a short scan; keep the reference.
  template <class T>
  T& get() {
    const std::scoped_lock lock(mutex_);
    for (const attachment& a : attachments_) {
      if (a.key == &key<T>) return *static_cast<T*>(a.object.get());
    }
    auto made = std::shared_ptr<T>(new T(*this));
    attachments_.push_back({&key<T>, made});
    return *made;
  }

 private:
  struct attachment {
    const void* key;
    std::shared_ptr<void> object;
  };
  template <class T>
  static inline const char key = 0;

  fabric::fabric* fabric_;
  fabric::reach reach_;
  std::recursive_mutex mutex_;  // a T may get() another on its way into being
  std::vector<attachment> attachments_;
};

/// One thread's view of its rank: five words, cheap to copy. Not thread-safe, as its context
/// is not: world.threads gives each thread a view of its own.
class world {
 public:
  world(rank_state& state, fabric::context& context, int thread = 0) noexcept
      : words_(state.reach().words()),
        atomics_(state.reach().atomics()),
        state_(&state),
        context_(&context),
        thread_(thread) {}

  /// This rank's number, 0 .. size()-1, and how many there are.
  [[nodiscard]] int rank() const noexcept { return fabric().rank(); }
  [[nodiscard]] int size() const noexcept { return fabric().size(); }
  /// 0 for the rank's first thread; 0 .. n-1 inside threads(n, ...).
  [[nodiscard]] int thread() const noexcept { return thread_; }
  /// Number of the machine that holds `rank`.
  [[nodiscard]] int node_of(int rank) const noexcept { return fabric().node_of(rank); }
  /// Nanoseconds since the job started; virtual in a simulation.
  [[nodiscard]] std::uint64_t now() const noexcept { return fabric().now(); }

  [[nodiscard]] fabric::fabric& fabric() const noexcept { return state_->fabric(); }
  [[nodiscard]] fabric::context& context() const noexcept { return *context_; }
  [[nodiscard]] rank_state& state() const noexcept { return *state_; }
  /// For the inline path (rma/direct.hpp): copies, so that it starts without a look at the state.
  [[nodiscard]] fabric::reach_table words() const noexcept { return words_; }
  [[nodiscard]] fabric::reach_table atomics() const noexcept { return atomics_; }

  /// Runs handlers and completions that have arrived. True if there were any.
  bool progress() const { return context_->progress(); }
  /// Spends time as a computation would, without progress.
  void compute(std::uint64_t duration_ns) const { context_->compute(duration_ns); }

  /// Runs program(view) on n threads of this rank, each with a view and a context of its own,
  /// and joins them. The first exception is re-thrown once all have ended, so one that others of
  /// the group wait for must not throw before it has freed them.
  /// Errors: bad_argument when n exceeds the contexts that the job was started with.
  void threads(int n, const std::function<void(world&)>& program) const;

 private:
  fabric::reach_table words_;
  fabric::reach_table atomics_;
  rank_state* state_;
  fabric::context* context_;
  int thread_;
};

}  // namespace far
