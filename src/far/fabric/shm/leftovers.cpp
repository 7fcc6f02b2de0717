#include "far/fabric/shm/leftovers.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <ctime>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace far::fabric::shm {
namespace {

namespace files = std::filesystem;

constexpr std::string_view ucx_prefix = "ucx_shm_posix_";

double seconds_of(const timespec& time) noexcept {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Whether a process has one of these files open or mapped, by its folder in /proc. Processes of
/// other users cannot be read, and have no such file open.
bool uses(const files::path& process, const std::string& file) {
  std::error_code ignored;
  for (files::directory_iterator one(process / "fd", ignored), end; !ignored && one != end;
       one.increment(ignored)) {
    std::error_code gone;
    if (files::read_symlink(one->path(), gone) == file) return true;
  }
  std::ifstream maps(process / "maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.ends_with(file)) return true;
  }
  return false;
}

bool is_in_use(const std::string& file) {
  std::error_code ignored;
  for (files::directory_iterator one("/proc", ignored), end; !ignored && one != end;
       one.increment(ignored)) {
    const std::string name = one->path().filename();
    if (name.find_first_not_of("0123456789") == name.npos && uses(one->path(), file)) return true;
  }
  return false;
}

std::vector<std::string> unused_files(const std::string& folder, double since_s) {
  std::vector<std::string> result;
  std::error_code ignored;
  for (files::directory_iterator one(folder, ignored), end; !ignored && one != end;
       one.increment(ignored)) {
    const std::string path = one->path();
    struct stat status {};
    if (!one->path().filename().string().starts_with(ucx_prefix)) continue;
    if (lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    if (status.st_uid != geteuid() || seconds_of(status.st_ctim) < since_s) continue;
    if (!is_in_use(path)) result.push_back(path);
  }
  return result;
}

}  // namespace

leftovers::leftovers(std::string folder) : folder_(std::move(folder)) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME_COARSE, &now);  // which stamps files
  since_s_ = seconds_of(now);
}

void leftovers::remove() const noexcept {
  try {
    for (const std::string& file : unused_files(folder_, since_s_)) unlink(file.c_str());
  } catch (const std::exception&) {
    // Then the files stay.
  }
}

}  // namespace far::fabric::shm
