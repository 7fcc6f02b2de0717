#pragma once
// A job: N ranks of one program, as threads, forked processes or fibers of this process, or as
// processes that a launcher started. Each leaf implements its modes; open.cpp dispatches to them.

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>

#include "far/fabric/fabric.hpp"

namespace far::fabric {

enum class job_mode : std::uint8_t {
  threads,    ///< shm, ranks are threads of this process
  processes,  ///< shm, ranks are forked from this (single-threaded) process
  ucx,        ///< as processes, but ranks of different nodes communicate through UCX; if mpirun
              ///< or similar started this process, the processes of its job are the ranks
  fibers      ///< sim, ranks are fibers of this thread: explored from a seed, or timed
};

/// Limits of a job on one machine.
inline constexpr int max_job_ranks = 4096;
inline constexpr int max_lanes = 16;     ///< per rank
inline constexpr int max_contexts = 48;  ///< per rank

/// The parameters of a job. Zero means the default, or the value of the FAR_* variable.
struct job_options {
  int ranks = 1;
  job_mode mode = job_mode::threads;
  std::uint64_t symmetric_bytes = 0;  ///< capacity of the symmetric segment, per rank
  std::uint64_t local_bytes = 0;      ///< capacity of the local segment, per rank
  int lanes = 1;                      ///< message queues per rank, 1 .. 16
  int max_contexts = 16;              ///< threads per rank that may use the fabric, 1 .. 48
  bool service = false;               ///< start each rank's service thread
  /// Makes the executable's static data (.data and .bss) a segment of each rank, at the same
  /// offsets on all. Only where each rank has a process of its own. fabric::address_of gives the
  /// addresses.
  bool static_data = false;
  int ranks_per_node = 0;    ///< fibers, ucx: ranks per machine; 0: all, or as the profile
  std::uint64_t seed = 1;    ///< fibers only: selects the orders that are explored
  std::string profile = {};  ///< fibers only: a machine whose time is simulated instead

  // Fibers without a profile only; see docs/simulator.md.
  std::string driver = {};       ///< chooses the orders, as FAR_SIM_DRIVER; "": random
  int kill_rank = -1;            ///< the rank that dies; -1: none
  std::uint64_t kill_at = 0;     ///< the call of the fabric at which it dies, counted from 1
  std::uint64_t patience = 0;    ///< steps without progress that are a livelock; 0: the default
  std::string* trace = nullptr;  ///< receives the choices, in the format of "replay:"
  std::string* story = nullptr;  ///< receives a line for each choice other than the calm one
};

using rank_body = std::function<void(fabric&)>;

/// Checks the options (bad_argument), runs body on every rank, and returns when all have ended.
/// Re-throws the first failure: from threads and fibers the exception itself, from a process an
/// exception of the same kind and text, or rank_failed if a process died.
void run_job(const job_options& options, const rank_body& body);

/// Whether a job can span machines: the library for that and its dependencies are installed.
[[nodiscard]] bool spans_machines() noexcept;

/// True if a launcher started this process for a job: as one of its ranks, or to run all of them.
[[nodiscard]] bool in_job() noexcept;

/// The number of ranks, if this process is to run all ranks of its job: as threads
/// (`far run --threads`) or fibers (`far sim`). 0: this process is one of several, or there is no
/// launcher.
/// Errors: bad_argument, fabric_error.
[[nodiscard]] int ranks_to_hold();

/// Runs the body on all of these ranks, as run_job does.
void run_all_ranks(const rank_body& body);

/// One rank's membership in a job, from joining to leaving. Belongs to the thread that has joined.
/// If it is destroyed without leave(), the rank has failed.
class membership {
 public:
  membership() = default;
  virtual ~membership() = default;
  membership(const membership&) = delete;
  membership& operator=(const membership&) = delete;

  [[nodiscard]] virtual fabric& own() noexcept = 0;
  /// Collective: ends the job. Afterwards the process may end in any way.
  virtual void leave() = 0;
  /// Reports to the job what this rank has thrown, so that the other ranks end, too.
  virtual void fail(const std::exception_ptr& why) noexcept = 0;
};

/// What a program may ask for of a job that a launcher has described. The same on all ranks.
struct join_options {
  bool static_data = false;  ///< as job_options::static_data
};

/// Joins, as one of its ranks, the job that a launcher started this process for. Without a
/// launcher, makes a job of one rank. A process is in one job at a time; the launcher's ranks may
/// form several jobs, one after the other. What it throws has been reported to the job.
/// Errors: fabric_error, also if ranks of different executables share their static data;
/// bad_argument, also if this process is to run several ranks; rank_failed.
[[nodiscard]] std::unique_ptr<membership> join_job(const join_options& options = {});

/// Runs the body on a rank that has joined, and leaves. Reports an exception of the body to the
/// job, so that the other ranks end, too, and re-throws it.
void run_member(membership& here, const rank_body& body);

/// True if a launcher prints the text of a membership's exceptions, so that this process need not.
[[nodiscard]] bool launcher_reports() noexcept;

/// Ends the whole job that this process is in: every rank's process ends, this one at once and
/// without destructors, and the launcher exits with `status`. Any thread may call it.
[[noreturn]] void exit_job(int status) noexcept;

}  // namespace far::fabric
