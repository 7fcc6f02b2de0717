#pragma once
// What libfar asks of PMIx: who is in the job, and a place to leave words for the others.

#include <pmix.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "far/fabric/ucx/pmix_call.hpp"

namespace far::fabric::ucx {

/// This process's membership in one job of those that mpirun, srun or prun has started. A process
/// has one at a time. It ends with the job, and not with the process: until then mpirun takes the
/// process's end for a failure, from then on it does not. MPI in the same process has a session of
/// its own; PMIx counts them, and there stays one until exit (pmix_join.cpp). Every call may wait
/// for the launcher's server, which is on this machine; exchange, meet and get may wait for other
/// machines, and therefore not for ever. Errors: fabric_error, and once a wait has taken too long
/// for all of these calls at once. Checked by: LaunchMpirun.AnExitBeforeTheJobsEndEndsTheJob,
/// LaunchMpirun.AProcessMayEndAnyWayAfterTheJob.
class pmix_session {
 public:
  /// Errors: bad_argument too, for FAR_START_TIMEOUT.
  pmix_session();
  ~pmix_session();
  pmix_session(const pmix_session&) = delete;
  pmix_session& operator=(const pmix_session&) = delete;

  /// The process's own; null: it has none.
  [[nodiscard]] static pmix_session* current() noexcept { return current_; }

  [[nodiscard]] int rank() const noexcept { return static_cast<int>(self_.rank); }
  [[nodiscard]] int size() const noexcept { return size_; }
  /// Ranks of the job on this machine.
  [[nodiscard]] int local_size() const noexcept { return local_size_; }

  /// How long ranks wait for others to join; 0: for ever. And the error when that is over.
  [[nodiscard]] std::uint64_t start_timeout_s() const noexcept { return start_timeout_s_; }
  [[noreturn]] void throw_late() const;
  /// Has the launcher end all ranks, and itself with `status`.
  void abort(int status) noexcept;
  /// Leaves bytes under a name of this rank, for all that come to the next exchange.
  void put(const std::string& name, std::span<const std::byte> bytes);
  /// Collective, while ranks join: what all have put can be got. Each waits FAR_START_TIMEOUT
  /// seconds at most.
  /// Checked by: LaunchMpirun.ARankThatNeverComesIsNotWaitedForForEver.
  void exchange();
  /// Collective, when ranks leave: returns once all have come. All have met by packets just before,
  /// hence FAR_PEER_TIMEOUT seconds at most.
  void meet();
  /// Does not wait where that rank's exchange is over here. Where a packet of its is faster than
  /// the end of the exchange, waits for its machine, FAR_PEER_TIMEOUT seconds at most. Any thread.
  [[nodiscard]] std::vector<std::byte> get(int rank, const std::string& name);

 private:
  [[nodiscard]] int number_of(const char* key) const;
  [[nodiscard]] std::string key_of(const std::string& name) const;
  void check_patience() const;
  [[nodiscard]] bool finish(pmix_call& call, const char* what, std::uint64_t limit_s);

  static inline pmix_session* current_ = nullptr;
  static inline int jobs_ = 0;                      // that this process has been in
  static inline std::atomic<bool> gave_up_{false};  // a wait took too long; PMIx still waits

  std::uint64_t start_timeout_s_;
  pmix_proc_t self_{};
  int size_ = 0;
  int local_size_ = 0;
};

}  // namespace far::fabric::ucx
