#include "far/base/cores.hpp"

#include <sched.h>

#include <string>

#include <gtest/gtest.h>

#include "test/support/system_files.hpp"

namespace {

using far::base::no_quota;
using far::base::processor_quota;
using far::base::processor_set;
using far::base::usable_cores;
using far::test::system_files;

TEST(Cores, Version2HasTheQuotaAndThePeriodInOneFile) {
  const system_files files;
  files.add("/proc/self/cgroup", "0::/a/b\n");
  files.add("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
  EXPECT_EQ(processor_quota(files.root()), no_quota);
  files.add("/sys/fs/cgroup/a/cpu.max", "300000 100000\n");
  EXPECT_EQ(processor_quota(files.root()), 3);
  files.add("/sys/fs/cgroup/a/b/cpu.max", "75000 50000\n");
  EXPECT_EQ(processor_quota(files.root()), 1.5);
}

TEST(Cores, Version1HasThemInTwo) {
  const system_files files;
  files.add("/proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/m\n");
  files.add("/sys/fs/cgroup/cpu/x/cpu.cfs_quota_us", "-1\n");
  files.add("/sys/fs/cgroup/cpu/x/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(processor_quota(files.root()), no_quota);
  files.add("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "200000\n");
  files.add("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(processor_quota(files.root()), 2);
  files.add("/sys/fs/cgroup/cpu/x/cpu.cfs_quota_us", "50000\n");
  EXPECT_EQ(processor_quota(files.root()), .5);
}

TEST(Cores, Version1OfAContainerIsAtItsRoot) {
  const system_files files;
  files.add("/proc/self/cgroup", "5:cpu,cpuacct:/docker/abc\n0::/\n");
  files.add("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "400000\n");
  files.add("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(processor_quota(files.root()), 4);
}

TEST(Cores, NoFilesAndOddFilesAreNoQuota) {
  const system_files files;
  EXPECT_EQ(processor_quota(files.root()), no_quota);
  files.add("/proc/self/cgroup", "0::/a\nnonsense\n5:cpu\n");
  EXPECT_EQ(processor_quota(files.root()), no_quota);
  for (const std::string text : {"", "some", "100000", "100000 0", "0"}) {
    SCOPED_TRACE(text);
    files.add("/sys/fs/cgroup/a/cpu.max", text);
    EXPECT_EQ(processor_quota(files.root()), no_quota);
  }
}

TEST(Cores, ProcessorsAreCountedInAllWords) {
  processor_set set;
  EXPECT_EQ(set.count(), 0);
  set.words[0] = 0b1011;
  set.words[1] = std::uint64_t{1} << 63;
  set.words[processor_set::words_in_all - 1] = 1;
  EXPECT_EQ(set.count(), 5);
}

TEST(Cores, OwnProcessorsFollowTheAffinity) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
  EXPECT_EQ(far::base::own_processors().count(), CPU_COUNT(&before));
  std::size_t last = CPU_SETSIZE - 1;
  while (!CPU_ISSET(last, &before)) --last;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(last, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  const processor_set own = far::base::own_processors();
  ASSERT_EQ(sched_setaffinity(0, sizeof(before), &before), 0);
  EXPECT_EQ(own.count(), 1);
  EXPECT_EQ(own.words.at(last / 64), std::uint64_t{1} << (last % 64));
}

TEST(Cores, AQuotaCountsInWholeCores) {
  EXPECT_EQ(usable_cores(4, no_quota), 4);
  EXPECT_EQ(usable_cores(4, 4), 4);
  EXPECT_EQ(usable_cores(4, 3.9), 3);
  EXPECT_EQ(usable_cores(4, 16), 4);
  EXPECT_EQ(usable_cores(4, .5), 1);
  EXPECT_EQ(usable_cores(0, no_quota), 1);
}

}  // namespace
