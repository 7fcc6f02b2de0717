#pragma once
// A rank's job, as the interpreter sees it, and how its calls leave the interpreter.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include <far/far.hpp>

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

/// What other ranks have sent to this one's interpreter: calls and results.
class mailbox {
 public:
  struct message {
    int from = 0;
    std::string bytes;
  };

  void deliver(message what);
  /// Waits for the next message; nothing once it is closed.
  [[nodiscard]] std::optional<message> receive();
  void close();

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<message> messages_;
  bool closed_ = false;
};

/// Counted by all that was made in it, so it outlives its job; then everything throws job_ended.
///
/// Threads: each call that may wait leaves the interpreter and takes its turn, for a rank has one
/// view of the world for all of Python's threads. The thread that runs other ranks' calls has its
/// own, as those callers may be what the first waits for.
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
  template <class F>
  auto detached(F f) {
    check();
    const nb::gil_scoped_release release;
    lane& mine = this_thread();
    const std::scoped_lock turn(mine.turn);
    check();
    return f(mine.world);
  }
  /// For who needs no context: the memory of this machine, by instructions.
  [[nodiscard]] const far::world& view() const noexcept { return main_.world; }

  [[nodiscard]] mailbox& mail() noexcept { return mail_; }

  /// This thread uses the second view from here on.
  void enter_thread();

  /// Makes a structure, collectively: make(world) returns it. Destroys first what all ranks have
  /// dropped. The pointer's last owner drops it, which does not communicate.
  template <class T, class Make>
  std::shared_ptr<T> make(Make make) {
    return detached([&](far::world& world) {
      collect(world);
      const std::uint64_t id = next_id_++;
      return std::shared_ptr<T>(make(world).release(), [in = shared_from_this(), id](T* it) {
        in->drop(id, std::unique_ptr<structure>(it));
      });
    });
  }
  /// Collective: destroys what all ranks have dropped.
  void collect(const far::world& world);

  /// The rank has left its job.
  void end() noexcept;

 private:
  struct lane {
    far::world world;
    std::mutex turn;
  };

  [[nodiscard]] lane& this_thread() noexcept {
    return second_ && std::this_thread::get_id() == second_thread_ ? *second_ : main_;
  }
  void drop(std::uint64_t id, std::unique_ptr<structure> it) noexcept;
  [[noreturn]] static void throw_ended();

  int rank_;
  int size_;
  bool holds_all_;
  std::atomic<bool> ended_{false};
  lane main_;
  std::unique_ptr<fabric::context> second_context_;
  std::unique_ptr<lane> second_;
  std::thread::id second_thread_;
  mailbox mail_;
  std::uint64_t next_id_ = 0;
  std::mutex dropping_;
  std::map<std::uint64_t, std::unique_ptr<structure>> dropped_;
};

/// Where a rank's handlers find its session.
struct session_of_rank {
  explicit session_of_rank(rank_state& /*unused*/) {}
  std::weak_ptr<session> in;
};

/// The bytes of an array, one after the other.
template <class T>
using bytes_of = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

}  // namespace far::python
