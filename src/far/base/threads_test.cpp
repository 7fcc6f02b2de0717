#include "far/base/threads.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "far/base/error.hpp"

namespace {

using far::base::thread_group;

TEST(ThreadGroup, RunsEachOnceAndJoinsThem) {
  constexpr int n = 8;
  std::barrier all(n);
  std::atomic<int> sum{0};
  {
    const thread_group group(n, "thread", [&](int i) {
      all.arrive_and_wait();  // they run at the same time
      sum += 1 << i;
    });
  }
  EXPECT_EQ(sum, (1 << n) - 1);
}

TEST(ThreadGroup, MayBeJoinedBefore) {
  std::atomic<int> ended{0};
  thread_group group(3, "thread", [&](int) { ++ended; });
  group.join();
  EXPECT_EQ(ended, 3);
  group.join();
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they map terabytes

// In a process of its own, whose address space has room for a few stacks only. The limit on the
// number of threads does not bind root.
TEST(ThreadGroup, RunsNoneIfTheSystemRefusesOne) {
  const auto attempt = [] {
    const rlimit space{std::size_t{1} << 29, std::size_t{1} << 29};
    setrlimit(RLIMIT_AS, &space);
    std::atomic<int> begun{0};
    try {
      const thread_group group(1000, "thread", [&](int) { ++begun; });
    } catch (const far::fabric_error& refusal) {
      const std::string text = refusal.what();
      std::_Exit(begun == 0 && text.rfind("cannot start thread ", 0) == 0 &&
                         text.find(" of 1000: ") != text.npos && text.find("ulimit -u") != text.npos
                     ? 0
                     : 2);
    }
    std::_Exit(1);
  };
  EXPECT_EXIT(attempt(), testing::ExitedWithCode(0), "");
}

#endif

}  // namespace
