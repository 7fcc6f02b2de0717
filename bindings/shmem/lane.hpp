#pragma once
// What operations are issued on: a context of the fabric, and the gets that it has in flight.
//
// Threads: in a job of SHMEM_THREAD_MULTIPLE each thread has a lane behind the default context, and
// each context that the program creates has one; where the fabric has no more contexts, they share.
// Who uses a lane holds its mutex, since a quiet of the default context ends the operations of all
// lanes behind it. A thread that waits for what others do first ends its own operations, and then
// waits without the mutex: its lane is *parked*, and a quiet passes it by.

#include <memory>
#include <mutex>
#include <utility>

#include <far/fabric/fabric.hpp>
#include <far/world/world.hpp>

namespace far::shmem {

class lane {
 public:
  enum class kind : bool { single, shared };

  /// The lane of the thread that has joined the job, with the job's own context.
  explicit lane(far::world& of) noexcept : world_(of.state(), of.context()) {}
  lane(rank_state& state, std::unique_ptr<fabric::context> own, kind what)
      : kind_(what), own_(std::move(own)), world_(state, *own_) {}
  lane(const lane&) = delete;
  lane& operator=(const lane&) = delete;

  [[nodiscard]] const far::world& world() const noexcept { return world_; }
  [[nodiscard]] fabric::context& context() const noexcept { return world_.unchecked_context(); }

  /// Whether threads or contexts share it: then nobody waits without the mutex.
  [[nodiscard]] bool is_shared() const noexcept { return kind_ == kind::shared; }

  /// Of gets, and of atomics that fetch, which have not been waited for.
  fabric::completion fetches;

  /// All operations that were issued here are complete, and visible at their targets.
  void complete();
  /// The same for those at one PE. (Fetches are not told apart by PE.)
  void complete(int pe);

 private:
  friend class lane_use;
  kind kind_ = kind::single;
  std::mutex mutex_;
  bool is_parked_ = false;  // under mutex_
  std::unique_ptr<fabric::context> own_;
  far::world world_;
};

/// The calling thread uses a lane, while the object lives.
class lane_use {
 public:
  /// `locks`: other threads may use it.
  lane_use(lane& of, bool locks) : lane_(&of), lock_(of.mutex_, std::defer_lock) {
    if (locks) lock_.lock();
  }
  lane* operator->() const noexcept { return lane_; }
  lane& operator*() const noexcept { return *lane_; }
  [[nodiscard]] bool is_parked() const noexcept { return lane_->is_parked_; }

  /// Calls f, which waits for other threads or PEs, and issues nothing that a quiet is for.
  template <class F>
  void parked(F f) {
    if (!lock_.owns_lock() || lane_->is_shared()) return f();
    lane_->complete();
    lane_->is_parked_ = true;
    lock_.unlock();
    const struct back {
      lane_use& self;
      ~back() {
        self.lock_.lock();
        self.lane_->is_parked_ = false;
      }
    } returns{*this};
    f();
  }

 private:
  lane* lane_;
  std::unique_lock<std::mutex> lock_;
};

}  // namespace far::shmem
