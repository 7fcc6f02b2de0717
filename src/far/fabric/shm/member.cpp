#include "far/fabric/shm/member.hpp"

#include "far/base/error.hpp"

namespace far::fabric::shm {
namespace {

failure_kind kind_of(const std::exception& failure) noexcept {
  if (dynamic_cast<const bad_argument*>(&failure) != nullptr) return failure_kind::bad_argument;
  if (dynamic_cast<const out_of_memory*>(&failure) != nullptr) return failure_kind::out_of_memory;
  if (dynamic_cast<const out_of_bounds*>(&failure) != nullptr) return failure_kind::out_of_bounds;
  if (dynamic_cast<const fabric_error*>(&failure) != nullptr) return failure_kind::fabric_error;
  return failure_kind::other;
}

void tell(const region& job, int rank, const std::exception_ptr& why) noexcept {
  try {
    std::rethrow_exception(why);
  } catch (const interrupted& request) {
    mark_failed(job, rank, failure_kind::other, request.what());
  } catch (const rank_failed&) {
    // The job knows already.
  } catch (const std::exception& failure) {
    mark_failed(job, rank, kind_of(failure), failure.what());
  } catch (...) {
    mark_failed(job, rank, failure_kind::other, "an exception that is no std::exception");
  }
}

}  // namespace

member::member(region& job, int rank) : job_(&job), rank_(rank) {
  try {
    fabric_.emplace(job, rank);
    fabric_->join();
    if (job.shape().service != 0) fabric_->start_service();
  } catch (...) {
    // While the fabric exists, because its uplink notifies other nodes when it is destroyed.
    tell(job, rank, std::current_exception());
    throw;
  }
}

member::~member() {
  if (!left_) mark_failed(*job_, rank_, failure_kind::other, "left the job before its end");
}

void member::leave() {
  try {
    fabric_->leave();
  } catch (...) {
    fail(std::current_exception());
    throw;
  }
  left_ = true;
}

void member::fail(const std::exception_ptr& why) noexcept { tell(*job_, rank_, why); }

void run_rank(region& job, int rank, const rank_body& body) {
  member here(job, rank);
  run_member(here, body);
}

}  // namespace far::fabric::shm
