#include "far/launch/head.hpp"

#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "far/base/environment.hpp"
#include "far/base/error.hpp"
#include "far/base/standard_streams.hpp"
#include "far/fabric/shm/uplink.hpp"
#include "far/launch/launcher.hpp"
#include "far/launch/over_hosts.hpp"
#include "far/launch/roster.hpp"

namespace far::launch {
namespace {

constexpr std::chrono::seconds heartbeat_interval{1};
/// How long a host may take to answer.
constexpr std::chrono::seconds longest_reach{60};
/// How long the program that reached a host may go on after its last message.
constexpr std::chrono::seconds longest_linger{10};

/// The default program that reaches a host. It must never prompt, because there may be no user to
/// answer.
constexpr const char* usual_shell =
    "ssh -T -o BatchMode=yes -o ConnectTimeout=20 -o ServerAliveInterval=10";

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> result;
  for (std::string word; stream >> word;) result.push_back(word);
  return result;
}

/// Quotes a word for a shell.
std::string shell_word(const std::string& word) {
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

/// The program that reaches hosts, and its arguments. Errors: bad_argument.
std::vector<std::string> shell_of(const launch_options& options) {
  std::string text = options.remote_shell;
  if (text.empty()) text = base::environment_text("FAR_RSH");
  if (text.empty()) text = usual_shell;
  std::vector<std::string> result = words_of(text);
  if (result.empty()) throw bad_argument("--rsh: want the program that reaches hosts, as ssh does");
  return result;
}

/// The environment variables of this process that all ranks get.
record variables_for_ranks() {
  record result = record::object();
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string_view entry(*at);
    const auto equals = entry.find('=');
    if (equals == std::string_view::npos || entry.starts_with("FAR_JOB=")) continue;
    if (!entry.starts_with("FAR_") && !entry.starts_with("UCX_")) continue;
    result[std::string(entry.substr(0, equals))] = std::string(entry.substr(equals + 1));
  }
  return result;
}

std::string own_path() {
  std::error_code failure;
  return std::filesystem::read_symlink("/proc/self/exe", failure).string();
}

}  // namespace

head::head(const launch_options& options, std::vector<host> hosts)
    : options_(options),
      far_(options.remote_far.empty() ? own_path() : options.remote_far),
      folder_(std::filesystem::current_path().string()),
      key_(shm::random_key()),
      silence_s_(shm::peer_timeout_s()),
      output_(STDOUT_FILENO),
      errors_(STDERR_FILENO) {
  notify_terminal();
  variables_ = variables_for_ranks();
  for (std::size_t node = 0; node < hosts.size(); ++node) {
    nodes_.insert(nodes_.end(), static_cast<std::size_t>(hosts[node].ranks),
                  static_cast<std::int32_t>(node));
  }
  reach_all(hosts);
}

void head::reach_all(const std::vector<host>& hosts) {
  std::vector<std::string> command = shell_of(options_);
  const std::string program = command.front();
  command.insert(command.end(), {"", "exec " + shell_word(far_) + " run --node"});
  int first = 0;
  for (const host& one : hosts) {
    command[command.size() - 2] = one.name;
    all_.push_back(std::make_unique<connection>(one, first, command, signals_.before(), settings_));
    first += one.ranks;
    const int why = all_.back()->exec_error();
    if (why == 0) continue;
    return give_up(describe_exec_error(program, why), status_of_exec_error(why));
  }
}

int head::run() {
  // If it were stopped, it would be silent, and the machines would assume that it has failed.
  ::signal(SIGTSTP, SIG_IGN);
  while (!all_closed()) turn();
  kill_at_.reset();
  drain();
  time_limit_.reset();
  const int status = conclude();
  drain(true);
  return status;
}

bool head::all_closed() const {
  return std::all_of(all_.begin(), all_.end(),
                     [](const auto& c) { return c->now == stage::closed; });
}

/// Waits for events, and handles them.
void head::turn() {
  const auto when = [](bool wanted, int descriptor, short events) {
    return pollfd{wanted ? descriptor : -1, events, 0};
  };
  const bool takes = !output_.full();
  std::vector<pollfd> ready{
      when(true, signals_.descriptor(), POLLIN), when(wants_input(), STDIN_FILENO, POLLIN),
      when(!output_.empty(), output_.descriptor(), POLLOUT),
      when(!errors_.sink().empty(), errors_.sink().descriptor(), POLLOUT),
      when(!errors_.sink().full() && !all_closed(), errors_.descriptor(), POLLIN)};
  const std::size_t own = ready.size();
  for (const auto& c : all_) {
    ready.push_back(when(takes && c->reads(), c->from().descriptor(), POLLIN));
    ready.push_back(when(!c->to().empty(), c->to().descriptor(), POLLOUT));
    ready.push_back(when(c->early_errors() >= 0, c->early_errors(), POLLIN));
  }
  if (poll(ready.data(), ready.size(), timeout_ms()) <= 0) {
    for (pollfd& one : ready) one.revents = 0;
  }
  if (ready[4].revents != 0) errors_.read_some();
  if (ready[2].revents != 0) output_.write_some();
  if (ready[3].revents != 0) errors_.sink().write_some();
  for (std::size_t i = 0; i < all_.size(); ++i) {
    connection& c = *all_[i];
    const pollfd* const its = &ready[own + 3 * i];
    if (its[0].revents != 0) hear(c);
    if (its[1].revents != 0) c.to().write_some();
    if (its[2].revents != 0 && c.early_errors() >= 0) c.read_early_errors();
  }
  if (ready[1].revents != 0) read_input();
  if (ready[0].revents != 0) {
    while (const auto info = signals_.next()) take_signal(*info);
  }
  for (const auto& c : all_) see_to_end(*c);
  // Messages from machines come behind the ranks' output. While output is stuck, they are not read.
  if (ended_early() && !ending_since_) ending_since_ = clock::now();
  if (ending_since_) abandon_stuck();
  if (output_.broken() && !std::exchange(output_closed_, true))
    send_to_all(frame_kind::output_closed);
  heartbeat();
}

int head::timeout_ms() const {
  int result = sooner_ms(ms_until(time_limit_), ms_until(kill_at_));
  if (!all_closed()) result = sooner_ms(result, ms_until(next_heartbeat_));
  if (!ending_since_) return result;
  result = sooner_ms(result, ms_until(stuck_at(output_, *ending_since_)));
  return sooner_ms(result, ms_until(stuck_at(errors_.sink(), *ending_since_)));
}

/// Sends heartbeats, and ends what has exceeded its time limit: machines and the job.
void head::heartbeat() {
  const auto now = clock::now();
  if (kill_at_ && now >= *kill_at_) {
    for (const auto& c : all_) {
      if (!c->wait_status) c->kill();
    }
    kill_at_.reset();
  }
  if (time_limit_ && now >= *time_limit_) {
    time_limit_.reset();
    out_of_time_to_write_ = all_closed();
    out_of_time_ = !out_of_time_to_write_;
    send_to_all(frame_kind::report);
    end_all(frame_kind::end);
  }
  if (now < next_heartbeat_) return;
  next_heartbeat_ = now + heartbeat_interval;
  for (const auto& c : all_) {
    if (output_.full()) c->last_heard = now;  // its messages are not being read
    if (c->now == stage::reached_for && now - c->last_heard > longest_reach) {
      c->kill();
      give_up(fmt::format("host '{}' has not answered for {} s", c->name(), longest_reach.count()));
    }
    const bool over = c->now == stage::done || !c->reads();
    if (over && !c->wait_status && now - c->last_heard > longest_linger) c->kill();
    if (c->now == stage::reached_for || c->now >= stage::done) continue;
    c->say(frame_kind::heartbeat);
    if (silence_s_ == 0 || now - c->last_heard <= std::chrono::seconds(silence_s_)) continue;
    c->kill();
    lose(*c, fmt::format("nothing was heard of host '{}' for {} s: it or the link to it is down "
                         "(FAR_PEER_TIMEOUT)",
                         c->name(), silence_s_));
  }
}

bool head::wants_input() const {
  if (!started_ || !input_open_ || !input_taken_ || all_.front()->now != stage::running) {
    return false;
  }
  // A job in the background does not read from the terminal.
  return isatty(STDIN_FILENO) == 0 || tcgetpgrp(STDIN_FILENO) == getpgrp();
}

void head::read_input() {
  static std::array<char, std::size_t{32} << 10> buffer;
  const ssize_t got = read(STDIN_FILENO, buffer.data(), buffer.size());
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  input_open_ = got > 0;
  input_taken_ = false;
  all_.front()->say_bytes(frame_kind::input,
                          {buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0))});
}

void head::take_signal(const signalfd_siginfo& info) {
  const int signal = static_cast<int>(info.ssi_signo);
  if (signal == SIGCHLD) return reap();
  if (signal == SIGQUIT) {
    for (const auto& c : all_) {
      if (c->now < stage::running) say(fmt::format("host '{}': has not started yet", c->name()));
    }
    return send_to_all(frame_kind::report);
  }
  const bool ends = asks_to_end(signal);
  if (!started_) {
    if (ends) give_up("ended by " + name_of(signal), 128 + signal);
    return;
  }
  if (all_closed()) {
    if (!ends) return;
    if (!ending_since_) ending_since_ = clock::now();
    return output_.abandon();
  }
  forwarded_ = signal;
  if (signal == SIGINT && ++interrupts_ > 1) return end_all(frame_kind::kill);
  send_to_all(frame_kind::forward, {{"signal", signal}});
}

void head::reap() {
  for (const auto& c : all_) {
    int status = 0;
    if (!c->wait_status && waitpid(c->pid(), &status, WNOHANG) == c->pid()) c->wait_status = status;
  }
}

/// Closes a connection whose program has ended, once the rest of its output has been read.
void head::see_to_end(connection& c) {
  if (c.now == stage::closed || !c.wait_status) return;
  int held = 0;
  if (c.reads() && ioctl(c.from().descriptor(), FIONREAD, &held) == 0 && held > 0) {
    return;  // the next turn reads it
  }
  c.stop_reading();
  while (c.early_errors() >= 0 && ioctl(c.early_errors(), FIONREAD, &held) == 0 && held > 0) {
    c.read_early_errors();
  }
  close(c);
}

void head::close(connection& c) {
  const stage was = std::exchange(c.now, stage::closed);
  if (was == stage::done) return;
  if (was == stage::reached_for) return give_up(c.why_not_reached(far_));
  const std::string lost = fmt::format("the connection to host '{}' is lost", c.name());
  if (was == stage::running) return lose(c, lost);
  give_up(lost);
}

bool head::ended_early() const {
  return out_of_time_ || out_of_time_to_write_ || asks_to_end(forwarded_) || trouble_ || failure_;
}

void head::abandon_stuck() {
  for (output_sink* sink : {&output_, &errors_.sink()}) {
    const auto end = stuck_at(*sink, *ending_since_);
    if (end && clock::now() >= *end) sink->abandon();
  }
}

void head::drain(bool ended_early) {
  for (;;) {
    const bool drained = errors_.drain();
    if (drained && output_.empty() && errors_.sink().empty()) return;
    if (ended_early && !ending_since_) ending_since_ = clock::now();
    turn();
  }
}

int head::conclude() {
  const std::size_t lost = output_.lost() + errors_.sink().lost();
  verdict end;
  if (out_of_time_) {
    end = verdict_of_time(options_.timeout_s, static_cast<int>(nodes_.size()));
  } else if (interrupts_ > 1) {
    end = verdict_of_interrupts();
  } else if (trouble_) {
    end = *trouble_;
  } else if (out_of_time_to_write_ && lost > 0) {
    end = verdict_of_time(options_.timeout_s, 0);
  } else {
    end = verdict_of_output(output_);
    if (end.status == 0) end = verdict_of_output(errors_.sink());
  }
  if (end.status == 0 && failure_) {
    const int rank = failure_->at("rank").get<int>();
    const connection& its = holder(rank);
    shm::job_failure failure;
    std::string who = fmt::format("rank {} (on host '{}')", rank, its.name());
    if (its.end.contains("failure") && its.end["failure"].at("rank") == rank) {
      failure = failure_of(its.end["failure"]);
      who = fmt::format("rank {} (pid {} on host '{}')", rank, failure.pid, its.name());
    } else {
      const bool ended = failure_->at("kind") == shm::failure_kind::job_ended;
      if (ended) failure.asked_status = failure_->at("status").get<int>();
      const bool says_how = ended || failure_->at("kind") == shm::failure_kind::rank_died;
      failure.text = (says_how ? "" : "failed: ") + failure_->at("text").get<std::string>();
    }
    for (const auto& c : all_) failure.others += c->end.value("others", 0);
    end = verdict_of(failure, {who, forwarded_, output_.broken()});
  }
  end = with_lost(std::move(end), lost);
  if (!end.line.empty()) say(end.line);
  return end.status;
}

int run_over_hosts(const launch_options& options) {
  base::hold_standard_streams();
  if (options.program.empty()) throw bad_argument("no program to run");
  if (options.threads) {
    throw bad_argument("--threads: ranks of several hosts cannot be threads of one process");
  }
  const std::string_view fabric = base::environment_text("FAR_FABRIC");
  if (!fabric.empty() && fabric != "ucx") {
    throw bad_argument(
        fmt::format("FAR_FABRIC={}: with --hosts it must be ucx, or not set", fabric));
  }
  head all(options, place_ranks(parse_hosts(options.hosts), options.ranks));
  return all.run();
}

}  // namespace far::launch
