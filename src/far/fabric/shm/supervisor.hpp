#pragma once
// Watching over the processes of a job, for whoever started them: which of them failed first, who
// must be told, and when to make an end. Belongs to one thread.

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "far/fabric/shm/region.hpp"

namespace far::fabric::shm {

/// "died from signal 11 (Segmentation fault)", "exited with status 3".
std::string describe_end(int wait_status);

/// The first failure of a job.
struct job_failure {
  int rank = 0;  ///< -1: all of them, as the threads of one process
  pid_t pid = 0;
  std::optional<int> wait_status;   ///< of its process, unless that ended because it was told to
  std::optional<int> asked_status;  ///< with which the rank has ended the job: no failure then
  std::string text;                 ///< "died from signal 9 (Killed)", "exited with status 1: ..."
  int others = 0;                   ///< other processes that had not ended well by then
};

class supervisor {
 public:
  using clock = std::chrono::steady_clock;

  /// `threads`: there is one process, whose threads are the ranks.
  explicit supervisor(const region& job, bool threads = false);

  /// The process of `rank` (0 if it is that of all ranks) has started.
  void started(int rank, pid_t pid);
  /// A process has ended. False if it is none of the job's.
  bool ended(pid_t pid, int wait_status);
  [[nodiscard]] int running() const noexcept { return running_; }

  /// The job has failed, as others say: what runs must end, and has a moment to do it by itself.
  void job_failed();
  /// Asks those that run to end (SIGTERM), and kills them a moment later.
  void end();
  /// Kills those that run.
  void kill();
  /// Sends what is due by now. Call it when timeout_ms has passed.
  void act();
  /// Until act has something to do; -1: it never will.
  [[nodiscard]] int timeout_ms() const;

  /// Sends a signal to the ranks that run, but not to those of process group `except`.
  void forward(int signal, pid_t except) const;

  /// Whoever's failure it was: of a rank that is not of this launcher, the text alone is known.
  [[nodiscard]] std::optional<job_failure> failure() const;

 private:
  struct process {
    int rank = 0;
    pid_t pid = 0;
    bool running = false;
    bool told_to_end = false;
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
