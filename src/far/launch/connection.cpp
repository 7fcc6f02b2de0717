#include "far/launch/connection.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <utility>

#include <fmt/format.h>

#include "far/fabric/shm/rank_process.hpp"

namespace far::launch {
namespace {

constexpr std::size_t max_kept = 4096;

spawned start(const host& where, const std::vector<std::string>& command, int input,
              const sigset_t& signals, const launcher_settings& settings) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t self = getpid();
  return spawn(fmt::format("the program that reaches host '{}'", where.name), arguments, [&] {
    // A session of its own: so it does not get the Ctrl-C that is meant for the job, and has no
    // terminal on which to prompt for a password.
    if (!shm::die_with_parent(self) || setsid() < 0) _exit(EXIT_FAILURE);
    dup2(input, STDIN_FILENO);
    settings.restore();
    sigprocmask(SIG_SETMASK, &signals, nullptr);
  });
}

}  // namespace

connection::connection(host where, int first_rank, const std::vector<std::string>& command,
                       const sigset_t& signals, const launcher_settings& settings)
    : where_(std::move(where)),
      first_rank_(first_rank),
      input_(make_pipe(where_.name)),
      process_(start(where_, command, input_.reads, signals, settings)),
      to_(input_.writes),
      from_(process_.output) {
  close(input_.reads);
}

connection::~connection() {
  if (!wait_status) {
    kill();
    waitpid(process_.pid, nullptr, 0);
  }
  stop_reading();
  close(input_.writes);
  if (process_.errors >= 0) close(process_.errors);
}

void connection::read_early_errors() {
  std::array<char, 1024> buffer{};
  const ssize_t got = read(process_.errors, buffer.data(), buffer.size());
  if (got > 0 && kept_.size() < max_kept) {
    kept_.append(buffer.data(), static_cast<std::size_t>(got));
  } else if (got == 0) {
    close(give_errors());
  }
}

int connection::give_errors() noexcept { return std::exchange(process_.errors, -1); }

std::string connection::last_error() const {
  const auto last = kept_.find_last_not_of("\r\n");
  if (last == std::string::npos) return "";
  const auto before = kept_.find_last_of("\r\n", last);
  const auto begin = before == std::string::npos ? 0 : before + 1;
  return kept_.substr(begin, last + 1 - begin);
}

std::string connection::why_not_reached(const std::string& far) const {
  constexpr int of_ssh = 255;
  const int status = wait_status.value_or(0);
  const std::string said = last_error().empty() ? "" : ": " + last_error();
  if (WIFEXITED(status) && WEXITSTATUS(status) == of_ssh) {
    return fmt::format("cannot reach host '{}'{}", name(), said);
  }
  if (WIFEXITED(status) &&
      (WEXITSTATUS(status) == launch_not_found || WEXITSTATUS(status) == launch_no_access)) {
    return fmt::format("cannot start '{}' on host '{}'{}; --remote-far says where far is there",
                       far, name(), said);
  }
  return fmt::format("the connection to host '{}' ended before the job began: {}{}", name(),
                     WIFSIGNALED(status) ? fmt::format("signal {}", WTERMSIG(status))
                                         : fmt::format("status {}", WEXITSTATUS(status)),
                     said);
}

void connection::stop_reading() noexcept {
  if (process_.output >= 0) close(std::exchange(process_.output, -1));
}

void connection::kill() const noexcept {
  ::kill(-process_.pid, SIGKILL);
  ::kill(process_.pid, SIGKILL);
}

}  // namespace far::launch
