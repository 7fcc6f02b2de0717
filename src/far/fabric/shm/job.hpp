#pragma once
// How shm starts ranks.

#include <string_view>

#include "far/fabric/job.hpp"

namespace far::fabric::shm {

/// Ranks as threads of this process.
void run_threads(const job_options& options, const rank_body& body);
/// Ranks as processes forked from this one, which must be single-threaded.
void run_processes(const job_options& options, const rank_body& body);
/// This process as the rank that FAR_JOB says.
[[nodiscard]] bool in_job() noexcept;
void join_job(const rank_body& body);
[[nodiscard]] bool launcher_reports() noexcept;

/// What FAR_JOB says instead of a rank to a process that is to hold all ranks.
inline constexpr std::string_view threads_membership = "threads";

}  // namespace far::fabric::shm
