#include "far/fabric/shm/supervisor.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "far/fabric/shm/proc.hpp"

namespace far::fabric::shm {
namespace {

// All processes have ended within 2 s of a failure, with half a second to spare for a busy machine.
constexpr std::chrono::milliseconds grace{800};       // from the failure to SIGTERM
constexpr std::chrono::milliseconds last_grace{500};  // from SIGTERM to SIGKILL

}  // namespace

std::string describe_end(int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    const int signal = WTERMSIG(wait_status);
    const char* const name = sigdescr_np(signal);
    return fmt::format("died from signal {} ({}){}", signal, name == nullptr ? "unknown" : name,
                       WCOREDUMP(wait_status) ? ", core dumped" : "");
  }
  return fmt::format("exited with status {}", WEXITSTATUS(wait_status));
}

supervisor::supervisor(const region& job, bool threads) : job_(&job), threads_(threads) {}

void supervisor::started(int rank, pid_t pid) {
  process p;
  p.rank = rank;
  p.pid = pid;
  p.running = true;
  processes_.push_back(p);
  ++running_;
}

/// Why it is a failure that a process has ended with status 0; null: it is none.
const char* supervisor::early_end(int rank) const {
  job_header& header = job_->header();
  constexpr const char* too_early = "exited with status 0 before the job's end";
  if (threads_) {
    return header.finished.load() < header.joined.load(std::memory_order_seq_cst) ? too_early
                                                                                  : nullptr;
  }
  const rank_block& block = job_->rank(rank);
  if (block.stage.load(std::memory_order_seq_cst) == rank_stage::joined) return too_early;
  // Ranks that join the next job later detect it themselves (rank_fabric::join).
  std::int32_t no_rank = 0;
  header.departed.compare_exchange_strong(no_rank, rank + 1, std::memory_order_seq_cst);
  const std::int32_t joined_with_it =
      block.jobs.load(std::memory_order_relaxed) * job_->shape().ranks;
  return header.joined.load(std::memory_order_seq_cst) > joined_with_it ? left_without_joining
                                                                        : nullptr;
}

bool supervisor::ended(pid_t pid, int wait_status) {
  const auto found = std::find_if(processes_.begin(), processes_.end(),
                                  [&](const process& p) { return p.running && p.pid == pid; });
  if (found == processes_.end()) return false;
  found->running = false;
  found->wait_status = wait_status;
  --running_;
  const int rank = found->rank;
  if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 0) {
    if (const char* const why = early_end(rank)) {
      fail(rank, why);
    } else {
      found->ended_well = !failed_;
      // It may have reported a failure to the job and still have ended with status 0.
      if (job_->header().failed.load(std::memory_order_acquire) != 0) job_failed();
    }
  } else {
    fail(rank, describe_end(wait_status));
  }
  return true;
}

void supervisor::fail(int rank, const std::string& what) {
  mark_ended(*job_, rank, threads_, what);
  job_failed();
}

void supervisor::job_failed() {
  if (failed_) return;
  failed_ = true;
  if (!kill_at_) {
    term_at_ = clock::now() + grace;
    kill_at_ = *term_at_ + last_grace;
  }
}

void supervisor::end() {
  term_at_.reset();
  kill_at_ = clock::now() + last_grace;
  send(SIGTERM);
  send(SIGCONT);  // a stopped process does not handle SIGTERM
}

void supervisor::kill() {
  term_at_.reset();
  kill_at_.reset();
  send(SIGKILL);
}

void supervisor::act() {
  const auto now = clock::now();
  if (term_at_ && now >= *term_at_) {
    end();
  } else if (kill_at_ && now >= *kill_at_) {
    kill();
  }
}

int supervisor::timeout_ms() const {
  const auto& next = term_at_ ? term_at_ : kill_at_;
  if (!next || running_ == 0) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*next - clock::now());
  return static_cast<int>(std::max<std::int64_t>(left.count(), 0));
}

/// The process that joined as the rank of `of`, if it is a descendant of `of` (which then is a
/// script, for example); else 0.
pid_t supervisor::joined_pid(const process& of) const {
  const rank_block& block = job_->rank(of.rank);
  if (block.stage.load(std::memory_order_acquire) != rank_stage::joined) return 0;
  const pid_t pid = block.pid.load(std::memory_order_relaxed);
  return pid != of.pid && descends_from(pid, of.pid) ? pid : 0;
}

void supervisor::forward(int signal, pid_t except) const {
  for (const process& p : processes_) {
    if (!p.running) continue;
    // A script would die without waiting for the rank, so only the rank gets the signal.
    const pid_t joined = joined_pid(p);
    const pid_t to = joined != 0 ? joined : p.pid;
    if (getpgid(to) != except) ::kill(to, signal);
  }
}

void supervisor::send(int signal) {
  for (process& p : processes_) {
    if (!p.running) continue;
    p.asked_to_end = true;
    const pid_t joined = joined_pid(p);
    if (joined != 0) ::kill(joined, signal);
    ::kill(p.pid, signal);
  }
}

std::optional<job_failure> supervisor::failure() const {
  const job_header& header = job_->header();
  const std::uint32_t failed = header.failed.load(std::memory_order_acquire);
  if (failed == 0) return std::nullopt;
  job_failure result;
  result.rank = static_cast<int>(failed) - 1;
  const auto culprit = std::find_if(processes_.begin(), processes_.end(), [&](const process& p) {
    return threads_ || p.rank == result.rank;
  });
  for (auto p = processes_.begin(); p != processes_.end(); ++p) {
    if (p != culprit && !p->ended_well) ++result.others;
  }
  if (culprit != processes_.end()) {
    result.pid = culprit->pid;
    const bool told =
        culprit->asked_to_end && culprit->wait_status && WIFSIGNALED(*culprit->wait_status);
    if (!told) result.wait_status = culprit->wait_status;
  }
  if (header.kind == failure_kind::job_ended) {
    result.asked_status = header.exit_status;
    result.text = header.failure_text.data();
  } else if (header.kind == failure_kind::rank_died) {
    if (threads_) result.rank = -1;
    result.text = header.failure_text.data();
  } else if (result.wait_status && *result.wait_status != 0) {
    result.text =
        fmt::format("{}: {}", describe_end(*result.wait_status), header.failure_text.data());
  } else {
    result.text = fmt::format("failed: {}", header.failure_text.data());
  }
  return result;
}

}  // namespace far::fabric::shm
