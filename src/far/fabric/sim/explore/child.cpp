#include "far/fabric/sim/explore/child.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "far/base/child_signal.hpp"
#include "far/base/error.hpp"

namespace far::fabric::sim {
namespace {

constexpr int cannot_run = 126;  // exit statuses, as in a shell
constexpr int no_program = 127;

constexpr std::array variables_of_explorer{
    "FAR_SIM_RANKS",  "FAR_SIM_SEED", "FAR_SIM_PROFILE", "FAR_SIM_SERVICE", "FAR_SIM_REPORT",
    "FAR_SIM_DRIVER", "FAR_SIM_KILL", "FAR_SIM_RECORD",  "FAR_SIM_STORY",   "FAR_TEST_SEEDS",
};

[[noreturn]] void become(const simulate_options& job, const settings& variables, unsigned timeout_s,
                         int output, int errors) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // when the search is interrupted, its runs end
  for (const char* name : variables_of_explorer) unsetenv(name);
  for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
  dup2(output, STDOUT_FILENO);
  dup2(errors, STDERR_FILENO);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  std::vector<char*> arguments{const_cast<char*>(job.program.c_str())};  // NOLINT: exec's way
  for (const std::string& a : job.args) arguments.push_back(const_cast<char*>(a.c_str()));
  arguments.push_back(nullptr);
  alarm(timeout_s);  // the alarm outlives exec
  execvp(job.program.c_str(), arguments.data());
  _exit(errno == ENOENT ? no_program : cannot_run);
}

}  // namespace

unnamed_file::unnamed_file() : file_(memfd_create("far", 0)) {
  if (file_ < 0) throw fabric_error(fmt::format("memfd_create: {}", std::strerror(errno)));
}

unnamed_file::~unnamed_file() { close(file_); }

std::string unnamed_file::path() const { return fmt::format("/proc/self/fd/{}", file_); }

std::string unnamed_file::text() const {
  std::string text;
  std::array<char, 4096> part;
  for (;;) {
    const ssize_t got = pread(file_, part.data(), part.size(), static_cast<off_t>(text.size()));
    if (got <= 0) return text;
    text.append(part.data(), static_cast<std::size_t>(got));
  }
}

void unnamed_file::replace(const std::string& text) {
  if (ftruncate(file_, 0) != 0 ||
      pwrite(file_, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) {
    throw fabric_error(fmt::format("cannot write a trace: {}", std::strerror(errno)));
  }
}

settings settings_of(const simulate_options& job, std::uint64_t seed) {
  settings result{{"FAR_SIM_RANKS", fmt::format("{}", job.ranks)},
                  {"FAR_SIM_SEED", fmt::format("{}", seed)}};
  if (job.service) result.emplace_back("FAR_SIM_SERVICE", "1");
  const auto add_size = [&](const char* name, std::uint64_t bytes) {
    if (bytes != 0) result.emplace_back(name, fmt::format("{}", bytes));
  };
  add_size("FAR_SYMMETRIC_HEAP", job.symmetric_bytes);
  add_size("FAR_LOCAL_HEAP", job.local_bytes);
  if (!job.levels.empty()) result.emplace_back("FAR_LEVELS", job.levels);
  return result;
}

child_run run_child(const simulate_options& job, const settings& variables, unsigned timeout_s) {
  const unnamed_file output;
  const unnamed_file errors;
  const base::child_signal child_reports;
  const pid_t child = fork();
  if (child < 0) {
    throw fabric_error(fmt::format("cannot start a process: {}", std::strerror(errno)));
  }
  if (child == 0) {
    child_reports.restore();
    become(job, variables, timeout_s, output.descriptor(), errors.descriptor());
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  child_run result;
  result.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  result.output = output.text();
  result.errors = errors.text();
  if (result.output.empty() && result.errors.empty()) {
    if (result.status == no_program) {
      throw bad_argument(fmt::format("there is no program '{}'", job.program));
    }
    if (result.status == cannot_run) {
      throw bad_argument(fmt::format("cannot run '{}'", job.program));
    }
  }
  return result;
}

}  // namespace far::fabric::sim
