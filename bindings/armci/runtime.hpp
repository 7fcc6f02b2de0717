#pragma once
// What a process that uses ARMCI's interface is: one rank of a job of libfar beside MPI. The
// interface has no object for it, so there is one for the process.
//
// Threads: calls of the interface take turns (armci/turn.hpp).

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "armci/mutexes.hpp"
#include "armci/pending.hpp"
#include "armci/turn.hpp"
#include "far/base/unwinding.hpp"
#include "far/fabric/address.hpp"
#include "far/world/job.hpp"

namespace far::armci {

class runtime {
 public:
  /// Collective: joins the job. MPI is initialized.
  /// Errors: bad_argument if libfar and MPI see different jobs; what far::job throws.
  runtime();
  /// Collective, unless an exception destroys it.
  ~runtime();
  runtime(const runtime&) = delete;
  runtime& operator=(const runtime&) = delete;

  /// The process's only one. Errors: bad_argument unless ARMCI is initialized.
  [[nodiscard]] static runtime& get();
  [[nodiscard]] static bool is_initialized() noexcept;
  /// Counted: the first init makes the object, the last finalize destroys it.
  static void init();
  static void finalize();
  /// Destroys the object, whatever the count is.
  static void finalize_all();

  [[nodiscard]] far::world& world() noexcept { return job_.world(); }
  [[nodiscard]] int rank() const noexcept { return rank_; }
  [[nodiscard]] int size() const noexcept { return static_cast<int>(windows_.size()); }
  /// A communicator of all ranks, for the interface's own messages.
  [[nodiscard]] MPI_Comm comm() const noexcept { return comm_; }

  /// Whether `place` is in this process's memory that others can reach.
  [[nodiscard]] bool is_shared(const void* place) const noexcept;
  /// The address of `bytes` bytes at `place`, a pointer of process `proc`.
  /// Errors: bad_argument if there is no such rank, or if it has not allocated that memory.
  [[nodiscard]] fabric::address address_of(const void* place, int proc, std::uint64_t bytes);
  /// The pointer of this process to memory of its own.
  [[nodiscard]] void* pointer_to(fabric::address own) noexcept;
  /// Errors: bad_argument unless `proc` is a rank.
  void check_rank(int proc) const;

  [[nodiscard]] pending& operations() noexcept { return operations_; }
  /// A barrier of the members of `comm`. That of all ranks is libfar's, unless threads take turns:
  /// who waits in it sleeps, and answers others.
  void barrier(MPI_Comm comm);
  void barrier() { barrier(comm_); }
  /// Waits for this rank's operations, at `proc` or at all, and makes them visible.
  void fence(int proc);
  void fence_all();
  [[nodiscard]] std::unique_ptr<mutexes>& mutex_set() noexcept { return mutexes_; }
  /// Errors: bad_argument unless there are mutexes.
  [[nodiscard]] mutexes& made_mutexes();

 private:
  void leave();

  base::unwind_watch watch_;
  job job_;
  int rank_;
  bool serves_ = false;  ///< a service thread answers while this rank computes
  MPI_Comm comm_ = MPI_COMM_NULL;
  std::vector<std::uintptr_t> windows_;  ///< where each rank's local segment begins in its process
  std::uint64_t capacity_;               ///< of that segment
  pending operations_;
  std::unique_ptr<mutexes> mutexes_;
};

/// Prints a line that names the call, the rank and the reason, and ends the job.
[[noreturn]] void end_job(const char* call, const std::exception& why) noexcept;

/// The body of a function of the interface: what it throws ends the job.
template <class F>
auto guarded(const char* call, F&& body) noexcept -> decltype(body()) {
  try {
    const turn own;
    return body();
  } catch (const std::exception& failure) {
    end_job(call, failure);
  }
}

/// The same for functions that return 0.
template <class F>
int guarded_0(const char* call, F&& body) noexcept {
  guarded(call, std::forward<F>(body));
  return 0;
}

}  // namespace far::armci
