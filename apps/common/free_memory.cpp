#include "apps/common/free_memory.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace far::apps {
namespace {

constexpr std::uint64_t unknown = std::numeric_limits<std::uint64_t>::max();
constexpr const char* groups = "/sys/fs/cgroup";

std::uint64_t available_on_machine() {
  std::ifstream file("/proc/meminfo");
  std::string name;
  std::uint64_t kilobytes = 0;
  for (std::string line; file >> name >> kilobytes; std::getline(file, line)) {
    if (name == "MemAvailable:") return kilobytes * 1024;
  }
  return unknown;
}

/// The number in a file of a control group; none where it says "max" or is not there.
std::optional<std::uint64_t> number_in(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t value = 0;
  if (file >> value) return value;
  return std::nullopt;
}

/// The path of this process's control group (version 2) below the root of all; "/" without one.
std::string own_group() {
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("0::/")) return line.substr(3);
  }
  return "/";
}

}  // namespace

std::uint64_t free_memory() {
  std::uint64_t least = available_on_machine();
  // Each group on the way up may have a limit of its own.
  for (std::string group = own_group();; group.resize(group.rfind('/'))) {
    const std::string folder = groups + group + (group.ends_with('/') ? "" : "/");
    // All of it: most of what a group uses is often pages of files, which make room.
    least = std::min(least, number_in(folder + "memory.max").value_or(unknown));
    if (group.find_last_not_of('/') == group.npos) return least;
  }
}

}  // namespace far::apps
