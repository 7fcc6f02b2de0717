#pragma once
// A profile of this machine for the simulator: the costs between ranks that are its processes.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/harness/measure.hpp"
#include "far/far.hpp"

namespace far::bench {

/// Returns a rank's subjects; all ranks return equally many, in the same order.
using subjects_of_rank = std::function<std::vector<subject>(world&)>;

/// Times subjects by the clock of a simulated machine. Returns nanoseconds per operation for each,
/// at rank 0. `profile` is the name of a profile, or a file.
[[nodiscard]] std::vector<double> simulate_subjects(int ranks, const std::string& profile,
                                                    const subjects_of_rank& prepare);

/// A measured time that the profile was fitted to, and the time with the fitted profile.
struct fitted_cost {
  std::string name;
  double measured_ns = 0;
  double simulated_ns = 0;
};

struct calibration {
  std::string profile;  ///< in the file format (docs/simulator.md)
  std::vector<fitted_cost> costs;
};

/// Times subjects of two processes for comparison with a simulation, which has neither caches nor
/// noise: each round warms up until messages have filled their rings once, and the result is the
/// median of three jobs, whose memory is at different addresses.
[[nodiscard]] std::vector<double> measure_steadily(const std::string& label,
                                                   const subjects_of_rank& prepare);

/// The subjects on two ranks that a profile is fitted to.
[[nodiscard]] std::vector<subject> fit_subjects(world& world);

/// Fits the profile of one node to the measured times of those subjects, in their order.
[[nodiscard]] calibration fit_profile(const std::string& name,
                                      const std::vector<double>& measured_ns);

/// Measures two processes of this machine, for a few seconds, and fits a profile.
/// Errors: those of starting processes.
[[nodiscard]] calibration calibrate(const std::string& name);

}  // namespace far::bench
