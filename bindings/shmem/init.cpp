// Starting, ending, and who is who.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include <far/base/error.hpp>
#include <far/base/version.hpp>
#include <far/team/barrier.hpp>
#include <fmt/format.h>

#include "far_shmem/deprecated.h"
#include "far_shmem/setup.h"
#include "shmem/function.hpp"
#include "shmem/places.hpp"
#include "shmem/process.hpp"
#include "shmem/symmetric_size.hpp"

namespace far::shmem {
namespace {

constexpr const char* info_text =
    "Environment variables of OpenSHMEM programs over libfar:\n"
    "  SHMEM_SYMMETRIC_SIZE  capacity of each PE's symmetric heap: a number, with k, m, g or t;\n"
    "                        default: the PE's share of the machine's memory\n"
    "  SHMEM_DEBUG           check every access against the block that it is in\n"
    "  SHMEM_VERSION         print the version at the start\n"
    "  SHMEM_INFO            print this text at the start\n"
    "docs/environment.md of libfar has its own variables.\n";

const char* variable(const char* name, const char* deprecated) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : std::getenv(deprecated);
}

/// A job of no launcher, or of mpirun and the like, takes its sizes from this process's variables.
void pass_symmetric_size() {
  if (std::getenv("FAR_SYMMETRIC_HEAP") != nullptr) return;
  const std::uint64_t bytes = asked_symmetric_size();
  if (bytes == 0) return;
  ::setenv("FAR_SYMMETRIC_HEAP", std::to_string(bytes).c_str(), 1);
}

void print_asked(int pe) {
  if (pe != 0) return;
  if (variable("SHMEM_VERSION", "SMA_VERSION") != nullptr) {
    std::printf("OpenSHMEM %d.%d, libfar %s\n", SHMEM_MAJOR_VERSION, SHMEM_MINOR_VERSION,
                FAR_VERSION);
  }
  if (variable("SHMEM_INFO", "SMA_INFO") != nullptr) std::fputs(info_text, stdout);
  std::fflush(stdout);
}

/// A program that ends well without shmem_finalize is ended as start_pes promises it.
void end_at_exit(int status, void* /*unused*/) {
  process& all = process::here();
  if (all.only == nullptr || status != 0) return;
  guarded("exit", [&] {
    all.inits = 0;
    all.only->leave();
    all.only.reset();
  });
}

int init(int requested) {
  process& all = process::here();
  const std::scoped_lock lock(all.mutex);
  if (requested < SHMEM_THREAD_SINGLE || requested > SHMEM_THREAD_MULTIPLE) {
    throw bad_argument(fmt::format("there is no thread level {}", requested));
  }
  if (all.only != nullptr) {
    ++all.inits;
    return all.provided;
  }
  pass_symmetric_size();
  ++all.runtimes;
  all.only = std::make_unique<runtime>(requested);
  all.provided = requested;
  all.inits = 1;
  print_asked(all.only->pe());
  if (!std::exchange(all.ends_at_exit, true)) on_exit(end_at_exit, nullptr);
  far::barrier(all.only->world());
  return requested;
}

void finalize() {
  process& all = process::here();
  const std::scoped_lock lock(all.mutex);
  runtime& self = runtime::get();
  if (--all.inits > 0) return far::barrier(self.world());
  self.leave();
  all.only.reset();
}

}  // namespace
}  // namespace far::shmem

using namespace far::shmem;

FAR_SHMEM_FUNCTION(void, init, (void)) {
  guarded("shmem_init", [] { (void)init(SHMEM_THREAD_SINGLE); });
}

FAR_SHMEM_FUNCTION(int, init_thread, (int requested, int* provided)) {
  return guarded("shmem_init_thread", [&] {
    const int level = init(requested);
    if (provided != nullptr) *provided = level;
    return 0;
  });
}

FAR_SHMEM_FUNCTION(void, finalize, (void)) {
  guarded("shmem_finalize", [] { finalize(); });
}

FAR_SHMEM_FUNCTION(void, query_initialized, (int* initialized)) {
  if (initialized != nullptr) *initialized = runtime::find() != nullptr ? 1 : 0;
}

FAR_SHMEM_FUNCTION(void, query_thread, (int* provided)) {
  guarded("shmem_query_thread", [&] { *provided = runtime::get().threads(); });
}

// Not by the macro, because a second name must not return either.
FAR_SHMEM_EXPORT void shmem_global_exit(int status) { far::exit_job(status); }
FAR_SHMEM_EXPORT [[noreturn, gnu::nothrow, gnu::alias("shmem_global_exit")]] void
pshmem_global_exit(int status);

FAR_SHMEM_FUNCTION(void, info_get_version, (int* major, int* minor)) {
  *major = SHMEM_MAJOR_VERSION;
  *minor = SHMEM_MINOR_VERSION;
}

FAR_SHMEM_FUNCTION(void, info_get_name, (char* name)) {
  std::strncpy(name, SHMEM_VENDOR_STRING, SHMEM_MAX_NAME_LEN);
}

FAR_SHMEM_FUNCTION(int, my_pe, (void)) {
  return guarded("shmem_my_pe", [] { return runtime::get().pe(); });
}

FAR_SHMEM_FUNCTION(int, n_pes, (void)) {
  return guarded("shmem_n_pes", [] { return runtime::get().pes(); });
}

FAR_SHMEM_FUNCTION(int, pe_accessible, (int pe)) {
  return guarded("shmem_pe_accessible",
                 [&] { return pe >= 0 && pe < runtime::get().pes() ? 1 : 0; });
}

FAR_SHMEM_FUNCTION(int, addr_accessible, (const void* addr, int pe)) {
  return guarded("shmem_addr_accessible", [&] {
    const bool is_symmetric = places.heap.holds(places.heap.offset_of(addr), 1) ||
                              places.statics.holds(places.statics.offset_of(addr), 1);
    return is_symmetric && pe >= 0 && pe < runtime::get().pes() ? 1 : 0;
  });
}

FAR_SHMEM_EXPORT void shmem_pcontrol(int /*level*/, ...) {}
