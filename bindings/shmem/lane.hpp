#pragma once
// What operations are issued on: a context of the fabric.
//
// Threads: in a job of SHMEM_THREAD_MULTIPLE each thread has a lane behind the default context, and
// each context that the program creates has one; where the fabric has no more contexts, lanes share
// the last (shared_context.hpp). Who uses a lane holds its mutex. A lane behind the default context
// has only its thread, so that may wait meanwhile for whatever comes.

#include <memory>
#include <mutex>
#include <utility>

#include <far/fabric/fabric.hpp>
#include <far/world/world.hpp>

namespace far::shmem {

class lane {
 public:
  /// The lane of the thread that has joined the job, with the job's own context.
  explicit lane(far::world& of) noexcept : world_(of.state(), of.context()) {}
  lane(rank_state& state, std::unique_ptr<fabric::context> own)
      : own_(std::move(own)), world_(state, *own_) {}
  lane(const lane&) = delete;
  lane& operator=(const lane&) = delete;

  [[nodiscard]] const far::world& world() const noexcept { return world_; }
  [[nodiscard]] fabric::context& context() const noexcept { return world_.unchecked_context(); }

 private:
  friend class lane_use;
  std::mutex mutex_;
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

 private:
  lane* lane_;
  std::unique_lock<std::mutex> lock_;
};

}  // namespace far::shmem
