#pragma once
// The launcher of a machine: starts the ranks, and then lives around what may happen: a signal
// came, a rank has written, an output of its own takes more, a time is over. One thread, one poll.

#include <poll.h>
#include <sys/signalfd.h>

#include <array>
#include <optional>
#include <span>
#include <string>

#include "far/base/function_ref.hpp"
#include "far/fabric/shm/region.hpp"
#include "far/fabric/shm/supervisor.hpp"
#include "far/launch/launch.hpp"
#include "far/launch/output.hpp"
#include "far/launch/signals.hpp"
#include "far/launch/spawn.hpp"
#include "far/launch/verdict.hpp"

namespace far::launch {

/// Milliseconds until a time, not negative; -1, which poll takes for never, if there is none.
int ms_until(const std::optional<shm::supervisor::clock::time_point>& when) noexcept;
/// The shorter of two of poll's times.
int sooner_ms(int a, int b) noexcept;

/// What the caller's options ask of a job.
fabric::job_options job_of(const launch_options& options);

/// By itself, the launcher of a job of this machine. One that is part of a job over machines
/// derives from it, and talks to the others in watch, attend and conclude.
class launcher {
 public:
  using clock = shm::supervisor::clock;

  /// Starts the ranks that have a place in `job`. `input`: what rank 0 reads.
  launcher(const launch_options& options, shm::region job, int input,
           output_sink::wrapper wrap = nullptr);
  virtual ~launcher() = default;
  launcher(const launcher&) = delete;
  launcher& operator=(const launcher&) = delete;

  /// The exit status.
  int run();

 protected:
  /// More to poll for, and to attend to after each poll.
  virtual void watch(std::span<pollfd, 2>) {}
  virtual void attend(std::span<const pollfd, 2>) {}
  /// When to attend even if nothing happens; -1: never.
  [[nodiscard]] virtual int patience_ms() const { return -1; }
  /// Tells how it went, when all has ended and been written.
  virtual int conclude();

  /// A rank's program that could not be run, and what its status says.
  struct exec_failure {
    std::string text;
    int status = 0;
  };

  [[nodiscard]] const shm::region& job() const noexcept { return job_; }
  [[nodiscard]] shm::supervisor& ranks() noexcept { return watch_; }
  [[nodiscard]] output_channel& output() noexcept { return output_; }
  [[nodiscard]] const std::optional<exec_failure>& not_run() const noexcept { return not_run_; }
  /// What each rank waits for. It is read from shared memory: stopped ranks are told of too.
  void report(base::function_ref<void(const std::string&)> line) const;
  /// Writes all that the ranks have left in their pipes, and what was queued. A job that is ended
  /// early does not wait for a reader that is stuck; `ended_early`: whatever became of the ranks.
  void drain(bool ended_early = false);
  /// Nobody waits for the rest of the output.
  void give_up() { output_.sink().abandon(); }
  /// Whether all of the output that is left must wait for its reader, stuck or not.
  [[nodiscard]] virtual bool must_write() const { return false; }

 private:
  void start_all();
  void turn();
  [[nodiscard]] int timeout_ms() const;
  void take_signal(const signalfd_siginfo& info);
  void reap();
  void end_in_time();
  [[nodiscard]] bool ended_early() const;
  void abandon_stuck();
  void report();
  [[nodiscard]] std::string name_of_failed(const shm::job_failure& failure) const;
  void say(const std::string& line) { errors_.sink().put(nullptr, "far run: " + line + '\n'); }

  const launch_options& options_;
  signal_queue signals_;
  shm::region job_;
  spawner spawn_;
  shm::supervisor watch_;
  output_channel output_;
  output_channel errors_;
  std::optional<clock::time_point> time_limit_;
  std::optional<exec_failure> not_run_;
  int out_of_time_ = 0;  // ranks that the time limit has ended
  int forwarded_ = 0;    // the last signal forwarded
  int interrupts_ = 0;
  bool out_of_time_to_write_ = false;
  std::optional<clock::time_point> ending_since_;  // of a job that is ended early, its output's end
};

}  // namespace far::launch
