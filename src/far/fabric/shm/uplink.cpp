#include "far/fabric/shm/uplink.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include <fmt/format.h>

#include "far/base/environment.hpp"
#include "far/base/error.hpp"
#include "far/base/version.hpp"
#include "far/fabric/shm/rank_signals.hpp"

namespace far::fabric::shm {
namespace {

/// In the folder where this library is installed.
std::string library_path() {
  const std::string name = fmt::format("libfar_ucx.so.{}.{}", FAR_VERSION_MAJOR, FAR_VERSION_MINOR);
  Dl_info here{};
  if (dladdr(reinterpret_cast<void*>(&open_uplink), &here) == 0) return name;
  const std::string own = here.dli_fname;
  const auto folder = own.rfind('/');
  return folder == std::string::npos ? name : own.substr(0, folder + 1) + name;
}

constexpr const char* pmix_member = "FAR_PMIX_MEMBER";

/// The value of FAR_PMIX_MEMBER that marks this process as a rank of the PMIx job.
std::string own_pmix_member() {
  return fmt::format("{}:{}", base::environment_text("PMIX_NAMESPACE"), getpid());
}

/// Loads the library, which stays loaded, and returns one of its functions. Errors: fabric_error.
void* library_function(const char* name) {
  // Otherwise UCX would replace our signal handlers, which also report the rank.
  setenv("UCX_HANDLE_ERRORS", "none", 0);
  setenv("UCX_DEBUG_SIGNO", "", 0);  // UCX would take SIGHUP, and only print its settings
  setenv("UCX_WARN_UNUSED_ENV_VARS", "n", 0);
  setenv("UCX_LOG_LEVEL", "error", 0);  // no warnings about operations of a failed job
  // Otherwise connecting to a machine that is down blocks in the kernel for minutes, and the caller
  // holds the lock that failure detection needs.
  setenv("UCX_TCP_CONN_NB", "y", 0);
  static void* const library = dlopen(library_path().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    throw fabric_error(fmt::format(
        "a job over several machines needs UCX and PMIx, but the library for them cannot be "
        "loaded: {}; install them (Debian: libucx-dev, libpmix-dev) and build libfar again",
        dlerror()));
  }
  void* const function = dlsym(library, name);
  if (function == nullptr) throw fabric_error(library_path() + " is not of this build of libfar");
  return function;
}

}  // namespace

std::unique_ptr<uplink> open_uplink(rank_fabric& home) {
  using maker = uplink* (*)(rank_fabric&);
  return std::unique_ptr<uplink>(
      reinterpret_cast<maker>(library_function("far_make_uplink"))(home));
}

bool has_uplink() noexcept {
  try {
    return library_function("far_make_uplink") != nullptr;
  } catch (const fabric_error&) {
    return false;
  }
}

std::uint64_t peer_timeout_s() {
  constexpr std::uint64_t usual = 15;
  return base::environment_seconds("FAR_PEER_TIMEOUT", usual);
}

bool started_by_pmix() noexcept {
  const std::string_view space = base::environment_text("PMIX_NAMESPACE");
  if (space.empty() || base::environment_text("PMIX_RANK").empty()) return false;
  const std::string_view member = base::environment_text(pmix_member);
  return !member.starts_with(fmt::format("{}:", space)) || member == own_pmix_member();
}

void note_pmix_member() { setenv(pmix_member, own_pmix_member().c_str(), 1); }

std::unique_ptr<membership> join_by_pmix(const job_options& options) {
  report_crashes();  // UCX and PMIx load many libraries
  using joiner = membership* (*)(const job_options&);
  return std::unique_ptr<membership>(
      reinterpret_cast<joiner>(library_function("far_join_by_pmix"))(options));
}

void abort_by_pmix(int status) noexcept {
  using ender = void (*)(int);
  try {
    reinterpret_cast<ender>(library_function("far_abort_by_pmix"))(status);
  } catch (const fabric_error&) {
    // Without the library this process is in no such job.
  }
}

}  // namespace far::fabric::shm
