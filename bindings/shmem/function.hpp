#pragma once
// How functions of the interface are defined.

#include <exception>
#include <utility>

namespace far::shmem {

/// Prints a line that names the function, the PE and the reason, and ends the job.
[[noreturn]] void end_job(const char* function, const std::exception& why) noexcept;

/// The body of a function: what it throws ends the job.
template <class F>
auto guarded(const char* function, F&& body) noexcept -> decltype(body()) {
  try {
    return std::forward<F>(body)();
  } catch (const std::exception& failure) {
    end_job(function, failure);
  }
}

}  // namespace far::shmem

#define FAR_SHMEM_EXPORT extern "C" [[gnu::visibility("default")]]

/// Defines shmem_NAME, and pshmem_NAME as a second name of it. Use: FAR_SHMEM_FUNCTION(int, my_pe,
/// (void)) { ... }
#define FAR_SHMEM_FUNCTION(RESULT, NAME, PARAMETERS)                                             \
  FAR_SHMEM_EXPORT RESULT shmem_##NAME PARAMETERS;                                               \
  FAR_SHMEM_EXPORT [[gnu::nothrow, gnu::alias("shmem_" #NAME)]] RESULT pshmem_##NAME PARAMETERS; \
  FAR_SHMEM_EXPORT RESULT shmem_##NAME PARAMETERS
