#pragma once
// Programs of shared objects on a simulated cluster, one job for each measurement (oo-dsm-rdma).

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "bench/papers/simulated_jobs.hpp"

namespace far::bench {

/// Jobs of one rank a machine.
class object_jobs : public simulated_jobs {
 public:
  object_jobs(std::string profile, std::size_t steps)
      : simulated_jobs("paper-e", std::move(profile), steps) {}

  void run_on(int machines, const std::string& what, const std::function<void(world&)>& body) {
    run_options how;
    how.ranks = machines;
    how.ranks_per_node = 1;
    how.local_bytes = (std::uint64_t{1} + static_cast<std::uint64_t>(machines)) * room_of_copies;
    run(fmt::format("{}, {} machines", what, machines), how, body);
  }

 private:
  /// For the copies of a rank's objects, with twins, so that homes can write them in place.
  static constexpr std::uint64_t room_of_copies = std::uint64_t{128} << 20;
};

}  // namespace far::bench
