#include "far/fabric/shm/launch_spawn.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/fabric/shm/job.hpp"
#include "far/fabric/shm/rank_process.hpp"

namespace far::fabric::shm {
namespace {

/// Above what shell scripts are wont to use themselves.
constexpr int job_descriptor = 100;

struct pipe_ends {
  int reads = -1;
  int writes = -1;
};

/// A pipe for one rank; the processes started see neither end.
pipe_ends make_pipe(int rank, int flags) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC | flags) != 0) {
    throw fabric_error(
        fmt::format("cannot open a pipe for rank {}: {}; {}", rank, std::strerror(errno),
                    errno == EMFILE ? "raise the limit (ulimit -Hn)" : "start fewer ranks"));
  }
  return {ends[0], ends[1]};
}

/// How wide the user's terminal is, for the ranks, who have pipes; null: it is none.
const char* terminal_columns(std::string& text) {
  winsize size{};
  if (isatty(STDERR_FILENO) == 0) return nullptr;
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  text = std::to_string(known ? size.ws_col : 80);
  return text.c_str();
}

void raise_core_limit() noexcept {
  rlimit core{};
  if (getrlimit(RLIMIT_CORE, &core) != 0) return;
  core.rlim_cur = core.rlim_max;
  setrlimit(RLIMIT_CORE, &core);
}

}  // namespace

spawner::spawner(const launch_options& options, const region& job, const sigset_t& signals)
    : options_(&options),
      job_(&job),
      signals_(signals),
      self_(getpid()),
      no_input_(open("/dev/null", O_RDONLY | O_CLOEXEC)) {
  arguments_.push_back(const_cast<char*>(options.program.c_str()));
  for (const std::string& argument : options.args) {
    arguments_.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments_.push_back(nullptr);
  std::string columns;
  if (terminal_columns(columns) != nullptr) setenv("FAR_TERMINAL", columns.c_str(), 1);

  getrlimit(RLIMIT_NOFILE, &files_);
  rlimit many = files_;
  many.rlim_cur = many.rlim_max;
  setrlimit(RLIMIT_NOFILE, &many);
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, &pipe_signal_);
}

spawner::~spawner() {
  close(no_input_);
  setrlimit(RLIMIT_NOFILE, &files_);
  sigaction(SIGPIPE, &pipe_signal_, nullptr);
}

spawned spawner::start(int rank) {
  const pipe_ends output = make_pipe(rank, 0);
  const pipe_ends errors = make_pipe(rank, 0);
  const pipe_ends report = make_pipe(rank, 0);  // closed when the program starts
  job_variable_ =
      options_->threads ? fmt::format(":{}", threads_membership) : fmt::format(":{}", rank);
  const pid_t pid = fork();
  if (pid == 0) run_program(rank, output.writes, errors.writes, report.writes);
  const int why = errno;
  close(output.writes);
  close(errors.writes);
  close(report.writes);
  if (pid < 0) {
    throw fabric_error(
        fmt::format("cannot start rank {} of {}: {}", rank, options_->ranks, std::strerror(why)));
  }
  fcntl(output.reads, F_SETFL, O_NONBLOCK);
  fcntl(errors.reads, F_SETFL, O_NONBLOCK);
  spawned result{pid, output.reads, errors.reads, 0};
  while (read(report.reads, &result.exec_error, sizeof(result.exec_error)) < 0 && errno == EINTR) {
  }
  close(report.reads);
  return result;
}

/// The job's descriptor, as the program is to inherit it.
int spawner::inheritable_job() const noexcept {
  const int high = fcntl(job_->descriptor(), F_DUPFD, job_descriptor);
  if (high >= 0) return high;
  fcntl(job_->descriptor(), F_SETFD, 0);
  return job_->descriptor();
}

void spawner::run_program(int rank, int output, int errors, int report) noexcept {
  if (!die_with_parent(self_)) _exit(EXIT_FAILURE);
  if (rank != 0) dup2(no_input_, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(errors, STDERR_FILENO);
  job_variable_.insert(0, std::to_string(inheritable_job()));
  setenv("FAR_JOB", job_variable_.c_str(), 1);
  setrlimit(RLIMIT_NOFILE, &files_);
  raise_core_limit();
  sigaction(SIGPIPE, &pipe_signal_, nullptr);
  // A terminal's Ctrl-\ is for the launcher; ranks that join handle the signal (rank_signals).
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGQUIT, &ignore, nullptr);
  sigprocmask(SIG_SETMASK, &signals_, nullptr);
  execvp(options_->program.c_str(), arguments_.data());
  const int why = errno;
  if (write(report, &why, sizeof(why)) < 0) _exit(launch_failed);
  _exit(launch_not_found);
}

}  // namespace far::fabric::shm
