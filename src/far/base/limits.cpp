#include "far/base/limits.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string_view>

namespace far::base {
namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

std::uint64_t soft_limit(decltype(RLIMIT_AS) which) noexcept {
  rlimit limit{};
  if (getrlimit(which, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
  return limit.rlim_cur;
}

std::uint64_t page_bytes() noexcept { return static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)); }

/// The number in a file; `unlimited` if the file says "max" or does not exist.
std::uint64_t number_in(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t value = 0;
  return file >> value ? value : unlimited;
}

/// The smallest number in the files called `name` of a group and of its ancestors. In a container
/// the group's path may be that of the host machine: folders that do not exist are skipped.
std::uint64_t smallest_on_path(const std::string& groups, std::string group,
                               const std::string& name) {
  for (std::uint64_t min = unlimited;; group.resize(group.rfind('/'))) {
    const std::string folder = groups + group + (group.ends_with('/') ? "" : "/");
    min = std::min(min, number_in(folder + name));
    if (group.find_last_not_of('/') == group.npos) return min;
  }
}

bool lists(std::string_view controllers, std::string_view wanted) {
  for (;;) {
    const auto comma = controllers.find(',');
    if (controllers.substr(0, comma) == wanted) return true;
    if (comma == controllers.npos) return false;
    controllers.remove_prefix(comma + 1);
  }
}

}  // namespace

std::uint64_t file_size_limit() noexcept { return soft_limit(RLIMIT_FSIZE); }

std::uint64_t address_space_left() {
  const std::uint64_t limit = soft_limit(RLIMIT_AS);
  if (limit == unlimited) return unlimited;
  const std::uint64_t pages = number_in("/proc/self/statm");  // its first number: total mapped
  return pages == unlimited ? limit : limit - std::min(limit, pages * page_bytes());
}

std::uint64_t control_group_memory(const std::string& root) {
  const std::string groups = root + "/sys/fs/cgroup";
  std::uint64_t min = unlimited;
  std::ifstream file(root + "/proc/self/cgroup");
  // "ID:CONTROLLERS:/PATH". Version 2 has one line, without controllers. Both versions may be in
  // use.
  for (std::string line; std::getline(file, line);) {
    const auto first = line.find(':');
    const auto second = first == line.npos ? line.npos : line.find(':', first + 1);
    if (second == line.npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string path = line.substr(second + 1);
    if (!path.starts_with('/')) continue;
    if (controllers.empty()) {
      min = std::min({min, smallest_on_path(groups, path, "memory.max"),
                      smallest_on_path(groups + "/unified", path, "memory.max")});
    } else if (lists(controllers, "memory")) {
      min = std::min(min, smallest_on_path(groups + "/memory", path, "memory.limit_in_bytes"));
    }
  }
  return min;
}

std::uint64_t usable_memory() {
  const auto pages = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES));
  return std::min(pages * page_bytes(), control_group_memory());
}

}  // namespace far::base
