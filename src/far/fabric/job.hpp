#pragma once
// A job: N ranks of one program, as threads, forked processes or fibers of this process, or as
// processes that a launcher started. Each leaf implements its modes; open.cpp chooses.

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
  ucx,        ///< the same, but ranks of different nodes reach each other through UCX; where
              ///< mpirun or its like started this process, its job's processes are the ranks
  fibers      ///< sim, ranks are fibers of this thread: explored from a seed, or timed
};

/// What a job on one machine can have at most.
inline constexpr int most_ranks = 4096;
inline constexpr int most_lanes = 16;     ///< per rank
inline constexpr int most_contexts = 48;  ///< per rank

/// What a job is made of. Zero means: the default, or what FAR_* variables say.
struct job_options {
  int ranks = 1;
  job_mode mode = job_mode::threads;
  std::uint64_t symmetric_bytes = 0;  ///< capacity of the symmetric segment, per rank
  std::uint64_t local_bytes = 0;      ///< capacity of the local segment, per rank
  int lanes = 1;                      ///< queues of messages per rank, 1 .. 16
  int max_contexts = 16;              ///< threads per rank that may use the fabric, 1 .. 48
  bool service = false;               ///< start each rank's service thread
  int ranks_per_node = 0;             ///< fibers, ucx: how ranks share machines; 0: see there
  std::uint64_t seed = 1;             ///< fibers only: which orders are explored
  std::string profile = {};           ///< fibers only: a machine whose time is told instead

  // Fibers without a profile only; docs/simulator.md tells more.
  std::string driver = {};       ///< who chooses the orders, as FAR_SIM_DRIVER says; "": random
  int kill_rank = -1;            ///< this rank dies,
  std::uint64_t kill_at = 0;     ///< at this call of the fabric, counted from 1
  std::uint64_t patience = 0;    ///< steps without progress that are a livelock; 0: the default
  std::string* trace = nullptr;  ///< receives the choices, as "replay:" takes them
  std::string* story = nullptr;  ///< receives a line per choice that is not the calm one
};

using rank_body = std::function<void(fabric&)>;

/// Checks the options (bad_argument), runs body on every rank, and returns when all have ended.
/// Re-throws the first failure: as the exception itself from threads and fibers, as an exception
/// of the same kind and text from a process; rank_failed if a process died.
void run_job(const job_options& options, const rank_body& body);

/// Whether a job may span machines: the library for that is there, and what it needs.
[[nodiscard]] bool spans_machines() noexcept;

/// True when a launcher started this process for a job: as one of its ranks, or for all of them.
[[nodiscard]] bool in_job() noexcept;

/// How many there are, when it is for all of them: as threads (`far run --threads`) or fibers
/// (`far sim`). 0: this process is one of several, or there is no launcher.
/// Errors: bad_argument, fabric_error.
[[nodiscard]] int ranks_to_hold();

/// Runs the body on all of them, as run_job does.
void run_all_ranks(const rank_body& body);

/// One rank's place in a job, from joining to leaving. Belongs to the thread that has joined. At
/// its end without leave() the rank has failed.
class membership {
 public:
  membership() = default;
  virtual ~membership() = default;
  membership(const membership&) = delete;
  membership& operator=(const membership&) = delete;

  [[nodiscard]] virtual fabric& own() noexcept = 0;
  /// Collective: the end of the job. From then on the process may end in any way.
  virtual void leave() = 0;
  /// Tells the job of what this rank has thrown: the others end, too.
  virtual void fail(const std::exception_ptr& why) noexcept = 0;
};

/// Joins the job that a launcher started this process for, as one of its ranks, else makes one of
/// one rank. A process is in one job at a time, and the launcher's ranks may meet for one after the
/// other. What it throws the job has been told.
/// Errors: fabric_error; bad_argument, also where this process is to hold several ranks;
/// rank_failed.
[[nodiscard]] std::unique_ptr<membership> join_job();

/// Runs the body on a rank that has joined, and leaves. An exception of the body is told to the
/// job, so that the others end too, and re-thrown.
void run_member(membership& here, const rank_body& body);

/// True when a launcher tells the user what an exception of a membership says, so that this process
/// need not.
[[nodiscard]] bool launcher_reports() noexcept;

/// Ends the whole job that this process is in: every rank's process ends, this one at once, without
/// destructors, and the launcher ends with `status`. Any thread may call it.
[[noreturn]] void exit_job(int status) noexcept;

}  // namespace far::fabric
