// Transfers under way when a rank fails: the memory that they go to is freed while bodies unwind,
// and nothing may write there any more. Buffers as large as these are unmapped when they are freed,
// so a late write ends the process; it would damage the heap if they were small.

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "far/base/error.hpp"
#include "test/support/jobs.hpp"

namespace far::fabric {
namespace {

constexpr std::size_t bytes = 64 << 20;

/// Rank 2 fails when it is asked to.
struct end {
  explicit end(rank_state&) {}
  bool asked = false;
};

void ask_for_the_end(const world& view, int rank) {
  rpc_oneway(view, rank, [](rank_state& state) { state.get<end>().asked = true; });
}

void wait_until_asked(const world& view) {
  while (!view.state().get<end>().asked) view.progress();
}

void fail_when_asked(const world& view) {
  wait_until_asked(view);
  throw out_of_bounds("on purpose");
}

void linger() { std::this_thread::sleep_for(std::chrono::milliseconds(100)); }

/// Of what a rank attaches the first goes last: then the arguments of calls are gone, and what was
/// on its way to them has time to come.
struct last_to_go {
  explicit last_to_go(rank_state&) {}
  ~last_to_go() { linger(); }
};

/// Runs the body on three nodes; rank 2 must be the only one that fails, and by its exception.
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
  expect_one_failure([](world& view) {
    const auto block = allocate<char>(view, bytes);
    if (view.rank() == 2) fail_when_asked(view);
    if (view.rank() == 1) return linger();  // its uplink goes on sending
    ask_for_the_end(view, 2);
    try {
      std::vector<char> there(bytes);
      get(view, block.on(1), std::span(there));
    } catch (const rank_failed&) {
      linger();  // what was on its way comes now
      throw;
    }
  });
}

TEST(Unwinding, ArgumentsOfCallsAreLeftWhenTheirRankFails) {
  expect_one_failure([](world& view) {
    (void)view.state().get<last_to_go>();
    if (view.rank() == 2) fail_when_asked(view);
    if (view.rank() == 1) {  // what rank 0 asks rank 2 comes behind the arguments
      wait_until_asked(view);
      return ask_for_the_end(view, 2);
    }
    (void)rpc(
        view, 2, [](const std::string&) {}, std::string(bytes, 'x'));
    ask_for_the_end(view, 1);
    linger();
  });
}

}  // namespace
}  // namespace far::fabric
