#pragma once
// A profile of this machine for the simulator: what ranks that are processes of it cost each other.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/harness/measure.hpp"
#include "far/far.hpp"

namespace far::bench {

/// The subjects of a rank of a job; all ranks return as many, in the same order.
using subjects_of_rank = std::function<std::vector<subject>(world&)>;

/// Times subjects by the clock of a simulated machine: nanoseconds per operation of each, by rank
/// 0. `profile` is the name of a profile, or a file.
[[nodiscard]] std::vector<double> simulate_subjects(int ranks, const std::string& profile,
                                                    const subjects_of_rank& prepare);

/// What was measured to fit the profile, beside what the fitted profile says of it.
struct fitted_cost {
  std::string name;
  double measured_ns = 0;
  double simulated_ns = 0;
};

struct calibration {
  std::string profile;  ///< as a file (docs/simulator.md)
  std::vector<fitted_cost> costs;
};

/// Times subjects of two processes for a simulation, which knows neither caches nor chance: rounds
/// warm up until messages have gone round their rings, and of three jobs, whose memory lies in
/// different places, the middle one counts.
[[nodiscard]] std::vector<double> measure_steadily(const std::string& label,
                                                   const subjects_of_rank& prepare);

/// What two ranks do to fit a profile.
[[nodiscard]] std::vector<subject> fit_subjects(world& view);

/// The profile of one node in which those take so long. `measured_ns`: of each, in their order.
[[nodiscard]] calibration fit_profile(const std::string& name,
                                      const std::vector<double>& measured_ns);

/// Measures two processes of this machine, for a few seconds, and fits a profile.
/// Errors: what starting processes throws.
[[nodiscard]] calibration calibrate(const std::string& name);

}  // namespace far::bench
