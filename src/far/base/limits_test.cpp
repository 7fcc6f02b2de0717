#include "far/base/limits.hpp"

#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "test/support/system_files.hpp"

namespace {

using far::base::control_group_memory;
using far::test::system_files;

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

TEST(ControlGroups, Version2LimitsByEachGroupOnTheWayUp) {
  const system_files files;
  files.add("/proc/self/cgroup", "0::/a/b\n");
  files.add("/sys/fs/cgroup/a/b/memory.max", "max\n");
  EXPECT_EQ(control_group_memory(files.root()), unlimited);
  files.add("/sys/fs/cgroup/a/memory.max", "5000000\n");
  EXPECT_EQ(control_group_memory(files.root()), 5000000u);
  files.add("/sys/fs/cgroup/a/b/memory.max", "4000000\n");
  EXPECT_EQ(control_group_memory(files.root()), 4000000u);
}

TEST(ControlGroups, Version1LimitsToo) {
  const system_files files;
  files.add("/proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/docker/abc\n1:name=systemd:/y\n");
  EXPECT_EQ(control_group_memory(files.root()), unlimited);
  files.add("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  files.add("/sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes", "3000000\n");
  EXPECT_EQ(control_group_memory(files.root()), 3000000u);
}

TEST(ControlGroups, Version1OfAContainerIsAtItsRoot) {
  const system_files files;
  files.add("/proc/self/cgroup", "4:hugetlb,memory:/docker/abc\n0::/\n");
  files.add("/sys/fs/cgroup/memory/memory.limit_in_bytes", "2000000\n");
  EXPECT_EQ(control_group_memory(files.root()), 2000000u);
}

TEST(ControlGroups, BothVersionsMayBeInUse) {
  const system_files files;
  files.add("/proc/self/cgroup", "4:memory:/m\n0::/u\n");
  files.add("/sys/fs/cgroup/memory/m/memory.limit_in_bytes", "2000000\n");
  files.add("/sys/fs/cgroup/unified/u/memory.max", "1000000\n");
  EXPECT_EQ(control_group_memory(files.root()), 1000000u);
}

TEST(ControlGroups, NoneIsNoLimit) {
  const system_files files;
  EXPECT_EQ(control_group_memory(files.root()), unlimited);
}

}  // namespace
