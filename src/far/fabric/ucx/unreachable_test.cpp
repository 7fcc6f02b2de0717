// If ranks share no transport, the job ends with an error that says what to check.

#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

#include "test/support/jobs.hpp"

namespace far::fabric {
namespace {

TEST(Unreachable, EndsTheJobAndSaysWhatToLookAt) {
  setenv("UCX_TLS", "self", 1);
  run_options options;
  options.mode = job_mode::ucx;
  options.ranks = 2;
  options.ranks_per_node = 1;
  std::string said;
  try {
    far::run(options, [](world& world) {
      // The first packet is sent when no context polls the worker any more.
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      barrier(world);
    });
  } catch (const error& failure) {
    said = failure.what();
  }
  EXPECT_NE(said.find("cannot reach rank"), std::string::npos) << said;
  EXPECT_NE(said.find("UCX_TLS"), std::string::npos) << said;
}

}  // namespace
}  // namespace far::fabric
