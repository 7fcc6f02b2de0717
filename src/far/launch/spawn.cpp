#include "far/launch/spawn.hpp"

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

namespace far::launch {
namespace {

/// Above the descriptors that shell scripts commonly use.
constexpr int job_descriptor = 100;

void raise_core_limit() noexcept {
  rlimit core{};
  if (getrlimit(RLIMIT_CORE, &core) != 0) return;
  core.rlim_cur = core.rlim_max;
  setrlimit(RLIMIT_CORE, &core);
}

}  // namespace

pipe_ends make_pipe(const std::string& who) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw fabric_error(
        fmt::format("cannot open a pipe for {}: {}; {}", who, std::strerror(errno),
                    errno == EMFILE ? "raise the limit (ulimit -Hn)" : "start fewer ranks"));
  }
  return {ends[0], ends[1]};
}

spawned spawn(const std::string& who, const std::vector<char*>& arguments,
              base::function_ref<void()> prepare) {
  const pipe_ends output = make_pipe(who);
  const pipe_ends errors = make_pipe(who);
  const pipe_ends report = make_pipe(who);  // closed by exec when the program starts
  const pid_t pid = fork();
  if (pid == 0) {
    prepare();
    dup2(output.writes, STDOUT_FILENO);
    dup2(errors.writes, STDERR_FILENO);
    execvp(arguments.front(), arguments.data());
    const int why = errno;
    if (write(report.writes, &why, sizeof(why)) < 0) _exit(launch_failed);
    _exit(launch_not_found);
  }
  const int why = errno;
  close(output.writes);
  close(errors.writes);
  close(report.writes);
  if (pid < 0) throw fabric_error(fmt::format("cannot start {}: {}", who, std::strerror(why)));
  fcntl(output.reads, F_SETFL, O_NONBLOCK);
  fcntl(errors.reads, F_SETFL, O_NONBLOCK);
  spawned result{pid, output.reads, errors.reads, 0};
  while (read(report.reads, &result.exec_error, sizeof(result.exec_error)) < 0 && errno == EINTR) {
  }
  close(report.reads);
  return result;
}

std::string describe_exec_error(const std::string& program, int why) {
  const bool exists = access(program.c_str(), F_OK) == 0;
  if (why == ENOENT && program.find('/') != std::string::npos && exists) {
    return fmt::format("cannot run '{}': the interpreter that it names does not exist", program);
  }
  if (why == ENOENT && program.find('/') == std::string::npos && exists) {
    return fmt::format("cannot run '{0}': there is no such program in PATH; ./{0} is the one here",
                       program);
  }
  if (why == ENOENT) return fmt::format("cannot run '{}': there is no such program", program);
  return fmt::format("cannot run '{}': {}", program, std::strerror(why));
}

int status_of_exec_error(int why) noexcept {
  return why == ENOENT ? launch_not_found : launch_no_access;
}

launcher_settings::launcher_settings() noexcept {
  getrlimit(RLIMIT_NOFILE, &files_);
  rlimit many = files_;
  many.rlim_cur = many.rlim_max;
  setrlimit(RLIMIT_NOFILE, &many);
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, &pipe_signal_);
}

launcher_settings::~launcher_settings() { restore(); }

void launcher_settings::restore() const noexcept {
  setrlimit(RLIMIT_NOFILE, &files_);
  sigaction(SIGPIPE, &pipe_signal_, nullptr);
  child_signal_.restore();
}

void notify_terminal() {
  if (isatty(STDERR_FILENO) == 0) return;
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  setenv("FAR_TERMINAL", std::to_string(known ? size.ws_col : 80).c_str(), 1);
}

spawner::spawner(const launch_options& options, const shm::region& job, const sigset_t& signals,
                 int input)
    : options_(&options),
      job_(&job),
      signals_(signals),
      self_(getpid()),
      input_(input),
      no_input_(open("/dev/null", O_RDONLY | O_CLOEXEC)) {
  arguments_.push_back(const_cast<char*>(options.program.c_str()));
  for (const std::string& argument : options.args) {
    arguments_.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments_.push_back(nullptr);
  notify_terminal();
}

spawner::~spawner() { close(no_input_); }

spawned spawner::start(int rank) {
  job_variable_ =
      options_->threads ? fmt::format(":{}", shm::threads_membership) : fmt::format(":{}", rank);
  return spawn(fmt::format("rank {} of {}", rank, job_->job_ranks()), arguments_,
               [&] { prepare(rank); });
}

/// A descriptor of the job that the program inherits.
int spawner::inheritable_job() const noexcept {
  const int high = fcntl(job_->descriptor(), F_DUPFD, job_descriptor);
  if (high >= 0) return high;
  fcntl(job_->descriptor(), F_SETFD, 0);
  return job_->descriptor();
}

void spawner::prepare(int rank) noexcept {
  if (!shm::die_with_parent(self_)) _exit(EXIT_FAILURE);
  dup2(rank == 0 ? input_ : no_input_, STDIN_FILENO);
  job_variable_.insert(0, std::to_string(inheritable_job()));
  setenv("FAR_JOB", job_variable_.c_str(), 1);
  settings_.restore();
  raise_core_limit();
  // Ctrl-\ on a terminal is meant for the launcher. Ranks that join a job handle the signal
  // (rank_signals).
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGQUIT, &ignore, nullptr);
  sigprocmask(SIG_SETMASK, &signals_, nullptr);
}

}  // namespace far::launch
