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
  // All of a group's limit: most of what it uses is often pages of files, which make room.
  return std::min(available_on_machine(), base::control_group_memory());
}

}  // namespace far::apps
