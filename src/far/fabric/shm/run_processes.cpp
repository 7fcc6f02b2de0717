// Ranks as processes forked from this one: starts and watches them, and reports a failure.

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "far/base/child_signal.hpp"
#include "far/base/error.hpp"
#include "far/base/standard_streams.hpp"
#include "far/fabric/copy.hpp"
#include "far/fabric/shm/job.hpp"
#include "far/fabric/shm/leftovers.hpp"
#include "far/fabric/shm/rank_fabric.hpp"
#include "far/fabric/shm/rank_process.hpp"
#include "far/fabric/shm/rank_signals.hpp"
#include "far/fabric/shm/supervisor.hpp"

namespace far::fabric::shm {
namespace {

std::ptrdiff_t thread_count() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  const std::ptrdiff_t all = std::distance(begin(tasks), end(tasks));
  return under_thread_sanitizer && all > 1 ? all - 1 : all;  // the sanitizer has its own thread
}

/// A fork copies only the calling thread, so locks that other threads hold stay locked forever.
void refuse_threads() {
  // The system still counts a thread for a moment after it has been joined.
  constexpr int looks = 200;
  for (int look = 0; thread_count() > 1; ++look) {
    if (look == looks) {
      throw bad_argument(fmt::format(
          "ranks as processes are forked, which needs a single-threaded caller, but this process "
          "has {} threads: start the job before other threads, or run ranks as threads",
          thread_count()));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

[[noreturn]] void run_child(region& job, int rank, const rank_body& body, pid_t parent) noexcept {
  if (!die_with_parent(parent)) _exit(EXIT_FAILURE);
  forget_forking();
  int status = EXIT_SUCCESS;
  try {
    const rank_signals signals(job, rank);
    run_rank(job, rank, [&body](fabric& fabric) {
      body(fabric);
      base::flush_standard_output();
    });
  } catch (...) {
    status = EXIT_FAILURE;  // run_rank has reported it to the job
  }
  end_process(status);
}

/// The forked ranks. The destructor kills and reaps the remaining ones.
class children {
 public:
  explicit children(const region& job) : watch_(job) {}
  children(const children&) = delete;
  children& operator=(const children&) = delete;

  ~children() {
    watch_.kill();
    for (const pollfd& child : handles_) {
      if (child.fd < 0) continue;
      siginfo_t info{};
      while (waitid(P_PIDFD, static_cast<id_t>(child.fd), &info, WEXITED) != 0 && errno == EINTR) {
      }
      close(child.fd);
    }
  }

  void started(int rank, pid_t pid) {
    const int handle = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
    if (handle < 0) {
      const int why = errno;
      kill(pid, SIGKILL);
      waitpid(pid, nullptr, 0);
      throw fabric_error(
          fmt::format("cannot watch the process of rank {}: {}", rank, std::strerror(why)));
    }
    watch_.started(rank, pid);
    handles_.push_back({handle, POLLIN, 0});
    pids_.push_back(pid);
  }

  void wait_for_all() {
    while (watch_.running() > 0) {
      const int ready = poll(handles_.data(), handles_.size(), watch_.timeout_ms());
      watch_.act();
      for (std::size_t i = 0; ready > 0 && i < handles_.size(); ++i) {
        if (handles_[i].fd < 0 || handles_[i].revents == 0) continue;
        int status = 0;
        while (waitpid(pids_[i], &status, 0) < 0 && errno == EINTR) {
        }
        close(handles_[i].fd);
        handles_[i].fd = -1;  // poll skips it
        watch_.ended(pids_[i], status);
      }
    }
  }

  [[nodiscard]] std::optional<job_failure> failure() const { return watch_.failure(); }

 private:
  supervisor watch_;
  std::vector<pollfd> handles_;  // one per rank
  std::vector<pid_t> pids_;
};

[[noreturn]] void rethrow(const region& job, const job_failure& failure) {
  if (job.header().kind == failure_kind::rank_died) {
    throw rank_failed(failure.rank,
                      fmt::format("rank {} (pid {}) {}", failure.rank, failure.pid, failure.text));
  }
  if (job.header().kind == failure_kind::job_ended) std::exit(job.header().exit_status);
  throw_marked(job);
}

}  // namespace

void run_processes(const job_options& options, const rank_body& body) {
  refuse_threads();
  region job = region::create(geometry_of(options));
  // Otherwise every child would write the buffered output again.
  std::cout.flush();
  std::clog.flush();
  std::fflush(nullptr);
  const base::child_signal children_report;
  const pid_t parent = getpid();
  const leftovers files;
  children ranks(job);
  for (int rank = 0; rank < options.ranks; ++rank) {
    const pid_t pid = fork();
    if (pid == 0) run_child(job, rank, body, parent);
    if (pid < 0) {
      throw fabric_error(
          fmt::format("cannot start rank {} of {}: {}", rank, options.ranks, std::strerror(errno)));
    }
    ranks.started(rank, pid);
  }
  ranks.wait_for_all();
  files.remove();
  if (const auto failure = ranks.failure()) rethrow(job, *failure);
}

}  // namespace far::fabric::shm
