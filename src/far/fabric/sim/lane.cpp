#include "far/fabric/sim/lane.hpp"

#include "far/base/check.hpp"
#include "far/base/error.hpp"
#include "far/fabric/handlers.hpp"

namespace far::fabric::sim {

lane_context::lane_context(rank_fabric& home, lane& lane, int index)
    : rank_context(home, index), lane_(&lane) {}

void lane_context::notify(std::span<const step_number>) {
  // No fiber waits in this context; any other context of the rank runs its completions.
  home().notify_one();
}

int lane_context::lane_index() const noexcept { return lane_->index(); }

void lane_context::defer(int, task work) { lane_->add_task(std::move(work)); }

void lane_context::check_start(bool small) const {
  if (lane_->in_handler() && !small) {
    throw bad_argument("a handler starts signals and non-fetching amos only: defer a task");
  }
}

void lane_context::traffic_begins() {
  home().add_lane_work(1);
  job().begin_traffic();
}

void lane_context::traffic_ends() {
  home().add_lane_work(-1);
  job().end_traffic();
}

bool lane_context::try_send(const send_request& message) {
  const visit inside(*this);
  check_start(false);
  if (message.kind != message_class::forward) {
    throw bad_argument("a handler's task sends forwards only, no requests");
  }
  if (lane_->only_replies()) {
    throw bad_argument("the task of a forward that expects a reply may only reply");
  }
  check_message(message);
  const bool credit = take_credit(message.rank, message.kind);
  envelope packed = pack(message);
  if (credit) {
    launch(std::move(packed), message.rank, message.lane);
  } else {
    queued_[{message.rank, message.kind}].push_back({std::move(packed), message.lane});
  }
  return true;
}

void lane_context::credit_back(int rank, message_class kind) {
  auto& queue = queued_[{rank, kind}];
  if (queue.empty()) return rank_context::credit_back(rank, kind);
  queued_message next = std::move(queue.front());
  queue.pop_front();
  launch(std::move(next.message), rank, next.lane);
}

lane::lane(rank_fabric& home, int index)
    : home_(&home), index_(index), context_(home, *this, home.max_contexts() + index) {}

void lane::deliver(envelope message) {
  messages_.push(std::move(message));
  home_->job().note_step(messages_.back().brought_by);
  home_->add_lane_work(1);
  home_->notify_one();
}

void lane::add_task(task work) {
  home_->job().begin_traffic();
  tasks_.push({std::move(work), only_replies_});
  home_->add_lane_work(1);
}

bool lane::run() {
  if (is_idle()) return false;
  scheduler& schedule = home_->job().schedule();
  runner_ = schedule.current();
  struct release {
    lane* self;
    ~release() {
      self->runner_ = scheduler::no_rank;
      self->in_handler_ = false;
      self->only_replies_ = false;
      // Others found the lane taken, and may have gone to sleep.
      if (!self->is_idle()) self->home_->notify_one();
    }
  } const guard{this};
  context_.run_inbox();
  try {
    run_next();
  } catch (const rank_failed&) {
    throw;  // the rank dies, or the job has failed
  } catch (...) {
    home_->job().fail(home_->rank(), std::current_exception());
  }
  return true;
}

void lane::run_next() {
  const bool message_next =
      !messages_.empty() &&
      (tasks_.empty() || home_->job().schedule().about(question::message_or_task).chance(8));
  if (message_next) {
    run_message();
  } else if (!tasks_.empty()) {
    run_task();
  }
}

void lane::run_message() {
  simulation& job = home_->job();
  envelope arrived = messages_.pop();
  in_handler_ = true;
  const bool asks = arrived.token.expects_reply();
  only_replies_ = asks && arrived.kind == message_class::forward;
  home_->charge_handler();
  message m(context_, index_, arrived.source, arrived.payload, arrived.token);
  handler_at(arrived.handler)(m);
  if (asks && m.expects_reply()) {
    throw fabric_error("a handler neither replied to its request nor took the token");
  }
  job.progressed();
  job.announce({event_label::kind::credit, home_->rank(), arrived.source});
  job.acknowledge(home_->rank(), arrived.source, job.schedule().now(),
                  [&job, source = arrived.source, index = arrived.source_context,
                   serial = arrived.source_serial, target = home_->rank(), kind = arrived.kind] {
                    rank_context* sender =
                        job.rank(source).contexts()[static_cast<std::size_t>(index)];
                    if (sender != nullptr && sender->serial() == serial) {
                      sender->credit_back(target, kind);
                    }
                  });
  home_->add_lane_work(-1);
  job.end_traffic();
}

void lane::run_task() {
  deferred next = tasks_.pop();
  only_replies_ = next.only_replies;
  home_->charge_handler();
  next.work(context_);
  home_->add_lane_work(-1);
  home_->job().end_traffic();
}

}  // namespace far::fabric::sim
