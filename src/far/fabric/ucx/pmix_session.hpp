#pragma once
// libfar's use of PMIx: the ranks of the job, and a store where ranks publish data for each other.

#include <pmix.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "far/fabric/ucx/pmix_call.hpp"

namespace far::fabric::ucx {

/// This process's membership in one of the jobs that mpirun, srun or prun has started. A process
/// has one session at a time. It ends with the job, not with the process: before its end, mpirun
/// treats the process's exit as a failure, afterwards it does not. MPI in the same process has its
/// own session; PMIx counts sessions, and one stays open until exit (pmix_join.cpp). Every call may
/// wait for the launcher's server on this machine. exchange, rendezvous and get may also wait for
/// other machines, so they time out. Errors: fabric_error; after one timeout, these three throw at
/// once. Checked by: LaunchMpirun.AnExitBeforeTheJobsEndEndsTheJob,
/// LaunchMpirun.AProcessMayEndAnyWayAfterTheJob.
class pmix_session {
 public:
  /// Errors: also bad_argument, if FAR_START_TIMEOUT is invalid.
  pmix_session();
  ~pmix_session();
  pmix_session(const pmix_session&) = delete;
  pmix_session& operator=(const pmix_session&) = delete;

  /// The process's session; null if it has none.
  [[nodiscard]] static pmix_session* current() noexcept { return current_; }

  [[nodiscard]] int rank() const noexcept { return static_cast<int>(self_.rank); }
  [[nodiscard]] int size() const noexcept { return size_; }
  /// Number of ranks of the job on this machine.
  [[nodiscard]] int local_size() const noexcept { return local_size_; }

  /// How long ranks wait for others to join, in seconds; 0: no limit. throw_late throws the error
  /// after that time.
  [[nodiscard]] std::uint64_t start_timeout_s() const noexcept { return start_timeout_s_; }
  [[noreturn]] void throw_late() const;
  /// Makes the launcher end all ranks and exit with `status`.
  void abort(int status) noexcept;
  /// Publishes bytes under a name of this rank, for all ranks in the next exchange.
  void put(const std::string& name, std::span<const std::byte> bytes);
  /// Collective, while ranks join: afterwards get() can read what all have put. Waits at most
  /// FAR_START_TIMEOUT seconds.
  /// Checked by: LaunchMpirun.ARankThatNeverComesIsNotWaitedForForEver.
  void exchange();
  /// Collective, when ranks leave: returns once all have called it. They have just met by packets,
  /// so it waits at most FAR_PEER_TIMEOUT seconds.
  void rendezvous();
  /// Reads what a rank has put. Does not wait if that rank's exchange has ended on this machine. If
  /// a packet from it arrives before that, waits for its machine, at most FAR_PEER_TIMEOUT seconds.
  /// Any thread may call it.
  [[nodiscard]] std::vector<std::byte> get(int rank, const std::string& name);

 private:
  [[nodiscard]] int number_of(const char* key) const;
  [[nodiscard]] std::string key_of(const std::string& name) const;
  void check_patience() const;
  [[nodiscard]] bool finish(pmix_call& call, const char* what, std::uint64_t limit_s);

  static inline pmix_session* current_ = nullptr;
  static inline int jobs_ = 0;                      // number of jobs that this process has joined
  static inline std::atomic<bool> gave_up_{false};  // a wait timed out; PMIx still waits

  std::uint64_t start_timeout_s_;
  pmix_proc_t self_{};
  int size_ = 0;
  int local_size_ = 0;
};

}  // namespace far::fabric::ucx
