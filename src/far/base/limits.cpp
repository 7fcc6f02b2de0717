#include "far/base/limits.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "far/base/control_groups.hpp"

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

}  // namespace

std::uint64_t file_size_limit() noexcept { return soft_limit(RLIMIT_FSIZE); }

std::uint64_t address_space_left() {
  const std::uint64_t limit = soft_limit(RLIMIT_AS);
  if (limit == unlimited) return unlimited;
  const std::uint64_t pages = number_in("/proc/self/statm");  // its first number: total mapped
  return pages == unlimited ? limit : limit - std::min(limit, pages * page_bytes());
}

std::uint64_t control_group_memory(const std::string& root) {
  std::uint64_t min = unlimited;
  each_control_group("memory", root, [&](const std::string& folder) {
    min = std::min(
        {min, number_in(folder + "memory.max"), number_in(folder + "memory.limit_in_bytes")});
  });
  return min;
}

std::uint64_t usable_memory() {
  const auto pages = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES));
  return std::min(pages * page_bytes(), control_group_memory());
}

}  // namespace far::base
