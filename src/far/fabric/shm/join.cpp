// A process that a launcher started joins its job. FAR_JOB says which: "DESCRIPTOR:RANK", the
// inherited descriptor of the job's memory and the rank that this process is, or
// "DESCRIPTOR:threads" if this process is to hold all ranks.

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <string>

#include <fmt/format.h>

#include "far/base/environment.hpp"
#include "far/base/error.hpp"
#include "far/fabric/shm/job.hpp"
#include "far/fabric/shm/rank_fabric.hpp"
#include "far/fabric/shm/rank_signals.hpp"

namespace far::fabric::shm {
namespace {

constexpr const char* variable = "FAR_JOB";

struct membership {
  int descriptor = -1;
  int rank = every_rank;
};

// A process joins once, so this is the process's own; its main thread alone joins.
bool joined = false;
bool launcher_knows = false;

membership parse(std::string_view text) {
  membership result;
  const char* const end = text.data() + text.size();
  auto [rest, failure] = std::from_chars(text.data(), end, result.descriptor);
  if (failure == std::errc{} && rest != end && *rest == ':') {
    const std::string_view who(rest + 1, static_cast<std::size_t>(end - rest - 1));
    if (who == threads_membership) return result;
    const auto number = std::from_chars(who.data(), end, result.rank);
    if (number.ec == std::errc{} && number.ptr == end && result.rank >= 0) return result;
  }
  throw bad_argument(fmt::format(
      "{}={}: `far run` sets this variable and nobody else does; unset it", variable, text));
}

/// The descriptor's file position is shared by all ranks and used for nothing else, so it can
/// count those that are refused, whatever else the launcher's build and theirs disagree on.
bool first_refused(int descriptor) noexcept { return lseek(descriptor, 1, SEEK_CUR) <= 1; }

region open_job(const membership& member) {
  try {
    return region::open(member.descriptor);
  } catch (const fabric_error&) {
    launcher_knows = !first_refused(member.descriptor);  // one line is enough
    throw;
  }
}

/// Dies with the script between launcher and rank, if there is one, as that does with the
/// launcher.
void die_with_launcher(const region& job) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const pid_t launcher = job.header().launcher_pid;
  if (kill(launcher, 0) != 0 && errno == ESRCH) {
    throw fabric_error(fmt::format("the launcher of this job, pid {}, has gone", launcher));
  }
}

/// A script may start several programs, but a rank joins once.
void claim_rank(const region& job, int rank) {
  std::int32_t nobody = 0;
  if (!job.rank(rank).pid.compare_exchange_strong(nobody, getpid())) {
    const std::string text = fmt::format(
        "rank {} has joined the job already, as pid {}: start one libfar program per `far run`",
        rank, nobody);
    mark_failed(job, rank, failure_kind::fabric_error, text);
    throw fabric_error(text);
  }
}

}  // namespace

bool in_job() noexcept { return joined || !base::environment_text(variable).empty(); }

bool launcher_reports() noexcept { return launcher_knows; }

void join_job(const rank_body& body) {
  if (joined) {
    launcher_knows = false;  // of this there is no job left to tell
    throw bad_argument("this process has been in its job already: call far::run(program) once");
  }
  const membership member = parse(base::environment_text(variable));
  region job = open_job(member);
  if (member.rank != every_rank && !job.holds(member.rank)) {
    throw bad_argument(fmt::format("{} names rank {} of a job of {} ranks; `far run` sets it",
                                   variable, member.rank, job.job_ranks()));
  }
  die_with_launcher(job);
  joined = true;
  launcher_knows = true;
  // Programs that this one starts are no ranks of the job.
  unsetenv(variable);
  fcntl(member.descriptor, F_SETFD, FD_CLOEXEC);
  if (member.rank == every_rank) {
    const rank_signals signals(job, every_rank);
    run_rank_threads(job, body);
  } else {
    claim_rank(job, member.rank);
    const rank_signals signals(job, member.rank);
    run_rank(job, member.rank, body);
  }
}

}  // namespace far::fabric::shm
