#include "far/fabric/ucx/pmix_session.hpp"

#include <cstdlib>
#include <optional>

#include <fmt/format.h>

#include "far/base/environment.hpp"
#include "far/base/error.hpp"
#include "far/fabric/shm/uplink.hpp"
#include "far/fabric/ucx/closing_watch.hpp"
#include "far/fabric/ucx/pmix_call.hpp"

namespace far::fabric::ucx {
namespace {

void check(pmix_status_t status, const char* what) {
  if (status == PMIX_SUCCESS) return;
  throw fabric_error(
      fmt::format("pmix: cannot {}: {}; start the program by mpirun, srun, prun or "
                  "`far run`",
                  what, PMIx_Error_string(status)));
}

/// Ranks may still wait for a slow file system, or read their input before far::run. Slurm's own
/// server waits as long in an exchange.
constexpr std::uint64_t usual_start_timeout_s = 300;

}  // namespace

pmix_session::pmix_session()
    : start_timeout_s_(base::environment_seconds("FAR_START_TIMEOUT", usual_start_timeout_s)) {
  if (gave_up_) {
    throw fabric_error("pmix: this process has timed out in a job and cannot join another");
  }
  // The other stores of PMIx 4.2 lose each rank's own numbers when a session ends; MPI_Init and the
  // next session would not find them.
  setenv("PMIX_MCA_gds", "hash", 0);
  check(PMIx_Init(&self_, nullptr, 0), "join the job");
  shm::note_pmix_member();
  size_ = number_of(PMIX_JOB_SIZE);
  local_size_ = number_of(PMIX_LOCAL_SIZE);
  ++jobs_;  // names are unique to a job
  current_ = this;
}

pmix_session::~pmix_session() {
  current_ = nullptr;
  // PMIx still waits for other ranks and would wait here too. The launcher sees the process's end.
  if (gave_up_) return;
  const closing_watch server;
  PMIx_Finalize(nullptr, 0);
  server.wait();
}

void pmix_session::abort(int status) noexcept { PMIx_Abort(status, "", nullptr, 0); }

/// A number that the launcher provides for the whole job.
int pmix_session::number_of(const char* key) const {
  pmix_proc_t all{};
  PMIX_LOAD_PROCID(&all, self_.nspace, PMIX_RANK_WILDCARD);
  pmix_value_t* value = nullptr;
  check(PMIx_Get(&all, key, nullptr, 0, &value), "learn the job's size");
  const auto number = static_cast<int>(value->data.uint32);
  PMIX_VALUE_RELEASE(value);
  return number;
}

std::string pmix_session::key_of(const std::string& name) const {
  return fmt::format("far.{}.{}", jobs_, name);
}

void pmix_session::put(const std::string& name, std::span<const std::byte> bytes) {
  pmix_value_t value{};
  value.type = PMIX_BYTE_OBJECT;
  value.data.bo.bytes = const_cast<char*>(reinterpret_cast<const char*>(bytes.data()));
  value.data.bo.size = bytes.size();
  check(PMIx_Put(PMIX_GLOBAL, key_of(name).c_str(), &value), "publish this rank's data");
  check(PMIx_Commit(), "publish this rank's data");
}

/// Throws after a timeout: PMIx still waits, and would take calls of two fences for one fence.
void pmix_session::check_patience() const {
  if (gave_up_) throw fabric_error(fmt::format("pmix: rank {} has timed out before", rank()));
}

/// Waits for the end of a call; returns false on a timeout.
bool pmix_session::finish(pmix_call& call, const char* what, std::uint64_t limit_s) {
  const std::optional<pmix_status_t> status = call.wait(limit_s);
  if (status) {
    check(*status, what);
  } else {
    gave_up_ = true;
  }
  return status.has_value();
}

void pmix_session::exchange() {
  check_patience();
  if (!finish(*pmix_call::fence(true), "meet the other ranks", start_timeout_s_)) throw_late();
}

void pmix_session::throw_late() const {
  throw fabric_error(fmt::format(
      "rank {} has waited {} s for all {} ranks to join the job: a rank's machine or "
      "the link to it is down, or its program has not reached far::run or far::job; fix that, "
      "or raise FAR_START_TIMEOUT (seconds)",
      rank(), start_timeout_s_, size_));
}

void pmix_session::rendezvous() {
  check_patience();
  const std::uint64_t limit_s = shm::peer_timeout_s();
  if (finish(*pmix_call::fence(false), "meet the other ranks", limit_s)) return;
  throw fabric_error(
      fmt::format("rank {} has waited {} s for all {} ranks to leave the job: a rank's machine or "
                  "the link to it is down, or its process is stopped (FAR_PEER_TIMEOUT)",
                  rank(), limit_s, size_));
}

std::vector<std::byte> pmix_session::get(int rank, const std::string& name) {
  check_patience();
  pmix_proc_t who{};
  PMIX_LOAD_PROCID(&who, self_.nspace, static_cast<pmix_rank_t>(rank));
  const std::uint64_t limit_s = shm::peer_timeout_s();
  const auto call = pmix_call::get(who, key_of(name));
  if (finish(*call, "get another rank's data", limit_s)) return call->bytes();
  throw fabric_error(
      fmt::format("rank {} has waited {} s for the data of rank {}: its machine or the link "
                  "to it is down (FAR_PEER_TIMEOUT)",
                  this->rank(), limit_s, rank));
}

}  // namespace far::fabric::ucx
