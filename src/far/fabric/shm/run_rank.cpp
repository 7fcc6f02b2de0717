#include <exception>

#include "far/base/error.hpp"
#include "far/base/function_ref.hpp"
#include "far/fabric/shm/rank_fabric.hpp"

namespace far::fabric::shm {
namespace {

failure_kind kind_of(const std::exception& failure) noexcept {
  if (dynamic_cast<const bad_argument*>(&failure) != nullptr) return failure_kind::bad_argument;
  if (dynamic_cast<const out_of_memory*>(&failure) != nullptr) return failure_kind::out_of_memory;
  if (dynamic_cast<const out_of_bounds*>(&failure) != nullptr) return failure_kind::out_of_bounds;
  if (dynamic_cast<const fabric_error*>(&failure) != nullptr) return failure_kind::fabric_error;
  return failure_kind::other;
}

/// Tells the job of what is thrown.
void tell_failures(const region& job, int rank, base::function_ref<void()> work) {
  try {
    work();
  } catch (const rank_failed&) {
    throw;  // the job knows already
  } catch (const std::exception& failure) {
    mark_failed(job, rank, kind_of(failure), failure.what());
    throw;
  } catch (...) {
    mark_failed(job, rank, failure_kind::other, "an exception that is no std::exception");
    throw;
  }
}

}  // namespace

void run_rank(region& job, int rank, const rank_body& body) {
  tell_failures(job, rank, [&] {
    rank_fabric fabric(job, rank);
    // Within the fabric's life too: its uplink tells other nodes at its end.
    tell_failures(job, rank, [&] {
      fabric.join();
      if (job.shape().service != 0) fabric.start_service();
      body(fabric);
      fabric.leave();
      job.rank(rank).stage.store(rank_stage::finished, std::memory_order_release);
      job.header().finished.fetch_add(1, std::memory_order_seq_cst);
    });
  });
}

}  // namespace far::fabric::shm
