// Joins the job for which a launcher started this process. FAR_JOB identifies it: "DESCRIPTOR:RANK"
// gives the inherited descriptor of the job's memory and the rank of this process,
// "DESCRIPTOR:threads" makes this process run all ranks.

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "far/base/environment.hpp"
#include "far/base/error.hpp"
#include "far/fabric/shm/job.hpp"
#include "far/fabric/shm/member.hpp"
#include "far/fabric/shm/rank_signals.hpp"

namespace far::fabric::shm {
namespace {

constexpr const char* variable = "FAR_JOB";

struct assignment {
  int descriptor = -1;
  int rank = every_rank;
};

// State of the process, from its first job to its end. Only its main thread joins.
std::optional<assignment> assigned;
bool launcher_knows = false;

assignment parse(std::string_view text) {
  assignment result;
  const char* const end = text.data() + text.size();
  auto [rest, failure] = std::from_chars(text.data(), end, result.descriptor);
  if (failure == std::errc{} && result.descriptor >= 0 && rest != end && *rest == ':') {
    const std::string_view who(rest + 1, static_cast<std::size_t>(end - rest - 1));
    if (who == threads_membership) return result;
    const auto number = std::from_chars(who.data(), end, result.rank);
    if (number.ec == std::errc{} && number.ptr == end && result.rank >= 0) return result;
  }
  throw bad_argument(
      fmt::format("{}={}: only `far run` may set this variable; unset it", variable, text));
}

/// All ranks share the descriptor's file position, which has no other use. So it can count the
/// refused ranks, however much their build differs from the launcher's.
bool first_refused(int descriptor) noexcept { return lseek(descriptor, 1, SEEK_CUR) <= 1; }

assignment own_assignment() {
  return assigned ? *assigned : parse(base::environment_text(variable));
}

/// Opens a copy, because the next job needs the inherited descriptor.
region open_job(const assignment& own) {
  if (fcntl(own.descriptor, F_GETFD) < 0) {
    throw fabric_error(fmt::format(
        "the job's descriptor, {}, is closed: a program between `far run` and this one has closed "
        "it; make it pass all descriptors on (Python: subprocess.run(..., close_fds=False))",
        own.descriptor));
  }
  try {
    constexpr int lowest = 3;
    return region::open(fcntl(own.descriptor, F_DUPFD_CLOEXEC, lowest));
  } catch (const fabric_error&) {
    launcher_knows = !first_refused(own.descriptor);  // only the first reports it
    throw;
  }
}

/// Makes this process die with its parent: the launcher, or a script between launcher and rank,
/// which dies with the launcher.
void die_with_launcher(const region& job) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const pid_t launcher = job.header().launcher_pid;
  if (kill(launcher, 0) != 0 && errno == ESRCH) {
    throw fabric_error(fmt::format("the launcher of this job, pid {}, has ended", launcher));
  }
}

/// A script may start several programs, but only one of them may be the rank.
void claim_rank(const region& job, int rank) {
  std::int32_t no_rank = 0;
  if (!job.rank(rank).pid.compare_exchange_strong(no_rank, getpid()) && no_rank != getpid()) {
    const std::string text = fmt::format(
        "rank {} has joined the job already, as pid {}: start one libfar program per `far run`",
        rank, no_rank);
    mark_failed(job, rank, failure_kind::fabric_error, text);
    throw fabric_error(text);
  }
}

region enter_job(const assignment& own) {
  region job = open_job(own);
  if (own.rank != every_rank && !job.holds(own.rank)) {
    throw bad_argument(fmt::format("{} names rank {} of a job of {} ranks; `far run` sets it",
                                   variable, own.rank, job.job_ranks()));
  }
  die_with_launcher(job);
  launcher_knows = true;
  if (!assigned) {
    assigned = own;
    // Programs that this process starts are not ranks of the job.
    unsetenv(variable);
    fcntl(own.descriptor, F_SETFD, FD_CLOEXEC);
  }
  return job;
}

class launched_member final : public process_member {
 public:
  launched_member(region job, int rank, bool static_data)
      : process_member(std::move(job), rank, true, static_data) {}

  void leave() override {
    process_member::leave();
    job().clear_segments(own().rank());
    launcher_knows = false;  // of later failures
  }
};

}  // namespace

bool in_job() noexcept { return assigned || !base::environment_text(variable).empty(); }

int ranks_to_hold() {
  const assignment own = own_assignment();
  return own.rank == every_rank ? open_job(own).job_ranks() : 0;
}

bool launcher_reports() noexcept { return launcher_knows; }

std::unique_ptr<membership> join_job(const join_options& options) {
  const assignment own = own_assignment();
  const int rank = own.rank == every_rank ? 0 : own.rank;
  region job = enter_job(own);
  claim_rank(job, rank);
  return std::make_unique<launched_member>(std::move(job), rank, options.static_data);
}

void run_all_ranks(const rank_body& body) {
  region job = enter_job(own_assignment());
  const rank_signals signals(job, every_rank);
  run_rank_threads(job, body);
  for (int rank = 0; rank < job.job_ranks(); ++rank) job.clear_segments(rank);
  launcher_knows = false;
}

std::unique_ptr<membership> join_alone(const join_options& options) {
  return std::make_unique<process_member>(region::create(geometry_of({})), 0, false,
                                          options.static_data);
}

}  // namespace far::fabric::shm
