// The job, and attaching threads to it.

#include "far/c/job.h"

#include <string>

#include "bindings/c/session.hpp"
#include "bindings/c/status.hpp"

struct far_attachment {
  far::c::attachment state;
  far::c::lane* mine;
};

namespace far::c {
namespace {

void attach(const std::shared_ptr<session>& in, std::uint64_t timeout_ns) {
  attachment& here = attachment_here();
  lane* const mine = in->take_lane(timeout_ns);
  if (mine == nullptr) {
    throw out_of_memory(
        "far_attach: all contexts of this rank are in use: detach threads, or start the job with "
        "a larger FAR_CONTEXTS (at most 48)");
  }
  if (mine->is_outside()) {
    mine->end_outside();
    mine->refresh();
  }
  here.in = in;
  here.depth = 1;
  mine->interrupted = false;  // that was for the thread before
  lane_slot() = mine;
}

/// The thread has nothing of the session any more.
void forget() noexcept {
  lane_slot() = nullptr;
  attachment_here() = {};
}

bool is_attached() {
  const lane* const mine = lane_slot();
  return mine != nullptr && !mine->world().state().ended();
}

}  // namespace
}  // namespace far::c

using namespace far::c;  // NOLINT: what follows is C's

extern "C" {

far_status far_join(void) {
  return guarded([] {
    if (const auto now = session::current(); now != nullptr) {
      throw far::bad_argument("far_join: this process is in a job already: leave it first");
    }
    const auto made = std::make_shared<session>();
    attach(made, 0);
    attachment_here().has_joined = true;
    session::replace(made);
  });
}

far_status far_leave(void) {
  return guarded([] {
    lane& mine = lane_here();
    const std::shared_ptr<session> in = attachment_here().in;
    try {
      in->leave(mine);
    } catch (const far::rank_failed&) {
      session::replace(nullptr);
      forget();
      (void)in->fail("another rank has failed", nullptr);
      throw;
    }
    session::replace(nullptr);
    forget();
  });
}

far_status far_fail(const char* why) {
  return guarded([&] {
    const auto in = session::current();
    if (in == nullptr) throw no_job("far_fail: this process is in no job");
    const lane* const mine = is_attached() ? lane_slot() : nullptr;
    far::interrupt();  // other threads may wait for what does not come now
    if (in->fail(why == nullptr ? "far_fail" : why, mine)) session::replace(nullptr);
    if (mine != nullptr) forget();
  });
}

void far_exit_job(int status) { far::exit_job(status); }
void far_interrupt(void) { far::interrupt(); }

int far_rank(void) {
  const auto in = session::current();
  return in == nullptr ? -1 : in->rank();
}

int far_size(void) {
  const auto in = session::current();
  return in == nullptr ? 0 : in->size();
}

far_status far_node_of(int rank, int* node) {
  return guarded([&] {
    check_not_null(node, "far_node_of: the result");
    session& in = session_here();
    if (rank < 0 || rank >= in.size()) {
      throw far::bad_argument("far_node_of: there is no rank " + std::to_string(rank) + " of " +
                              std::to_string(in.size()));
    }
    *node = lane_here().world().node_of(rank);
  });
}

uint64_t far_now_ns(void) {
  const auto in = session::current();
  return in == nullptr || in->has_ended() ? 0 : in->view().now();
}

far_status far_attach(uint64_t timeout_ns) {
  return guarded([&] {
    if (is_attached()) {
      ++attachment_here().depth;
      return;
    }
    const auto in = session::current();
    if (in == nullptr) throw no_job("far_attach: this process is in no job: call far_join first");
    attach(in, timeout_ns);
  });
}

far_status far_detach(void) {
  return guarded([] {
    lane& mine = lane_here();
    attachment& here = attachment_here();
    if (here.depth > 1) {
      --here.depth;
      return;
    }
    mine.check_holds_nothing();
    if (!mine.is_outside()) mine.begin_outside();
    const auto in = here.in;
    forget();
    in->give_back(mine);
  });
}

far_status far_exchange_attachment(far_attachment* next, far_attachment** previous) {
  return guarded([&] {
    check_not_null(previous, "far_exchange_attachment: the result");
    std::unique_ptr<far_attachment> mine;
    if (lane_slot() != nullptr) {
      mine = std::make_unique<far_attachment>(far_attachment{attachment_here(), lane_slot()});
    }
    forget();
    if (next != nullptr) {
      const std::unique_ptr<far_attachment> taken(next);
      attachment_here() = taken->state;
      lane_slot() = taken->mine;
    }
    *previous = mine.release();
  });
}

int far_is_attached(void) { return is_attached() ? 1 : 0; }

far_status far_barrier(void) {
  return guarded([] {
    lane& mine = lane_here();
    session_here().collective(mine, [](far::world& all) { far::barrier(all); });
    mine.refresh();
  });
}

far_status far_begin_outside(void) {
  return guarded([] {
    lane& mine = lane_here();
    if (mine.is_outside()) {
      throw far::bad_argument("far_begin_outside: this thread is outside already");
    }
    mine.begin_outside();
  });
}

far_status far_end_outside(void) {
  return guarded([] {
    lane& mine = lane_here();
    if (!mine.is_outside()) {
      throw far::bad_argument(
          "far_end_outside: this thread is not outside: call far_begin_outside");
    }
    mine.end_outside();
  });
}
}
