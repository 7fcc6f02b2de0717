#pragma once
// The world: one thread's view of its rank's job. It is passed to the program and to every
// structure. There are no globals, because ranks may share a process.

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <typeinfo>
#include <utility>
#include <vector>

#include "far/fabric/fabric.hpp"
#include "far/fabric/reach.hpp"

namespace far {

/// The state that all threads of a rank share: its fabric, and objects that the layers above
/// attach. Thread-safe. Handlers get it as message::owner.
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

  /// This rank's only T. It is made as T(rank_state&) at the first call, and destroyed when the
  /// rank leaves its job, in reverse order. A lock is held while T is made, so its constructor must
  /// not wait. Cost: a lock and a short scan; keep the reference. It is the same object for all
  /// code of the process, whatever its visibility; a library whose code has made a T must stay
  /// loaded until the rank leaves.
  /// Checked by: hidden_plugin_test.shares_what_its_program_keeps
  template <class T>
  T& get() {
    const std::scoped_lock lock(mutex_);
    if (void* const there = find(typeid(T))) return *static_cast<T*>(there);
    auto made = std::shared_ptr<T>(new T(*this));
    attachments_.push_back({&typeid(T), made});
    return *made;
  }

 private:
  struct attachment {
    const std::type_info* type;
    std::shared_ptr<void> object;
  };
  [[nodiscard]] void* find(const std::type_info& type);

  fabric::fabric* fabric_;
  fabric::reach reach_;
  std::recursive_mutex mutex_;  // the constructor of a T may get() another object
  std::vector<attachment> attachments_;
};

/// One thread's view of its rank: five words, cheap to copy. Not thread-safe, because its context
/// is not; world.threads gives each thread a view of its own.
class world {
 public:
  world(rank_state& state, fabric::context& context, int thread = 0) noexcept
      : words_(state.reach().words()),
        atomics_(state.reach().atomics()),
        state_(&state),
        context_(&context),
        thread_(thread) {}

  /// This rank's number, 0 .. size()-1, and the number of ranks.
  [[nodiscard]] int rank() const noexcept { return fabric().rank(); }
  [[nodiscard]] int size() const noexcept { return fabric().size(); }
  /// 0 for the rank's first thread; 0 .. n-1 inside threads(n, ...).
  [[nodiscard]] int thread() const noexcept { return thread_; }
  /// The number of the machine (node) that holds `rank`.
  [[nodiscard]] int node_of(int rank) const noexcept { return fabric().node_of(rank); }
  /// Nanoseconds since the job started; virtual in a simulation.
  [[nodiscard]] std::uint64_t now() const noexcept { return fabric().now(); }

  [[nodiscard]] fabric::fabric& fabric() const noexcept { return state_->fabric(); }
  [[nodiscard]] fabric::context& context() const noexcept { return *context_; }
  [[nodiscard]] rank_state& state() const noexcept { return *state_; }
  /// For the inline path (rma/direct.hpp): copies, so that it need not read the rank's state.
  [[nodiscard]] fabric::reach_table words() const noexcept { return words_; }
  [[nodiscard]] fabric::reach_table atomics() const noexcept { return atomics_; }

  /// Runs handlers and completions that have arrived. Returns true if there were any.
  bool progress() const { return context_->progress(); }
  /// Spends time like a computation, without making progress.
  void compute(std::uint64_t duration_ns) const { context_->compute(duration_ns); }

  /// Runs program(view) on n threads of this rank, each with a view and a context of its own,
  /// and joins them. Rethrows the first exception once all have ended; so a thread that others of
  /// the group wait for must release them before it throws.
  /// Errors: bad_argument if n exceeds the number of contexts that the job was started with.
  void threads(int n, const std::function<void(world&)>& program) const;

 private:
  fabric::reach_table words_;
  fabric::reach_table atomics_;
  rank_state* state_;
  fabric::context* context_;
  int thread_;
};

}  // namespace far
