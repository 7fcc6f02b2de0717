#pragma once
// How many processor cores a set of threads can really use at a time: their affinity masks and the
// quotas of their control groups decide, not the machine. fabric/shm/patience.hpp states what waits
// make of it.

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace far::base {

/// A set of processors, by the kernel's numbers: bit n % 64 of word n / 64.
struct processor_set {
  static constexpr std::size_t words_in_all = 128;  // the kernel's max is 8192 processors

  std::array<std::uint64_t, words_in_all> words{};

  [[nodiscard]] int count() const noexcept;
};

/// The processors on which the calling thread may run (sched_getaffinity); all of the machine if
/// the system does not say.
[[nodiscard]] processor_set own_processors() noexcept;

inline constexpr double no_quota = std::numeric_limits<double>::infinity();

/// Processor time for each unit of time that this process's control groups allow, of version 1
/// (cpu.cfs_quota_us) or 2 (cpu.max): 1.5 is one core and a half. The smallest on the way up
/// counts. `root`: prefix of the system's files, for tests.
[[nodiscard]] double processor_quota(const std::string& root = "");

/// The cores on which threads that may run on `processors` can all spin: those processors, if the
/// quota has as many whole cores. At least 1.
[[nodiscard]] int usable_cores(int processors, double quota) noexcept;

}  // namespace far::base
