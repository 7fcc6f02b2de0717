#pragma once
// A rank's job, as the interpreter sees it, and how its calls leave the interpreter.

#include <nanobind/nanobind.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <far/far.hpp>

#include "inline_calls.hpp"
#include "mail.hpp"

namespace far::python {

namespace nb = nanobind;

/// The job has ended, or the object was freed.
class job_ended : public error {
  using error::error;
};

/// What ranks made together, and destroy together.
class structure {
 public:
  virtual ~structure() = default;
};

/// A thread's view of the world, and whose turn it is to use it.
struct lane {
  explicit lane(const far::world& view) : world(view) {}
  far::world world;
  std::mutex turn;
  bool has_ended = false;  // under `turn`: its thread has
};

/// Counted by all that was made in it, so it outlives its job; then everything throws job_ended.
///
/// Threads: each call that may wait leaves the interpreter and takes its turn, for a rank has one
/// view of the world for all of Python's threads. Those of world.threads, and the one that runs
/// other ranks' calls, have lanes of their own, found by the state that Python keeps of a thread:
/// ranks of a simulation share theirs.
class session : public std::enable_shared_from_this<session> {
 public:
  /// `holds_all`: this process has all ranks, each with a thread state of its own.
  [[nodiscard]] static std::shared_ptr<session> of(const far::world& world, bool holds_all);
  session(const far::world& world, bool holds_all);
  ~session();
  session(const session&) = delete;
  session& operator=(const session&) = delete;

  [[nodiscard]] int rank() const noexcept { return rank_; }
  [[nodiscard]] int size() const noexcept { return size_; }
  [[nodiscard]] bool holds_all_ranks() const noexcept { return holds_all_; }
  [[nodiscard]] bool has_ended() const noexcept { return ended_.load(std::memory_order_acquire); }
  void check() const {
    if (has_ended()) [[unlikely]]
      throw_ended();
  }

  /// Calls f(world) outside of the interpreter.
  /// Errors: job_ended; bad_argument in a call that runs inline.
  template <class F>
  auto detached(F f) {
    return detached_on(*lane_here(), std::move(f));
  }
  /// Calls f(world) inside the interpreter if its turn is free. For what does not wait for other
  /// ranks: leaving the interpreter and coming back costs more than that.
  template <class F>
  auto at_once(F f) {
    check();
    inline_calls::refuse_to_wait();
    lane& mine = *lane_here();
    if (!holds_all_ && mine.turn.try_lock()) {
      const std::scoped_lock turn(std::adopt_lock, mine.turn);
      return f(mine.world);
    }
    return detached_on(mine, std::move(f));
  }
  template <class F>
  auto detached_on(lane& mine, F f) {
    check();
    inline_calls::refuse_to_wait();
    const nb::gil_scoped_release release;
    const std::scoped_lock turn(mine.turn);
    check();
    if (mine.has_ended) throw_thread_ended();
    return f(mine.world);
  }
  /// Of this thread.
  [[nodiscard]] const std::shared_ptr<lane>& lane_here() const {
    if (!others_.empty()) {
      const PyThreadState* const now = PyThreadState_Get();
      for (const auto& [of, one] : others_) {
        if (of == now) return one;
      }
    }
    return main_;
  }
  /// Calls f(world), for what only the rank's own view can do: that keeps the world for later.
  /// Errors: bad_argument in a thread with a lane of its own.
  template <class F>
  auto on_main(F f) {
    if (lane_here() != main_) throw_not_main();
    return detached_on(*main_, std::move(f));
  }
  /// For who needs no context: the memory of this machine, by instructions.
  [[nodiscard]] const far::world& view() const noexcept { return main_->world; }

  [[nodiscard]] mailbox& mail() noexcept { return mail_; }
  /// Rung when a call that this rank has made is answered.
  [[nodiscard]] const bell& answers() const noexcept { return answers_; }
  /// Of what other ranks call inline.
  [[nodiscard]] inline_calls& inlines() noexcept { return inlines_; }

  /// While it exists, this thread has a lane of its own.
  class own_lane {
   public:
    own_lane(session& in, const far::world& view);
    ~own_lane();
    own_lane(const own_lane&) = delete;
    own_lane& operator=(const own_lane&) = delete;

   private:
    session& in_;
    PyThreadState* of_;
    std::shared_ptr<lane> lane_;
  };
  /// The view of the rank's own thread from here on. Called before anything uses the session.
  void use(const far::world& view) { main_ = std::make_shared<lane>(view); }
  /// The view of the thread that runs other ranks' calls, where the process is one rank.
  [[nodiscard]] far::world second_view() const;

  /// Makes a structure, collectively: make(world) returns it. Destroys first what all ranks have
  /// dropped. The pointer's last owner drops it, which does not communicate.
  template <class T, class Make>
  std::shared_ptr<T> make(Make make) {
    return on_main([&](far::world& world) {
      collect(world);
      const std::uint64_t id = next_id_++;
      return std::shared_ptr<T>(make(world).release(), [in = shared_from_this(), id](T* it) {
        in->drop(id, std::unique_ptr<structure>(it));
      });
    });
  }
  /// Collective: destroys what all ranks have dropped.
  void collect(const far::world& world);

  /// The rank leaves its job. Called by who holds the interpreter.
  void end() noexcept;

 private:
  void drop(std::uint64_t id, std::unique_ptr<structure> it) noexcept;
  [[noreturn]] static void throw_ended();
  [[noreturn]] static void throw_thread_ended();
  [[noreturn]] static void throw_not_main();

  int rank_;
  int size_;
  bool holds_all_;
  std::atomic<bool> ended_{false};
  std::shared_ptr<lane> main_;
  // Few. Changed by who holds the interpreter.
  std::vector<std::pair<PyThreadState*, std::shared_ptr<lane>>> others_;
  std::unique_ptr<fabric::context> second_context_;
  mailbox mail_;
  bell answers_;
  inline_calls inlines_;
  std::uint64_t next_id_ = 0;
  std::mutex dropping_;
  std::map<std::uint64_t, std::unique_ptr<structure>> dropped_;
};

/// Where a rank's handlers find its session.
struct session_of_rank {
  explicit session_of_rank(rank_state& /*unused*/) {}
  std::weak_ptr<session> in;
};

}  // namespace far::python
