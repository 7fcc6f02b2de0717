#include "bindings/kv/stop_signal.hpp"

#include <poll.h>

#include <csignal>
#include <cstdlib>

#include <gtest/gtest.h>

namespace {

using far::kv::stop_signal;

bool is_told(const stop_signal& signal) {
  pollfd wait{signal.descriptor_number(), POLLIN, 0};
  return poll(&wait, 1, 0) == 1;
}

[[noreturn]] void end_after(int late_signals) {
  {
    const stop_signal stop(true);
    if (is_told(stop)) std::exit(1);
    raise(SIGTERM);
    raise(SIGTERM);
    if (!is_told(stop)) std::exit(2);
  }
  for (int i = 0; i < late_signals; ++i) raise(SIGTERM);
  std::exit(0);
}

TEST(kv_stop_signal_test, tells_and_spares_a_rank_that_is_ending) {
  EXPECT_EXIT(end_after(0), ::testing::ExitedWithCode(0), "");
  EXPECT_EXIT(end_after(1), ::testing::ExitedWithCode(0), "");
  EXPECT_EXIT(end_after(2), ::testing::KilledBySignal(SIGTERM), "");
}

void ask_to_end(int /*signal*/) { std::exit(3); }

TEST(kv_stop_signal_test, leaves_signals_to_the_program) {
  const auto run = [] {
    std::signal(SIGTERM, ask_to_end);
    const stop_signal stop(false);
    stop.tell();
    if (!is_told(stop)) std::exit(1);
    raise(SIGTERM);
  };
  EXPECT_EXIT(run(), ::testing::ExitedWithCode(3), "");
}

}  // namespace
