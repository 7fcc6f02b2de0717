#include "far/base/limits.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace {

using far::base::control_group_memory;

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

/// A temporary folder that stands for the root of the system's files.
class system_files {
 public:
  system_files() : root_(::testing::TempDir() + "far-limits-XXXXXX") {
    if (mkdtemp(root_.data()) == nullptr) ADD_FAILURE() << "no folder";
  }
  ~system_files() { std::filesystem::remove_all(root_); }
  system_files(const system_files&) = delete;
  system_files& operator=(const system_files&) = delete;

  [[nodiscard]] const std::string& root() const { return root_; }
  void add(const std::string& path, const std::string& text) const {
    const std::filesystem::path file = root_ + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }

 private:
  std::string root_;
};

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
