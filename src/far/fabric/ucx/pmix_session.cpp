#include "far/fabric/ucx/pmix_session.hpp"

#include <cstdlib>

#include <fmt/format.h>

#include "far/base/error.hpp"

namespace far::fabric::ucx {
namespace {

void check(pmix_status_t status, const char* what) {
  if (status == PMIX_SUCCESS) return;
  throw fabric_error(
      fmt::format("pmix: cannot {}: {}; start the program by mpirun, srun, prun or "
                  "`far run`",
                  what, PMIx_Error_string(status)));
}

}  // namespace

pmix_session::pmix_session() {
  check(PMIx_Init(&self_, nullptr, 0), "join the job");
  // Programs that this one starts are no ranks of the job.
  unsetenv("PMIX_RANK");
  unsetenv("PMIX_NAMESPACE");
  size_ = number_of(PMIX_JOB_SIZE);
  local_size_ = number_of(PMIX_LOCAL_SIZE);
  current_ = this;
}

pmix_session::~pmix_session() {
  current_ = nullptr;
  PMIx_Finalize(nullptr, 0);
}

/// What the launcher knows of the whole job.
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
  return fmt::format("far.{}.{}", job_, name);
}

void pmix_session::put(const std::string& name, std::span<const std::byte> bytes) {
  pmix_value_t value{};
  value.type = PMIX_BYTE_OBJECT;
  value.data.bo.bytes = const_cast<char*>(reinterpret_cast<const char*>(bytes.data()));
  value.data.bo.size = bytes.size();
  check(PMIx_Put(PMIX_GLOBAL, key_of(name).c_str(), &value), "tell the others of this rank");
  check(PMIx_Commit(), "tell the others of this rank");
}

void pmix_session::exchange() {
  pmix_info_t collect{};
  bool yes = true;
  PMIX_INFO_LOAD(&collect, PMIX_COLLECT_DATA, &yes, PMIX_BOOL);
  const pmix_status_t status = PMIx_Fence(nullptr, 0, &collect, 1);
  PMIX_INFO_DESTRUCT(&collect);
  check(status, "meet the other ranks");
}

void pmix_session::meet() { check(PMIx_Fence(nullptr, 0, nullptr, 0), "meet the other ranks"); }

std::vector<std::byte> pmix_session::get(int rank, const std::string& name) const {
  pmix_proc_t who{};
  PMIX_LOAD_PROCID(&who, self_.nspace, static_cast<pmix_rank_t>(rank));
  pmix_value_t* value = nullptr;
  check(PMIx_Get(&who, key_of(name).c_str(), nullptr, 0, &value), "learn of another rank");
  std::vector<std::byte> result;
  if (value->type == PMIX_BYTE_OBJECT) {
    const auto* bytes = reinterpret_cast<const std::byte*>(value->data.bo.bytes);
    result.assign(bytes, bytes + value->data.bo.size);
  }
  PMIX_VALUE_RELEASE(value);
  return result;
}

}  // namespace far::fabric::ucx
