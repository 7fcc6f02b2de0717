#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "far/launch/hosts.hpp"
#include "far/launch/output.hpp"
#include "far/launch/spawn.hpp"
#include "far/launch/wire.hpp"

namespace far::launch {

/// The head's connection to one machine: the program that reaches it (ssh), and the state of that
/// program and of the launcher there. The head decides what to do about it.
class connection {
 public:
  using clock = std::chrono::steady_clock;

  enum class stage {
    reached_for,  ///< nothing has been received from its launcher
    greeted,
    able,
    running,
    done,   ///< its ranks have ended
    closed  ///< the program has ended, and all its output has been read
  };

  /// Starts the program. Errors: fabric_error.
  connection(host where, int first_rank, const std::vector<std::string>& command,
             const sigset_t& signals, const launcher_settings& settings);
  ~connection();
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;

  [[nodiscard]] const std::string& name() const noexcept { return where_.name; }
  [[nodiscard]] int ranks() const noexcept { return where_.ranks; }
  [[nodiscard]] int first_rank() const noexcept { return first_rank_; }
  [[nodiscard]] bool holds(int rank) const noexcept {
    return rank >= first_rank_ && rank < first_rank_ + where_.ranks;
  }
  [[nodiscard]] pid_t pid() const noexcept { return process_.pid; }
  [[nodiscard]] int exec_error() const noexcept { return process_.exec_error; }

  void say(frame_kind kind, const record& what = record::object()) { to_.add(framed(kind, what)); }
  void say_bytes(frame_kind kind, std::string_view bytes) { to_.add(framed_bytes(kind, bytes)); }
  [[nodiscard]] output_sink& to() noexcept { return to_; }
  [[nodiscard]] frame_reader& from() noexcept { return from_; }
  [[nodiscard]] int early_errors() const noexcept { return process_.errors; }

  /// Reads and keeps the program's standard error, until the greeting arrives.
  void read_early_errors();
  /// Passes the descriptor of the program's standard error to the caller, who closes it. -1 if that
  /// has been done.
  int give_errors() noexcept;
  /// The standard error that was kept, and its last line.
  [[nodiscard]] const std::string& kept_errors() const noexcept { return kept_; }
  [[nodiscard]] std::string last_error() const;
  /// Why the program ended before the greeting, for the user. `far`: the command it was to start.
  [[nodiscard]] std::string why_not_reached(const std::string& far) const;

  void stop_reading() noexcept;
  [[nodiscard]] bool reads() const noexcept { return process_.output >= 0; }
  /// Kills the program and the processes that it has started on this machine.
  void kill() const noexcept;

  stage now = stage::reached_for;
  clock::time_point last_heard = clock::now();
  std::optional<int> wait_status;  ///< of the program
  record able;                     ///< content of the frame `able`
  record cards;                    ///< content of the last frame `cards`
  int joined = 0;                  ///< number of jobs that its ranks have joined, one after another
  int left = 0;                    ///< number of jobs that its ranks have left
  record end = record::object();   ///< content of the frame `done`

 private:
  host where_;
  int first_rank_;
  pipe_ends input_;
  spawned process_;
  output_sink to_;
  frame_reader from_;
  std::string kept_;
};

}  // namespace far::launch
