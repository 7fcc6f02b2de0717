#pragma once
// The world: one thread's view of its rank's job. It is passed to the program and to every
// structure. There are no globals, because ranks may share a process.

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <typeinfo>
#include <utility>
#include <vector>

#include "far/base/std_layout.hpp"
#include "far/fabric/fabric.hpp"
#include "far/fabric/reach.hpp"

namespace far {

/// The state that all threads of a rank share: its fabric, and objects that the layers above
/// attach. Thread-safe. Handlers get it as message::owner.
///
/// It is counted: it exists while the rank is in its job, and while copies of its views exist. So
/// objects may outlive their job. Then they throw far::error when they are used, and only that; the
/// memory to which they have plain pointers stays mapped.
/// Checked by: outliving_test.objects_and_views_throw, outliving_test.destructors_do_nothing
class rank_state {
 public:
  /// The maker holds it once.
  explicit rank_state(fabric::fabric& fabric);
  rank_state(const rank_state&) = delete;
  rank_state& operator=(const rank_state&) = delete;

  /// Errors: far::error after the job.
  [[nodiscard]] fabric::fabric& fabric() const {
    if (fabric_ == nullptr) [[unlikely]]
      throw_ended();
    return *fabric_;
  }
  [[nodiscard]] const fabric::reach& reach() const noexcept { return reach_; }
  [[nodiscard]] int rank() const noexcept { return rank_; }
  [[nodiscard]] int size() const noexcept { return size_; }

  /// This rank's only T. It is made as T(rank_state&) at the first call, and destroyed when the
  /// rank leaves its job, in reverse order. A lock is held while T is made, so its constructor must
  /// not wait. Cost: a lock and a short scan; keep the reference. It is the same object for all
  /// code of the process, whatever its visibility; a library whose code has made a T must stay
  /// loaded until the rank leaves.
  /// Errors: far::error after the job.
  /// Checked by: hidden_plugin_test.shares_what_its_program_keeps
  template <class T>
  T& get() {
    const std::scoped_lock lock(mutex_);
    if (void* const there = find(typeid(T))) return *static_cast<T*>(there);
    auto made = std::shared_ptr<T>(new T(*this));
    attachments_.push_back({&typeid(T), made});
    return *made;
  }

  /// Keeps an error that a destructor cannot throw. The next collective of this rank, or its end,
  /// throws the first one.
  void keep(std::exception_ptr error) noexcept;
  void throw_kept() {
    if (keeps_.load(std::memory_order_relaxed)) [[unlikely]]
      rethrow_kept();
  }

  void hold() noexcept { holders_.fetch_add(1, std::memory_order_relaxed); }
  void release() noexcept {
    if (holders_.fetch_sub(1, std::memory_order_acq_rel) == 1) [[unlikely]]
      destroy(this);
  }
  /// The rank leaves its job: destroys what is attached.
  void end() noexcept;
  [[nodiscard]] bool ended() const noexcept { return fabric_ == nullptr; }

 private:
  ~rank_state() = default;
  /// Not inlined: where each copy of a view ends, it would crowd loops.
  static void destroy(rank_state* state) noexcept;
  struct attachment {
    const std::type_info* type;
    std::shared_ptr<void> object;
  };
  [[nodiscard]] void* find(const std::type_info& type);
  [[noreturn]] void throw_ended() const;
  void rethrow_kept();

  fabric::fabric* fabric_;  // null after the job
  int rank_;
  int size_;
  std::atomic<bool> keeps_{false};
  std::atomic<std::uint32_t> holders_{1};
  fabric::reach reach_;
  std::recursive_mutex mutex_;  // the constructor of a T may get() another object
  std::vector<attachment> attachments_;
  std::exception_ptr kept_;             // under mutex_
  std::shared_ptr<const void> memory_;  // after the job
};

/// Holds a rank's state.
class rank_holder {
 public:
  explicit rank_holder(rank_state& state) noexcept : state_(&state) { state.hold(); }
  rank_holder(const rank_holder& other) noexcept : rank_holder(*other.state_) {}
  rank_holder& operator=(const rank_holder&) = delete;
  ~rank_holder() { state_->release(); }

  [[nodiscard]] rank_state& operator*() const noexcept { return *state_; }
  [[nodiscard]] rank_state* operator->() const noexcept { return state_; }

 private:
  rank_state* state_;
};

/// One thread's view of its rank: five words, cheap to copy. Not thread-safe, because its context
/// is not; world.threads gives each thread a view of its own. After the rank has left its job,
/// copies still know rank(), size() and thread(); whatever else they are used for throws
/// far::error. A copy must not outlive its thread within the job. Cost of a copy: an atomic
/// addition, and one when it is destroyed.
class world {
 public:
  /// Does not hold the state, as copies do: its maker does.
  world(rank_state& state, fabric::context& context, int thread = 0) noexcept
      : words_(state.reach().words()),
        atomics_(state.reach().atomics()),
        state_(&state),
        context_(&context),
        thread_(thread),
        holds_(false) {}
  world(const world& other) noexcept
      : words_(other.words_),
        atomics_(other.atomics_),
        state_(other.state_),
        context_(other.context_),
        thread_(other.thread_),
        holds_(true) {
    state_->hold();
  }
  world& operator=(const world& other) noexcept {
    other.state_->hold();
    if (holds_) state_->release();
    words_ = other.words_;
    atomics_ = other.atomics_;
    state_ = other.state_;
    context_ = other.context_;
    thread_ = other.thread_;
    holds_ = true;
    return *this;
  }
  ~world() {
    if (holds_) state_->release();
  }

  /// A copy without the atomic additions, for what does not outlive this view: the parts of an
  /// operation. Copies of it hold the state.
  [[nodiscard]] world borrowed() const noexcept { return world(*this, borrow{}); }

  /// This rank's number, 0 .. size()-1, and the number of ranks.
  [[nodiscard]] int rank() const noexcept { return state_->rank(); }
  [[nodiscard]] int size() const noexcept { return state_->size(); }
  /// 0 for the rank's first thread; 0 .. n-1 inside threads(n, ...).
  [[nodiscard]] int thread() const noexcept { return thread_; }
  /// The number of the machine (node) that holds `rank`.
  [[nodiscard]] int node_of(int rank) const { return fabric().node_of(rank); }
  /// Nanoseconds since the job started; virtual in a simulation.
  [[nodiscard]] std::uint64_t now() const { return fabric().now(); }

  [[nodiscard]] fabric::fabric& fabric() const { return state_->fabric(); }
  [[nodiscard]] fabric::context& context() const {
    static_cast<void>(state_->fabric());  // throws after the job
    return *context_;
  }
  /// The same, for who makes the check of context() later.
  [[nodiscard]] fabric::context& unchecked_context() const noexcept { return *context_; }
  [[nodiscard]] rank_state& state() const noexcept { return *state_; }
  /// For the inline path (rma/direct.hpp): copies, so that it need not read the rank's state.
  [[nodiscard]] fabric::reach_table words() const noexcept { return words_; }
  [[nodiscard]] fabric::reach_table atomics() const noexcept { return atomics_; }

  /// Runs handlers and completions that have arrived. Returns true if there were any.
  bool progress() const { return context().progress(); }
  /// Spends time like a computation, without making progress.
  void compute(std::uint64_t duration_ns) const { context().compute(duration_ns); }

  /// Runs program(world) on n threads of this rank, each with a view and a context of its own,
  /// and joins them. Rethrows the first exception once all have ended; so a thread that others of
  /// the group wait for must release them before it throws.
  /// Errors: bad_argument if n exceeds the number of contexts that the job was started with.
  void threads(int n, const std::function<void(world&)>& program) const;

 private:
  struct borrow {};
  world(const world& other, borrow /*unused*/) noexcept
      : words_(other.words_),
        atomics_(other.atomics_),
        state_(other.state_),
        context_(other.context_),
        thread_(other.thread_),
        holds_(false) {}

  fabric::reach_table words_;
  fabric::reach_table atomics_;
  rank_state* state_;
  fabric::context* context_;
  int thread_;
  bool holds_;
};

}  // namespace far
