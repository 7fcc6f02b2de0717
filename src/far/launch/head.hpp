#pragma once

#include <poll.h>
#include <sys/signalfd.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "far/launch/connection.hpp"
#include "far/launch/launch.hpp"
#include "far/launch/signals.hpp"
#include "far/launch/verdict.hpp"

namespace far::launch {

/// Controls the launchers of all machines of a job; this is what `far run --hosts` runs. It has one
/// thread, which waits in one poll.
class head {
 public:
  head(const launch_options& options, std::vector<host> hosts);

  /// Runs the job, and returns the exit status.
  int run();

 private:
  using clock = connection::clock;
  using stage = connection::stage;

  // head.cpp: the event loop.
  void reach_all(const std::vector<host>& hosts);
  void turn();
  void read_input();
  [[nodiscard]] bool wants_input() const;
  void take_signal(const signalfd_siginfo& info);
  void reap();
  void heartbeat();
  void see_to_end(connection& c);
  void close(connection& c);
  [[nodiscard]] bool all_closed() const;
  [[nodiscard]] int timeout_ms() const;
  [[nodiscard]] bool ended_early() const;
  void abandon_stuck();
  void drain(bool ended_early = false);
  int conclude();
  void say(const std::string& line) { errors_.sink().put(nullptr, "far run: " + line + '\n'); }

  // head_news.cpp: messages from machines.
  void hear(connection& c);
  void take(connection& c, const frame& news);
  void greet(connection& c, const record& hello);
  void start_if_all_able();
  void share_cards();
  void end_if_all_left();
  void take_end(connection& c, const record& end);
  void detect_strangers();
  /// Ends the job. Only the first problem is reported, not its consequences.
  void give_up(const std::string& why, int status = launch_failed);
  /// The same if a machine is lost. Its first rank is marked as failed, because other ranks may
  /// wait for those of the machine.
  void lose(const connection& c, const std::string& why);
  void fail(const record& failure, const connection* from);
  void send_to_all(frame_kind kind, const record& what = record::object(),
                   const connection* but = nullptr);
  void end_all(frame_kind kind);
  [[nodiscard]] const connection& holder(int rank) const;
  [[nodiscard]] record description(std::int32_t node) const;

  const launch_options& options_;
  std::string far_;     // path of the far command on all machines
  std::string folder_;  // working directory of the ranks
  record variables_;
  std::vector<std::int32_t> nodes_;  // by rank
  std::uint64_t key_;
  std::uint64_t silence_s_;

  signal_queue signals_;
  launcher_settings settings_;
  output_sink output_;
  output_channel errors_;
  std::vector<std::unique_ptr<connection>> all_;

  bool started_ = false;
  int shared_ = 0;           // number of jobs whose cards were sent to all machines
  int left_ = 0;             // number of jobs that all machines have left
  bool input_open_ = true;   // rank 0 may read more input
  bool input_taken_ = true;  // rank 0 has read the input that was sent
  bool output_closed_ = false;
  bool out_of_time_to_write_ = false;
  std::optional<clock::time_point> ending_since_;  // of a job that is ended early
  std::optional<clock::time_point> time_limit_;
  std::optional<clock::time_point> kill_at_;  // connections that are open then are killed
  clock::time_point next_heartbeat_ = clock::now();
  std::optional<verdict> trouble_;  // a failure that is not one of a rank
  std::optional<record> failure_;   // the first failure of a rank
  bool failure_owned_ = false;      // failure_ was reported by the rank's own machine
  bool out_of_time_ = false;
  int forwarded_ = 0;
  int interrupts_ = 0;
};

}  // namespace far::launch
