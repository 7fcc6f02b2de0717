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

/// The head's end of one machine: the program that reaches it (ssh), and what it and its launcher
/// there have said so far. What to do about it is the head's.
class connection {
 public:
  using clock = std::chrono::steady_clock;

  enum class stage {
    reached_for,  ///< nothing has come from its launcher
    greeted,
    able,
    running,
    done,   ///< its ranks have ended
    closed  ///< nothing can come any more
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

  /// Keeps what the program says on its standard error before there is a greeting.
  void read_early_errors();
  /// From here on that is the caller's, who closes it: the descriptor. -1: it has been given.
  int give_errors() noexcept;
  /// What was kept, and its last line.
  [[nodiscard]] const std::string& kept_errors() const noexcept { return kept_; }
  [[nodiscard]] std::string last_error() const;
  /// Why the program ended before the greeting, for the user; `far`: what it was to start.
  [[nodiscard]] std::string why_not_reached(const std::string& far) const;

  void stop_reading() noexcept;
  [[nodiscard]] bool reads() const noexcept { return process_.output >= 0; }
  /// Ends the program, and what it has started here.
  void kill() const noexcept;

  stage now = stage::reached_for;
  clock::time_point heard_at = clock::now();
  std::optional<int> wait_status;  ///< of the program
  record able;
  record cards;                   ///< of the last of
  int joined = 0;                 ///< so many jobs of the ranks, one after the other,
  int left = 0;                   ///< of which they have left so many
  record end = record::object();  ///< what done has told

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
