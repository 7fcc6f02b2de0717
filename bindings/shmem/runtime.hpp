#pragma once
// What a process that uses the interface is: one PE of a job of libfar. The interface has no object
// for it, so there is one for the process.

#include <compare>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

#include <far/world/job.hpp>

#include "shmem/context.hpp"
#include "shmem/lane.hpp"
#include "shmem/shared_context.hpp"
#include "shmem/team.hpp"

namespace far::shmem {

class runtime {
 public:
  /// Collective: joins the job. Errors: what far::job throws.
  explicit runtime(int threads);
  ~runtime();
  runtime(const runtime&) = delete;
  runtime& operator=(const runtime&) = delete;

  /// The process's only one. Errors: bad_argument before shmem_init and after shmem_finalize.
  [[nodiscard]] static runtime& get();
  /// Null: there is none.
  [[nodiscard]] static runtime* find() noexcept;

  /// Collective: leaves the job.
  void leave();

  [[nodiscard]] far::world& world() noexcept { return job_.world(); }
  [[nodiscard]] int pe() const noexcept { return pe_; }
  [[nodiscard]] int pes() const noexcept { return pes_; }
  /// SHMEM_THREAD_SINGLE to SHMEM_THREAD_MULTIPLE.
  [[nodiscard]] int threads() const noexcept { return threads_; }
  /// Whether several threads may call at once.
  [[nodiscard]] bool is_threaded() const noexcept { return threads_ == SHMEM_THREAD_MULTIPLE; }
  /// SHMEM_DEBUG: every access is checked.
  [[nodiscard]] bool is_checked() const noexcept { return checked_; }

  /// The lane of the calling thread behind the default context.
  [[nodiscard]] lane& own_lane();
  /// A lane for a thread or a context.
  [[nodiscard]] lane& take_lane();
  void give_back(lane& used);
  /// PEs `start`, `start + stride`, ...
  struct strided_set {
    int start;
    int stride;
    int size;
    friend auto operator<=>(const strided_set&, const strided_set&) = default;
  };
  /// The team of these PEs, of which this one is one. Its members make it at the first call.
  [[nodiscard]] far_shmem_team& member_made_team(const strided_set& of);

  far_shmem_team team_world;
  far_shmem_team team_shared;
  std::mutex mutex;  ///< of what follows
  std::unordered_map<const far_shmem_team*, std::unique_ptr<far_shmem_team>> teams;
  std::unordered_map<const far_shmem_ctx*, std::unique_ptr<far_shmem_ctx>> contexts;
  std::map<strided_set, std::unique_ptr<far_shmem_team>> sets;

 private:
  void make_teams();
  [[nodiscard]] std::unique_ptr<fabric::context> open_context();
  void close_lanes();

  job job_;
  std::thread::id thread_;  ///< that has joined
  int pe_;
  int pes_;
  int threads_;
  bool checked_;
  bool serves_ = false;  // a service thread answers while this PE computes
  std::mutex mutex_;     // of the lanes
  lane main_;
  std::unique_ptr<common_context> common_;  // the last one that the fabric had; null: not yet
  std::vector<std::unique_ptr<lane>> lanes_;
  std::vector<lane*> free_;
};

}  // namespace far::shmem
