#pragma once
// The launcher of a machine. It starts the ranks, then handles events until they have ended: a
// signal, output of a rank, an output of its own that becomes writable, a timeout. It has one
// thread, which waits in one poll.

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

/// Milliseconds until a time, at least 0. Without a time -1, which poll takes for "never".
int ms_until(const std::optional<shm::supervisor::clock::time_point>& when) noexcept;
/// The smaller of two timeouts of poll, where -1 is infinite.
int sooner_ms(int a, int b) noexcept;

/// The options of a job with the caller's launch options.
fabric::job_options job_of(const launch_options& options);

/// The launcher of a job on this machine. The launcher of one machine of several derives from it,
/// and communicates with the head in watch, attend and conclude.
class launcher {
 public:
  using clock = shm::supervisor::clock;

  /// A launcher of the ranks that `job` holds. `input`: the standard input of rank 0.
  launcher(const launch_options& options, shm::region job, int input,
           output_sink::wrapper wrap = nullptr);
  virtual ~launcher() = default;
  launcher(const launcher&) = delete;
  launcher& operator=(const launcher&) = delete;

  /// Runs the job, and returns the exit status.
  int run();

 protected:
  /// watch adds descriptors to poll; attend handles their events, after each poll.
  virtual void watch(std::span<pollfd, 2>) {}
  virtual void attend(std::span<const pollfd, 2>) {}
  /// Timeout after which attend is called even without events; -1: never.
  [[nodiscard]] virtual int patience_ms() const { return -1; }
  /// Reports how the job ended, after all ranks have ended and all output has been written. Returns
  /// the exit status.
  virtual int conclude();

  /// The error message if a rank's program could not be run, and the exit status for that.
  struct exec_failure {
    std::string text;
    int status = 0;
  };

  [[nodiscard]] const shm::region& job() const noexcept { return job_; }
  [[nodiscard]] shm::supervisor& ranks() noexcept { return watch_; }
  [[nodiscard]] output_channel& output() noexcept { return output_; }
  [[nodiscard]] const std::optional<exec_failure>& not_run() const noexcept { return not_run_; }
  /// Reports what each rank waits for. That is read from shared memory, so stopped ranks are
  /// included.
  void report(base::function_ref<void(const std::string&)> line) const;
  /// Writes what is left in the ranks' pipes and in the queues. A job that was ended early does not
  /// wait for a reader that is stuck. `ended_early`: treat the job as ended early in any case.
  void drain(bool ended_early = false);
  /// Drops the rest of the output.
  void give_up() { output_.sink().abandon(); }
  /// Whether the rest of the output must be written even if its reader is stuck.
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
  int out_of_time_ = 0;  // number of ranks that the time limit has ended
  int forwarded_ = 0;    // the last signal forwarded
  int interrupts_ = 0;
  bool out_of_time_to_write_ = false;
  std::optional<clock::time_point> ending_since_;  // set if the rest of the output may be dropped
};

}  // namespace far::launch
