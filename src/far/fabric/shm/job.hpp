#pragma once
// The modes of a job that shm implements; see fabric/job.hpp.

#include <memory>
#include <string_view>

#include "far/fabric/job.hpp"

namespace far::fabric::shm {

/// Runs ranks as threads of this process.
void run_threads(const job_options& options, const rank_body& body);
/// Runs ranks as processes forked from this one, which must be single-threaded.
void run_processes(const job_options& options, const rank_body& body);
// For a process that a launcher started: FAR_JOB makes it one rank, or all of them as threads.
[[nodiscard]] bool in_job() noexcept;
[[nodiscard]] int ranks_to_hold();
[[nodiscard]] std::unique_ptr<membership> join_job(const join_options& options);
void run_all_ranks(const rank_body& body);
[[nodiscard]] bool launcher_reports() noexcept;
/// Makes a job that has this process as its only rank.
[[nodiscard]] std::unique_ptr<membership> join_alone(const join_options& options);

/// Replaces the rank in FAR_JOB for a process that is to run all ranks.
inline constexpr std::string_view threads_membership = "threads";

}  // namespace far::fabric::shm
