#include "far/base/cores.hpp"

#include <sched.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <thread>

#include "far/base/control_groups.hpp"

namespace far::base {
namespace {

/// "MAX PERIOD" of version 2, where MAX may be "max".
double quota_of_version_2(const std::string& folder) {
  std::ifstream file(folder + "cpu.max");
  double quota_us = 0;
  double period_us = 0;
  return file >> quota_us >> period_us && period_us > 0 ? quota_us / period_us : no_quota;
}

/// Version 1 has a file for each number, and -1 for no limit.
double quota_of_version_1(const std::string& folder) {
  std::ifstream quota(folder + "cpu.cfs_quota_us");
  std::ifstream period(folder + "cpu.cfs_period_us");
  double quota_us = 0;
  double period_us = 0;
  const bool limited = quota >> quota_us && quota_us > 0 && period >> period_us && period_us > 0;
  return limited ? quota_us / period_us : no_quota;
}

}  // namespace

int processor_set::count() const noexcept {
  int result = 0;
  for (const std::uint64_t word : words) result += std::popcount(word);
  return result;
}

processor_set own_processors() noexcept {
  processor_set result;
  if (sched_getaffinity(0, sizeof(result.words),
                        reinterpret_cast<cpu_set_t*>(result.words.data())) != 0) {
    const std::size_t all = std::min<std::size_t>(std::thread::hardware_concurrency(),
                                                  64 * processor_set::words_in_all);
    result = {};
    for (std::size_t i = 0; i < all; ++i) result.words[i / 64] |= std::uint64_t{1} << (i % 64);
  }
  return result;
}

double processor_quota(const std::string& root) {
  double min = no_quota;
  each_control_group("cpu", root, [&](const std::string& folder) {
    min = std::min({min, quota_of_version_2(folder), quota_of_version_1(folder)});
  });
  return min;
}

int usable_cores(int processors, double quota) noexcept {
  // A quota of 1.5 cores does not let two threads spin: when it is used up, all of them stop for
  // the rest of the period.
  return std::max(1, static_cast<int>(std::min(static_cast<double>(processors), quota)));
}

}  // namespace far::base
