#pragma once
// Which orders a job explores: its options say so, or FAR_SIM_* variables where the options leave
// it open.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "far/fabric/job.hpp"
#include "far/fabric/sim/explore/exhaustive.hpp"
#include "far/fabric/sim/explore/explorer.hpp"

namespace far::fabric::sim {

/// The options, completed from the environment: FAR_SIM_DRIVER, FAR_SIM_KILL, FAR_SIM_PATIENCE.
/// Errors: bad_argument.
[[nodiscard]] job_options with_environment(job_options options);

/// The driver that `options.driver` names, unless that is the exhaustive one: "random" or nothing,
/// "random:pause", "pct:DEPTH", "pct:DEPTH:STEPS", "replay:TRACE". Errors: bad_argument.
[[nodiscard]] std::unique_ptr<driver> make_driver(const job_options& options);

/// If `chooses` is null, make_driver's driver is used. `stalled` is called on livelocks. Logs to
/// the files that FAR_SIM_RECORD and FAR_SIM_STORY name, and for options.trace and options.story.
[[nodiscard]] std::unique_ptr<explorer> make_explorer(const job_options& options,
                                                      std::unique_ptr<driver> chooses,
                                                      std::function<void(std::uint64_t)> stalled);

/// Whether the job is to be run in all orders, or in as many as the limits allow.
[[nodiscard]] bool explores_all(const job_options& options) noexcept;

/// Runs the job in one order after the other until one fails. Then prints to standard error how to
/// replay that run, and re-throws the failure.
exhaustive_result run_exhaustively(const job_options& options, const rank_body& body,
                                   exhaustive_limits limits = {});

}  // namespace far::fabric::sim
