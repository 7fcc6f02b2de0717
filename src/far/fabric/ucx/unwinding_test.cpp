// Transfers in flight when a rank fails: their destination is freed while bodies unwind, and
// nothing may write there any more. Large buffers as these are unmapped when they are freed, so a
// late write ends the process; with small ones it would damage the heap.

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "far/base/error.hpp"
#include "test/support/jobs.hpp"

namespace far::fabric {
namespace {

constexpr std::size_t bytes = 64 << 20;

/// A request to rank 2 to fail, or to rank 1 to go on.
struct end {
  explicit end(rank_state&) {}
  bool asked = false;
};

void request_end(const world& world, int rank) {
  rpc_oneway(world, rank, [](rank_state& state) { state.get<end>().asked = true; });
}

void wait_until_asked(const world& world) {
  while (!world.state().get<end>().asked) world.progress();
}

void fail_when_asked(const world& world) {
  wait_until_asked(world);
  throw out_of_bounds("on purpose");
}

void linger() { std::this_thread::sleep_for(std::chrono::milliseconds(100)); }

/// The object that a rank attaches first is destroyed last. The arguments of calls are freed by
/// then, and linger() gives transfers in flight to them the time to arrive.
struct last_to_go {
  explicit last_to_go(rank_state&) {}
  ~last_to_go() { linger(); }
};

/// Runs the body on three nodes; expects that only rank 2 fails, by its exception.
void expect_one_failure(const program& body) {
  run_options options;
  options.mode = job_mode::ucx;
  options.ranks = 3;
  options.ranks_per_node = 1;
  options.symmetric_bytes = 2 * bytes;
  options.local_bytes = 2 * bytes;
  ::testing::internal::CaptureStderr();
  EXPECT_THROW(far::run(options, body), out_of_bounds);
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(said.find("crashed"), std::string::npos) << said;
}

TEST(Unwinding, WhatIsBeingReadIsLeftWhenTheJobFails) {
  expect_one_failure([](world& world) {
    const auto block = allocate<char>(world, bytes);
    if (world.rank() == 2) fail_when_asked(world);
    if (world.rank() == 1) return linger();  // its uplink continues to send
    request_end(world, 2);
    try {
      std::vector<char> there(bytes);
      get(world, block.on(1), std::span(there));
    } catch (const rank_failed&) {
      linger();  // data in flight arrive now
      throw;
    }
  });
}

TEST(Unwinding, ArgumentsOfCallsAreLeftWhenTheirRankFails) {
  expect_one_failure([](world& world) {
    (void)world.state().get<last_to_go>();
    if (world.rank() == 2) fail_when_asked(world);
    if (world.rank() == 1) {  // a request from rank 0 to rank 2 would come after the arguments
      wait_until_asked(world);
      return request_end(world, 2);
    }
    (void)rpc(
        world, 2, [](const std::string&) {}, std::string(bytes, 'x'));
    request_end(world, 1);
    linger();
  });
}

}  // namespace
}  // namespace far::fabric
