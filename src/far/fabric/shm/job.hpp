#pragma once
// How shm starts ranks.

#include <memory>
#include <string_view>

#include "far/fabric/job.hpp"

namespace far::fabric::shm {

/// Ranks as threads of this process.
void run_threads(const job_options& options, const rank_body& body);
/// Ranks as processes forked from this one, which must be single-threaded.
void run_processes(const job_options& options, const rank_body& body);
/// This process as what FAR_JOB says: one rank, or as threads all of them.
[[nodiscard]] bool in_job() noexcept;
[[nodiscard]] int ranks_to_hold();
[[nodiscard]] std::unique_ptr<membership> join_job();
void run_all_ranks(const rank_body& body);
[[nodiscard]] bool launcher_reports() noexcept;
/// This process as the one rank of a job of its own.
[[nodiscard]] std::unique_ptr<membership> join_alone();

/// What FAR_JOB says instead of a rank to a process that is to hold all ranks.
inline constexpr std::string_view threads_membership = "threads";

}  // namespace far::fabric::shm
