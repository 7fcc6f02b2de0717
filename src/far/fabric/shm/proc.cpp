#include "far/fabric/shm/proc.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <string>
#include <thread>

#include <fmt/format.h>

namespace far::fabric::shm {
namespace {

struct process_status {
  char state = 0;
  pid_t parent = 0;
};

process_status status_of(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string line;
  std::getline(file, line);
  // "pid (name) state parent ...", where the name may contain any characters.
  process_status result;
  const auto name_end = line.rfind(") ");
  if (name_end == std::string::npos || name_end + 4 >= line.size()) return result;
  result.state = line[name_end + 2];
  result.parent = std::atoi(line.c_str() + name_end + 4);
  return result;
}

std::vector<pid_t> own_children() {
  std::ifstream file(fmt::format("/proc/self/task/{}/children", getpid()));
  std::vector<pid_t> result;
  for (pid_t pid = 0; file >> pid;) result.push_back(pid);
  return result;
}

}  // namespace

char process_state(pid_t pid) { return status_of(pid).state; }

bool descends_from(pid_t pid, pid_t ancestor) {
  constexpr int deepest = 64;
  for (int depth = 0; depth < deepest && pid > 1; ++depth) {
    if (pid == ancestor) return true;
    pid = status_of(pid).parent;
  }
  return false;
}

orphan_catcher::orphan_catcher() : others_(own_children()) { prctl(PR_SET_CHILD_SUBREAPER, 1); }

orphan_catcher::~orphan_catcher() { prctl(PR_SET_CHILD_SUBREAPER, 0); }

void orphan_catcher::kill_all() const {
  // Each round kills a generation. Killed processes end at once, unless they hang in the kernel.
  constexpr int rounds = 500;
  for (int round = 0; round < rounds; ++round) {
    bool any = false;
    for (const pid_t pid : own_children()) {
      if (std::find(others_.begin(), others_.end(), pid) != others_.end()) continue;
      kill(pid, SIGKILL);
      any |= waitpid(pid, nullptr, WNOHANG) == 0;
    }
    if (!any && own_children().size() <= others_.size()) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace far::fabric::shm
