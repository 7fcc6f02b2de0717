#include "far/fabric/shm/rank_process.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>

// Present in programs that measure their test coverage.
extern "C" [[gnu::weak]] void __gcov_dump();  // NOLINT: the name is gcov's

namespace far::fabric::shm {

bool die_with_parent(pid_t parent) noexcept {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  return getppid() == parent;  // no signal comes from a parent that had ended before
}

void end_process(int status) noexcept {
  std::cout.flush();
  std::clog.flush();
  std::fflush(nullptr);
  if (__gcov_dump != nullptr) __gcov_dump();
  _exit(status);
}

}  // namespace far::fabric::shm
