// Crashes on rank 1, for tests of the crash report: test-crash segv|abort|divide|illegal|stack|
// bus|memory|heap. The tests look for the functions' names in the report.

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include <far/far.hpp>

static bool heap_is_broken = false;

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

extern "C" void* __libc_realloc(void* old, std::size_t bytes);

extern "C" void* realloc(void* old, std::size_t bytes) {
  if (heap_is_broken) std::abort();
  return __libc_realloc(old, bytes);
}

#endif

namespace crash_site {

[[gnu::noinline]] void write_to(volatile int* place) { *place = 1; }

[[gnu::noinline]] int divide_by(volatile int* number) { return *number / *number; }

[[gnu::noinline]] int overflow(volatile char* before) {
  volatile char frame[4096];
  frame[0] = *before;
  return frame[0] == 1 ? 0 : overflow(frame) + frame[0];  // always 0
}

/// Reads past the end of a file's mapping.
void touch_nothing(far::world&) {
  char name[] = "/tmp/far-crash-XXXXXX";
  const int file = mkstemp(name);
  unlink(name);
  void* const memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  write_to(static_cast<int*>(memory));
}

/// Where the job's memory begins in this process.
std::uintptr_t job_begin() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find("memfd:far-job") != line.npos) return std::stoull(line, nullptr, 16);
  }
  return 0;
}

/// Truncates the memory of this rank, which is the last one: the effect is that of a machine
/// without free memory.
void exhaust_memory(far::world& world) {
  auto* const heap = world.fabric().local({world.rank(), far::fabric::symmetric_segment, 4096});
  const auto offset = static_cast<off_t>(reinterpret_cast<std::uintptr_t>(heap) - job_begin());
  for (int descriptor = 3; descriptor < 200; ++descriptor) {
    const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
    char target[64] = {};
    if (readlink(link.c_str(), target, sizeof(target) - 1) > 0 &&
        std::strstr(target, "memfd:far-job") != nullptr && ftruncate(descriptor, offset) != 0) {
      std::perror("ftruncate");
    }
  }
  *reinterpret_cast<volatile char*>(heap) = 1;
}

/// As if the signal came in the C library's allocation, which then aborts when the report uses it.
[[gnu::noinline]] void crash_in_heap() {
  heap_is_broken = true;
  write_to(nullptr);
}

struct thing {
  [[gnu::noinline]] static void crash(far::world& world, const std::string& how) {
    volatile int zero = 0;
    volatile char start = 0;
    if (how == "segv") write_to(nullptr);
    if (how == "abort") std::abort();
    if (how == "divide") std::exit(divide_by(&zero));
    if (how == "illegal") __builtin_trap();
    if (how == "stack") std::exit(overflow(&start));
    if (how == "bus") touch_nothing(world);
    if (how == "memory") exhaust_memory(world);
    if (how == "heap") crash_in_heap();
  }
};

}  // namespace crash_site

int main(int argc, char** argv) {
  const std::string how = argc > 1 ? argv[1] : "";
  far::run([&](far::world& world) {
    if (world.rank() == 1) crash_site::thing::crash(world, how);
    world.context().wait([] { return false; }, far::fabric::never, {"the crash of rank 1", 1, {}});
  });
}
