#include "far/fabric/shm/member.hpp"

#include "far/base/error.hpp"

namespace far::fabric::shm {
member::member(region& job, int rank, bool static_data) : job_(&job), rank_(rank) {
  try {
    fabric_.emplace(job, rank, static_data);
    fabric_->join();
    if (job.shape().service != 0) fabric_->start_service();
  } catch (...) {
    // While the fabric exists, because its uplink notifies other nodes when it is destroyed.
    mark_failed(job, rank, std::current_exception());
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

void member::fail(const std::exception_ptr& why) noexcept { mark_failed(*job_, rank_, why); }

void run_rank(region& job, int rank, const rank_body& body) {
  member here(job, rank);
  run_member(here, body);
}

}  // namespace far::fabric::shm
