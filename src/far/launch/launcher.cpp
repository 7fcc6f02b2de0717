#include "far/launch/launcher.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/fabric/shm/leftovers.hpp"
#include "far/fabric/shm/proc.hpp"
#include "far/fabric/shm/wait_report.hpp"

namespace far::launch {

int ms_until(const std::optional<shm::supervisor::clock::time_point>& when) noexcept {
  if (!when) return -1;
  constexpr std::int64_t longest = 1'000'000'000;
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(*when - shm::supervisor::clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, longest));
}

int sooner_ms(int a, int b) noexcept {
  if (a < 0 || b < 0) return std::max(a, b);
  return std::min(a, b);
}

fabric::job_options job_of(const launch_options& options) {
  fabric::job_options job;
  job.ranks = options.ranks;
  job.symmetric_bytes = options.symmetric_bytes;
  job.local_bytes = options.local_bytes;
  job.service = options.service;
  return job;
}

launcher::launcher(const launch_options& options, shm::region job, int input,
                   output_sink::wrapper wrap)
    : options_(options),
      job_(std::move(job)),
      spawn_(options, job_, signals_.before(), input),
      watch_(job_, options.threads),
      output_(STDOUT_FILENO, wrap),
      errors_(STDERR_FILENO) {}

int launcher::run() {
  const shm::orphan_catcher orphans;
  const shm::leftovers files;
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
  orphans.kill_all();  // what ranks have left behind
  files.remove();
  drain();
  time_limit_.reset();
  const int status = conclude();
  drain(true);
  return status;
}

void launcher::start_all() {
  const int ranks = options_.threads ? 1 : job_.job_ranks();
  for (int rank = 0; rank < ranks && !not_run_; ++rank) {
    if (!job_.holds(rank)) continue;
    const spawned process = spawn_.start(rank);
    watch_.started(rank, process.pid);
    const std::string tag = options_.tag_output ? fmt::format("[{}] ", rank) : "";
    output_.add(process.output, tag);
    errors_.add(process.errors, tag);
    if (process.exec_error == 0) continue;
    not_run_ = exec_failure{describe_exec_error(options_.program, process.exec_error),
                            status_of_exec_error(process.exec_error)};
    watch_.kill();
  }
}

/// Waits for events, and handles them.
void launcher::turn() {
  const auto reads = [](output_channel& channel) {
    return pollfd{channel.sink().full() ? -1 : channel.descriptor(), POLLIN, 0};
  };
  const auto writes = [](const output_sink& sink) {
    return pollfd{sink.empty() ? -1 : sink.descriptor(), POLLOUT, 0};
  };
  const bool running = watch_.running() > 0;
  const pollfd nothing{-1, 0, 0};
  std::array<pollfd, 7> ready{pollfd{signals_.descriptor(), POLLIN, 0},
                              running ? reads(output_) : nothing,
                              running ? reads(errors_) : nothing,
                              writes(output_.sink()),
                              writes(errors_.sink()),
                              nothing,
                              nothing};
  const std::span<pollfd, 2> more = std::span(ready).last<2>();
  watch(more);
  if (poll(ready.data(), ready.size(), timeout_ms()) <= 0) {
    for (pollfd& one : ready) one.revents = 0;
  }
  watch_.act();
  if (time_limit_ && clock::now() >= *time_limit_) end_in_time();
  // Output first: what a rank wrote before it died arrived before the signal of its death.
  if (ready[1].revents != 0) output_.read_some();
  if (ready[2].revents != 0) errors_.read_some();
  if (ready[3].revents != 0) output_.sink().write_some();
  if (ready[4].revents != 0) errors_.sink().write_some();
  if (ready[0].revents != 0) {
    while (const auto info = signals_.next()) take_signal(*info);
  }
  attend(more);
}

int launcher::timeout_ms() const {
  int result = sooner_ms(patience_ms(), sooner_ms(watch_.timeout_ms(), ms_until(time_limit_)));
  if (!ending_since_) return result;
  for (const output_sink* sink : {&output_.sink(), &errors_.sink()}) {
    result = sooner_ms(result, ms_until(stuck_at(*sink, *ending_since_)));
  }
  return result;
}

void launcher::take_signal(const signalfd_siginfo& info) {
  const int signal = static_cast<int>(info.ssi_signo);
  if (signal == SIGCHLD) return reap();
  if (signal == SIGQUIT) return report();
  if (watch_.running() == 0) {
    if (!asks_to_end(signal)) return;
    if (!ending_since_ && !must_write()) ending_since_ = clock::now();
    return give_up();
  }
  forwarded_ = signal;
  if (signal == SIGINT && ++interrupts_ > 1) return watch_.kill();
  // A signal from the terminal already reaches all processes of its foreground group.
  watch_.forward(signal, info.ssi_code == SI_KERNEL ? getpgrp() : 0);
}

void launcher::reap() {
  int status = 0;
  for (pid_t pid = 0; (pid = waitpid(-1, &status, WNOHANG)) > 0;) watch_.ended(pid, status);
}

void launcher::end_in_time() {
  time_limit_.reset();
  if (watch_.running() == 0) {
    out_of_time_to_write_ = true;
    return;
  }
  out_of_time_ = watch_.running();
  report();
  watch_.end();
}

void launcher::report(base::function_ref<void(const std::string&)> line) const {
  for (int rank = 0; rank < job_.job_ranks(); ++rank) {
    if (!job_.holds(rank)) continue;
    const pid_t pid = job_.rank(rank).pid.load(std::memory_order_relaxed);
    const char state = pid == 0 ? '\0' : shm::process_state(pid);
    report_waits(job_, rank, [&](std::string_view text) {
      line(fmt::format("{}{}", text, state == 'T' ? " (stopped)" : ""));
    });
  }
}

void launcher::report() {
  report([this](const std::string& line) { say(line); });
}

bool launcher::ended_early() const {
  return not_run_ || out_of_time_ > 0 || out_of_time_to_write_ || asks_to_end(forwarded_) ||
         watch_.failure();
}

void launcher::drain(bool ended_early) {
  for (;;) {
    const bool output_drained = output_.drain();
    const bool errors_drained = errors_.drain();
    const bool written = output_.sink().empty() && errors_.sink().empty();
    if (output_drained && errors_drained && written) return;
    if (!ending_since_ && !must_write() && (ended_early || this->ended_early())) {
      ending_since_ = clock::now();
    }
    turn();
    if (ending_since_) abandon_stuck();
  }
}

void launcher::abandon_stuck() {
  for (output_sink* sink : {&output_.sink(), &errors_.sink()}) {
    const auto end = stuck_at(*sink, *ending_since_);
    if (end && clock::now() >= *end) sink->abandon();
  }
}

int launcher::conclude() {
  const std::size_t lost = output_.sink().lost() + errors_.sink().lost();
  verdict end;
  if (not_run_) {
    end = {not_run_->text, not_run_->status};
  } else if (out_of_time_ > 0) {
    end = verdict_of_time(options_.timeout_s, options_.threads ? options_.ranks : out_of_time_);
  } else if (out_of_time_to_write_ && lost > 0) {
    end = verdict_of_time(options_.timeout_s, 0);
  } else if (interrupts_ > 1) {
    end = verdict_of_interrupts();
  } else {
    end = verdict_of_output(output_.sink());
    if (end.status == 0) end = verdict_of_output(errors_.sink());
  }
  const auto failure = watch_.failure();
  if (end.status == 0 && failure) {
    end = verdict_of(*failure, {name_of_failed(*failure), forwarded_, output_.sink().broken()});
  }
  end = with_lost(std::move(end), lost);
  if (!end.line.empty()) say(end.line);
  return end.status;
}

std::string launcher::name_of_failed(const shm::job_failure& failure) const {
  if (!options_.threads) return fmt::format("rank {} (pid {})", failure.rank, failure.pid);
  if (failure.rank >= 0) {
    return fmt::format("rank {} (a thread of pid {})", failure.rank, failure.pid);
  }
  return fmt::format("the process of {} (pid {})", count_of(options_.ranks), failure.pid);
}

}  // namespace far::launch
