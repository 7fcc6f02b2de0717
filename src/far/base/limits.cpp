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

/// The number in a file; where it says "max", or is not there, no limit.
std::uint64_t number_in(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t value = 0;
  return file >> value ? value : unlimited;
}

/// The least number in the files of that name, of a group and those that it is part of. In a
/// container the path may be that of the machine outside: what there is of it counts.
std::uint64_t least_on_the_way_up(const std::string& groups, std::string group,
                                  const std::string& name) {
  for (std::uint64_t least = unlimited;; group.resize(group.rfind('/'))) {
    const std::string folder = groups + group + (group.ends_with('/') ? "" : "/");
    least = std::min(least, number_in(folder + name));
    if (group.find_last_not_of('/') == group.npos) return least;
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
  const std::uint64_t pages = number_in("/proc/self/statm");  // its first: mapped in all
  return pages == unlimited ? limit : limit - std::min(limit, pages * page_bytes());
}

std::uint64_t control_group_memory(const std::string& root) {
  const std::string groups = root + "/sys/fs/cgroup";
  std::uint64_t least = unlimited;
  std::ifstream file(root + "/proc/self/cgroup");
  // "ID:CONTROLLERS:/PATH": version 2 has one line, without controllers; both may be in use.
  for (std::string line; std::getline(file, line);) {
    const auto first = line.find(':');
    const auto second = first == line.npos ? line.npos : line.find(':', first + 1);
    if (second == line.npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string path = line.substr(second + 1);
    if (!path.starts_with('/')) continue;
    if (controllers.empty()) {
      least = std::min({least, least_on_the_way_up(groups, path, "memory.max"),
                        least_on_the_way_up(groups + "/unified", path, "memory.max")});
    } else if (lists(controllers, "memory")) {
      least =
          std::min(least, least_on_the_way_up(groups + "/memory", path, "memory.limit_in_bytes"));
    }
  }
  return least;
}

std::uint64_t usable_memory() {
  const auto pages = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES));
  return std::min(pages * page_bytes(), control_group_memory());
}

}  // namespace far::base
