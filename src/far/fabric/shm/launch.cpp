// The launcher: starts the ranks, and then lives around four things that may happen: a signal
// came, a rank has written, an output of its own takes more, a time is over. One thread, one poll.

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/fabric/shm/job.hpp"
#include "far/fabric/shm/launch_output.hpp"
#include "far/fabric/shm/launch_signals.hpp"
#include "far/fabric/shm/launch_spawn.hpp"
#include "far/fabric/shm/proc.hpp"
#include "far/fabric/shm/supervisor.hpp"
#include "far/fabric/shm/wait_report.hpp"

namespace far::fabric::shm {
namespace {

using clock = supervisor::clock;

job_options job_of(const launch_options& options) {
  job_options job;
  job.ranks = options.ranks;
  job.symmetric_bytes = options.symmetric_bytes;
  job.local_bytes = options.local_bytes;
  job.service = options.service;
  return job;
}

std::string name_of(int signal) {
  const char* const name = sigdescr_np(signal);
  return fmt::format("signal {} ({})", signal, name == nullptr ? "unknown" : name);
}

std::string count_of(int ranks) { return fmt::format("{} rank{}", ranks, ranks == 1 ? "" : "s"); }

class launcher {
 public:
  explicit launcher(const launch_options& options)
      : options_(options),
        job_(region::create(geometry_of(job_of(options)))),
        spawn_(options, job_, signals_.before()),
        watch_(job_, options.threads),
        output_(STDOUT_FILENO),
        errors_(STDERR_FILENO) {}

  /// The exit status.
  int run();

 private:
  void start_all();
  void cannot_run(int why);
  void turn();
  [[nodiscard]] int timeout_ms() const;
  void take_signal(const signalfd_siginfo& info);
  void reap();
  void end_in_time();
  void report();
  void drain();
  int conclude();
  int conclude(const job_failure& failure);
  void say(const std::string& line) { errors_.sink().put(nullptr, "far run: " + line + '\n'); }

  const launch_options& options_;
  signal_queue signals_;
  region job_;
  spawner spawn_;
  supervisor watch_;
  output_channel output_;
  output_channel errors_;
  std::optional<clock::time_point> time_limit_;
  int out_of_time_ = 0;  // ranks that the time limit has ended
  int exec_status_ = 0;  // of a program that cannot be run
  int forwarded_ = 0;    // the last signal forwarded
  int interrupts_ = 0;
  bool given_up_ = false;  // the user does not wait for the rest of the output
};

int launcher::run() {
  const orphan_catcher orphans;
  try {
    start_all();
  } catch (...) {
    watch_.kill();
    while (watch_.running() > 0) turn();
    throw;
  }
  if (options_.timeout_s > 0) {
    time_limit_ = clock::now() + std::chrono::duration_cast<clock::duration>(
                                     std::chrono::duration<double>(options_.timeout_s));
  }
  while (watch_.running() > 0) turn();
  time_limit_.reset();
  if (out_of_time_ > 0 || interrupts_ > 1 || watch_.failure()) orphans.kill_all();
  drain();
  const int status = conclude();
  drain();
  return status;
}

void launcher::start_all() {
  const int processes = options_.threads ? 1 : options_.ranks;
  for (int rank = 0; rank < processes && exec_status_ == 0; ++rank) {
    const spawned process = spawn_.start(rank);
    watch_.started(rank, process.pid);
    const std::string tag = options_.tag_output ? fmt::format("[{}] ", rank) : "";
    output_.add(process.output, tag);
    errors_.add(process.errors, tag);
    if (process.exec_error != 0) cannot_run(process.exec_error);
  }
}

void launcher::cannot_run(int why) {
  const std::string& program = options_.program;
  const bool exists = access(program.c_str(), F_OK) == 0;
  if (why == ENOENT && program.find('/') != std::string::npos && exists) {
    say(fmt::format("cannot run '{}': the interpreter that it names does not exist", program));
  } else if (why == ENOENT) {
    say(fmt::format("cannot run '{}': there is no such program", program));
  } else {
    say(fmt::format("cannot run '{}': {}", program, std::strerror(why)));
  }
  exec_status_ = why == ENOENT ? launch_not_found : launch_no_access;
  watch_.kill();
}

/// Waits until something happens, and sees to it.
void launcher::turn() {
  const auto reads = [](output_channel& channel) {
    return pollfd{channel.sink().full() ? -1 : channel.descriptor(), POLLIN, 0};
  };
  const auto writes = [](const output_sink& sink) {
    return pollfd{sink.empty() ? -1 : sink.descriptor(), POLLOUT, 0};
  };
  const bool running = watch_.running() > 0;
  std::array<pollfd, 5> ready{
      pollfd{signals_.descriptor(), POLLIN, 0}, running ? reads(output_) : pollfd{-1, 0, 0},
      running ? reads(errors_) : pollfd{-1, 0, 0}, writes(output_.sink()), writes(errors_.sink())};
  const int count = poll(ready.data(), ready.size(), timeout_ms());
  watch_.act();
  if (time_limit_ && clock::now() >= *time_limit_) end_in_time();
  if (count <= 0) return;
  // Output first: what a rank wrote before it died was there before the signal of its death.
  if (ready[1].revents != 0) output_.read_some();
  if (ready[2].revents != 0) errors_.read_some();
  if (ready[3].revents != 0) output_.sink().write_some();
  if (ready[4].revents != 0) errors_.sink().write_some();
  if (ready[0].revents != 0) {
    while (const auto info = signals_.next()) take_signal(*info);
  }
}

int launcher::timeout_ms() const {
  int result = watch_.timeout_ms();
  if (time_limit_) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*time_limit_ - clock::now());
    constexpr std::int64_t longest = 1'000'000'000;
    const auto limit = static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, longest));
    result = result < 0 ? limit : std::min(result, limit);
  }
  return result;
}

void launcher::take_signal(const signalfd_siginfo& info) {
  const int signal = static_cast<int>(info.ssi_signo);
  if (signal == SIGCHLD) return reap();
  if (signal == SIGQUIT) return report();
  if (watch_.running() == 0) {
    given_up_ |= signal == SIGINT || signal == SIGTERM || signal == SIGHUP;
    return;
  }
  forwarded_ = signal;
  if (signal == SIGINT && ++interrupts_ > 1) return watch_.kill();
  // What a terminal sends reaches all processes in front of it without our help.
  watch_.forward(signal, info.ssi_code == SI_KERNEL ? getpgrp() : 0);
}

void launcher::reap() {
  int status = 0;
  for (pid_t pid = 0; (pid = waitpid(-1, &status, WNOHANG)) > 0;) watch_.ended(pid, status);
}

void launcher::end_in_time() {
  time_limit_.reset();
  out_of_time_ = watch_.running();
  report();
  watch_.end();
}

/// Says what each rank waits for. It is read from shared memory: stopped ranks are told of too.
void launcher::report() {
  for (int rank = 0; rank < options_.ranks; ++rank) {
    const pid_t pid = job_.rank(rank).pid.load(std::memory_order_relaxed);
    const char state = pid == 0 ? '\0' : process_state(pid);
    report_waits(job_, rank, [&](std::string_view line) {
      say(fmt::format("{}{}", line, state == 'T' ? " (stopped)" : ""));
    });
  }
}

/// Writes all that the ranks have left in their pipes, and what was queued.
void launcher::drain() {
  for (;;) {
    const bool output_drained = output_.drain();
    const bool errors_drained = errors_.drain();
    const bool written = output_.sink().empty() && errors_.sink().empty();
    if (given_up_ || (output_drained && errors_drained && written)) return;
    turn();
  }
}

int launcher::conclude() {
  if (exec_status_ != 0) return exec_status_;
  if (out_of_time_ > 0) {
    const int ranks = options_.threads ? options_.ranks : out_of_time_;
    say(fmt::format("the time limit of {} s has passed; ended {}", options_.timeout_s,
                    count_of(ranks)));
    return launch_timed_out;
  }
  if (interrupts_ > 1) {
    say("ended by a second " + name_of(SIGINT));
    return 128 + SIGINT;
  }
  const int error = output_.sink().error();
  if (error != 0 && error != EPIPE) {
    say(fmt::format("cannot write the ranks' output: {}", std::strerror(error)));
    return launch_failed;
  }
  if (const auto failure = watch_.failure()) return conclude(*failure);
  return 0;
}

int launcher::conclude(const job_failure& failure) {
  const int end = failure.wait_status.value_or(0);
  const int signal = WIFSIGNALED(end) ? WTERMSIG(end) : 0;
  const int status = WIFEXITED(end) ? WEXITSTATUS(end) : 128 + signal;
  if (signal == SIGPIPE && output_.sink().broken()) return status;  // `far run ... | head`
  if (signal != 0 && signal == forwarded_) {
    say("ended by " + name_of(signal));
    return status;
  }
  std::string who = fmt::format("rank {} (pid {})", failure.rank, failure.pid);
  if (options_.threads) {
    who = failure.rank < 0
              ? fmt::format("the process of {} (pid {})", count_of(options_.ranks), failure.pid)
              : fmt::format("rank {} (a thread of pid {})", failure.rank, failure.pid);
  }
  const std::string others = failure.others > 1    ? "; ended the other " + count_of(failure.others)
                             : failure.others == 1 ? "; ended the other rank"
                                                   : "";
  say(fmt::format("{} {}{}", who, failure.text, others));
  return status != 0 ? status : launch_failed;
}

}  // namespace

int launch(const launch_options& options) {
  // A pipe must not come to lie where a standard stream belongs.
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", O_RDWR) < 0) {
      throw fabric_error(fmt::format("cannot open /dev/null: {}", std::strerror(errno)));
    }
  }
  if (options.tag_output && options.threads) {
    throw bad_argument("ranks that are threads share their output: it cannot be tagged by rank");
  }
  if (options.program.empty()) throw bad_argument("no program to run");
  launcher job(options);
  return job.run();
}

}  // namespace far::fabric::shm
