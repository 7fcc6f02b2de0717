// Starts a process that simulates a job (join.cpp), and reads its report.

#include "far/fabric/sim/launch.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "far/base/child_signal.hpp"
#include "far/base/error.hpp"
#include "far/fabric/address.hpp"
#include "far/fabric/sim/explore/child.hpp"
#include "far/fabric/sim/profile.hpp"

namespace far::fabric::sim {
namespace {

/// Runs in the new process.
[[noreturn]] void become(const simulate_options& job, const settings& variables) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const char* name : {"FAR_SIM_PROFILE", "FAR_SIM_SERVICE"}) unsetenv(name);
  for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments{const_cast<char*>(job.program.c_str())};  // NOLINT: exec's way
  for (const std::string& a : job.args) arguments.push_back(const_cast<char*>(a.c_str()));
  arguments.push_back(nullptr);
  execvp(job.program.c_str(), arguments.data());
  const int why = errno;
  fmt::print(stderr, "far sim: cannot run '{}': {}\n", job.program, std::strerror(why));
  _exit(why == ENOENT ? 127 : 126);
}

}  // namespace

simulated simulate(const simulate_options& options) {
  if (options.ranks < 1 || options.ranks > address::max_ranks) {
    throw bad_argument(fmt::format("{} ranks: want 1 to {}", options.ranks, address::max_ranks));
  }
  const unnamed_file report;
  settings variables = settings_of(options, options.seed);
  variables.emplace_back("FAR_SIM_REPORT", report.path());
  if (!options.profile.empty()) {
    (void)find_profile(options.profile);  // throws if there is none
    variables.emplace_back("FAR_SIM_PROFILE", options.profile);
  }
  const base::child_signal child_reports;
  const pid_t child = fork();
  if (child < 0) {
    throw fabric_error(fmt::format("cannot start a process: {}", std::strerror(errno)));
  }
  if (child == 0) {
    child_reports.restore();
    become(options, variables);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return {WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status), report.text()};
}

std::vector<simulated_machine> machines() {
  std::vector<simulated_machine> result;
  for (const profile& known : known_profiles()) {
    result.push_back({known.name, known.about, text_of(known)});
  }
  return result;
}

}  // namespace far::fabric::sim
