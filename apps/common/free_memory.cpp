#include "apps/common/free_memory.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

#include "far/base/limits.hpp"

namespace far::apps {
namespace {

std::uint64_t available_on_machine() {
  std::ifstream file("/proc/meminfo");
  std::string name;
  std::uint64_t kilobytes = 0;
  for (std::string line; file >> name >> kilobytes; std::getline(file, line)) {
    if (name == "MemAvailable:") return kilobytes * 1024;
  }
  return std::numeric_limits<std::uint64_t>::max();
}

}  // namespace

std::uint64_t free_memory() {
  // The group's full limit, not what is left of it: most of a group's usage is often page cache,
  // which the kernel can reclaim.
  return std::min(available_on_machine(), base::control_group_memory());
}

}  // namespace far::apps
