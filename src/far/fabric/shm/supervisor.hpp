#pragma once
// Supervises the processes of a job for the process that started them: determines which failed
// first, notifies the job, and ends the rest in time. Belongs to one thread.

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "far/fabric/shm/region.hpp"

namespace far::fabric::shm {

/// For example "died from signal 11 (Segmentation fault)" or "exited with status 3".
std::string describe_end(int wait_status);

/// The first failure of a job.
struct job_failure {
  int rank = 0;  ///< -1: all ranks, as threads of one process
  pid_t pid = 0;
  std::optional<int> wait_status;   ///< of its process, unless a signal of the supervisor ended it
  std::optional<int> asked_status;  ///< if the rank has ended the job, which is no failure
  std::string text;                 ///< "died from signal 9 (Killed)", "exited with status 1: ..."
  int others = 0;                   ///< other processes that had not ended successfully before
};

class supervisor {
 public:
  using clock = std::chrono::steady_clock;

  /// `threads`: there is one process, whose threads are the ranks.
  explicit supervisor(const region& job, bool threads = false);

  /// Notes that the process of `rank` (0 if it runs all ranks) has started.
  void started(int rank, pid_t pid);
  /// Notes that a process has ended. False if it is not one of the job's.
  bool ended(pid_t pid, int wait_status);
  [[nodiscard]] int running() const noexcept { return running_; }

  /// Notes that the job has failed: running processes have a moment to end by themselves.
  void job_failed();
  /// Sends SIGTERM to running processes, and kills them a moment later.
  void end();
  /// Kills running processes.
  void kill();
  /// Sends the signals that are due. Call it when timeout_ms has passed.
  void act();
  /// Milliseconds until act has something to do; -1: never.
  [[nodiscard]] int timeout_ms() const;

  /// Sends a signal to the running ranks, except those of process group `except`.
  void forward(int signal, pid_t except) const;

  /// The job's failure, if any. For a rank of another launcher, only the rank and text are known.
  [[nodiscard]] std::optional<job_failure> failure() const;

 private:
  struct process {
    int rank = 0;
    pid_t pid = 0;
    bool running = false;
    bool asked_to_end = false;
    bool ended_well = false;  ///< before the job failed
    std::optional<int> wait_status;
  };

  void fail(int rank, const std::string& what);
  [[nodiscard]] const char* early_end(int rank) const;
  [[nodiscard]] pid_t joined_pid(const process& of) const;
  void send(int signal);

  const region* job_;
  bool threads_;
  std::vector<process> processes_;
  int running_ = 0;
  bool failed_ = false;
  std::optional<clock::time_point> term_at_;
  std::optional<clock::time_point> kill_at_;
};

}  // namespace far::fabric::shm
