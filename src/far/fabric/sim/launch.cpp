// Starts a process that will simulate a job (join.cpp), and reads what it reports.

#include "far/fabric/sim/launch.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/fabric/address.hpp"
#include "far/fabric/sim/profile.hpp"

namespace far::fabric::sim {
namespace {

/// In the new process.
[[noreturn]] void become(const simulate_options& options, const std::string& report) {
  const auto set = [](const char* name, const std::string& value) {
    value.empty() ? unsetenv(name) : setenv(name, value.c_str(), 1);
  };
  const auto size = [](std::uint64_t bytes) { return bytes == 0 ? "" : fmt::format("{}", bytes); };
  set("FAR_SIM_RANKS", fmt::format("{}", options.ranks));
  set("FAR_SIM_PROFILE", options.profile);
  set("FAR_SIM_SEED", fmt::format("{}", options.seed));
  set("FAR_SIM_SERVICE", options.service ? "1" : "");
  set("FAR_SIM_REPORT", report);
  if (options.symmetric_bytes != 0) set("FAR_SYMMETRIC_HEAP", size(options.symmetric_bytes));
  if (options.local_bytes != 0) set("FAR_LOCAL_HEAP", size(options.local_bytes));
  std::vector<char*> arguments{const_cast<char*>(options.program.c_str())};  // NOLINT: exec's way
  for (const std::string& a : options.args) arguments.push_back(const_cast<char*>(a.c_str()));
  arguments.push_back(nullptr);
  execvp(options.program.c_str(), arguments.data());
  const int why = errno;
  fmt::print(stderr, "far sim: cannot run '{}': {}\n", options.program, std::strerror(why));
  _exit(why == ENOENT ? 127 : 126);
}

std::string whole_text(int file) {
  std::string text;
  char part[4096];
  off_t place = 0;
  for (;;) {
    const ssize_t got = pread(file, part, sizeof(part), place);
    if (got <= 0) return text;
    text.append(part, static_cast<std::size_t>(got));
    place += got;
  }
}

}  // namespace

simulated simulate(const simulate_options& options) {
  if (options.ranks < 1 || options.ranks > address::max_ranks) {
    throw bad_argument(fmt::format("{} ranks: want 1 to {}", options.ranks, address::max_ranks));
  }
  if (!options.profile.empty()) (void)find_profile(options.profile);
  const int report = memfd_create("report of a simulation", 0);  // the child opens it by its path
  const pid_t child = fork();
  if (report < 0 || child < 0) {
    throw fabric_error(fmt::format("cannot start a process: {}", std::strerror(errno)));
  }
  if (child == 0) become(options, fmt::format("/proc/self/fd/{}", report));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  simulated result;
  result.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  result.report = whole_text(report);
  close(report);
  return result;
}

std::vector<simulated_machine> machines() {
  std::vector<simulated_machine> result;
  for (const profile& known : known_profiles()) {
    result.push_back({known.name, known.about, text_of(known)});
  }
  return result;
}

}  // namespace far::fabric::sim
