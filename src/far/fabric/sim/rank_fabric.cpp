#include "far/fabric/sim/rank_fabric.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/fabric/sim/lane.hpp"

namespace far::fabric::sim {

rank_fabric::rank_fabric(simulation& job, int rank)
    : fabric(rank, job.options().ranks),
      job_(&job),
      window_(job.memory.layout().begin[local_segment] + job.memory.layout().bytes[local_segment]),
      room_(::operator new(sizeof(rank_context))) {
  layout_ = job.memory.layout();
  own_ = job.memory.window(rank) = window_.base();
}

void rank_fabric::add_lanes() {
  contexts_.resize(static_cast<std::size_t>(max_contexts() + lanes()));
  for (int i = 0; i < lanes(); ++i) lanes_.push_back(std::make_unique<lane>(*this, i));
}

rank_fabric::~rank_fabric() = default;

std::size_t rank_fabric::max_payload() const noexcept {
  const profile* const costs = job_->costs();
  return static_cast<std::size_t>(costs == nullptr ? small_message_bytes : costs->message_bytes);
}

void rank_fabric::charge_start(picoseconds start_costs::*what, distance apart) const {
  const profile* const costs = job_->costs();
  if (costs == nullptr) return;
  const bool inside = apart <= distance::node;
  const picoseconds tax = service_ == nullptr ? 0 : costs->service_tax;
  job_->schedule().charge((inside ? costs->inside : costs->outside).*what + tax);
}

void rank_fabric::charge_handler() {
  const profile* const costs = job_->costs();
  if (costs == nullptr) return;
  const bool wakes = is_service() && std::exchange(service_sleeps_, false);
  job_->schedule().charge(costs->handler + (wakes ? costs->handoff : 0));
}

bool rank_fabric::is_service() const noexcept {
  return service_ != nullptr && job_->schedule().current() == service_fiber_;
}

void rank_fabric::slept(picoseconds since) noexcept {
  if (!is_service()) return;
  service_sleeps_ |= job_->schedule().now() > since;
}

void rank_fabric::charge(picoseconds profile::*what) const {
  if (job_->costs() != nullptr) job_->schedule().charge(job_->costs()->*what);
}

void rank_fabric::charge_work(picoseconds duration) const {
  const profile* const costs = job_->costs();
  if (costs == nullptr) return;
  const bool shares = computing_ > 0 && is_service();
  job_->schedule().charge(shares ? duration * static_cast<picoseconds>(costs->helper_share)
                                 : duration);
}

void rank_fabric::charge_descriptors(std::size_t pieces) const {
  const profile* const costs = job_->costs();
  if (costs == nullptr || costs->descriptor_segments == 0) return;
  const auto most = static_cast<std::size_t>(costs->descriptor_segments);
  const std::size_t descriptors = (pieces + most - 1) / most;
  job_->schedule().charge(descriptors * costs->descriptor + pieces * costs->descriptor_segment);
}

int rank_fabric::descriptor_segments() const noexcept {
  constexpr int explored = 6;  // few, so that transfers need several
  return job_->costs() == nullptr ? explored : job_->costs()->descriptor_segments;
}

std::uint64_t rank_fabric::work_cost_ps(std::string_view figure) const noexcept {
  return job_->costs() == nullptr ? 0 : figure_of(*job_->costs(), figure);
}

int rank_fabric::node_of(int rank) const noexcept { return job_->node_of(rank); }

std::uint64_t rank_fabric::extent(int rank, int segment) const noexcept {
  job_->touches(touch::part::extents, touch::mode::reads, rank);
  return job_->memory.extent(rank, segment);
}

void rank_fabric::set_extent(int segment, std::uint64_t bytes) {
  const auto s = static_cast<std::size_t>(segment);
  if (bytes > layout_.bytes[s]) {
    throw bad_argument(fmt::format("extent of {} bytes in segment {} of rank {}, which holds {}",
                                   bytes, segment, rank(), layout_.bytes[s]));
  }
  if (job_->is_dead(rank())) return;  // its memory stays unchanged
  job_->touches(touch::part::extents, touch::mode::changes, rank());
  job_->memory.extent(rank(), segment) = bytes;
}

std::unique_ptr<context> rank_fabric::open_context() {
  for (int i = 0; i < max_contexts(); ++i) {
    if (contexts_[static_cast<std::size_t>(i)] == nullptr) {
      return std::unique_ptr<context>(new (*this) rank_context(*this, i));
    }
  }
  // More, behind those of the lanes: fibers could not take turns at one by locks.
  auto index = static_cast<std::size_t>(max_contexts() + lanes());
  while (index < contexts_.size() && contexts_[index] != nullptr) ++index;
  if (index == contexts_.size()) contexts_.push_back(nullptr);
  return std::unique_ptr<context>(new (*this) rank_context(*this, static_cast<int>(index)));
}

void* rank_fabric::allocate_context(std::size_t bytes) {
  return room_ != nullptr && bytes == sizeof(rank_context) ? room_.release()
                                                           : ::operator new(bytes);
}

void rank_fabric::run_threads(context& caller, int n, base::function_ref<void(int)> body) {
  struct {
    int running;
    std::exception_ptr first;
    std::uint32_t number = 0;
  } group{n, nullptr};
  auto& waiter = static_cast<rank_context&>(caller);
  for (int i = 0; i < n; ++i) {
    const scheduler::fiber_id fiber = job_->schedule().spawn(
        [this, &group, &waiter, body, i] {
          try {
            body(i);
          } catch (...) {
            if (group.first == nullptr) {
              group.first = std::current_exception();
              group.number = job_->note_failure(rank(), group.first);
            }
          }
          --group.running;
          waiter.notify();
        },
        rank());
    if (job_->exploring() != nullptr) {
      job_->exploring()->name_fiber(fiber, rank(), fmt::format("thread {}", i));
    }
  }
  const auto ended = [&group] { return group.running == 0; };
  const wait_reason reason{"threads", rank(), {}};
  std::exception_ptr own;
  try {
    caller.wait(ended, never, reason);
  } catch (...) {
    own = std::current_exception();
  }
  waiter.linger(ended, reason);  // the threads use this stack frame
  if (group.first != nullptr) {
    job_->take_failure(group.number);
    std::rethrow_exception(group.first);
  }
  if (own != nullptr) std::rethrow_exception(own);
}

void rank_fabric::start_service() {
  if (service_users_++ > 0) return;
  service_ = open_context();
  service_stops_ = false;
  service_ended_ = false;
  service_sleeps_ = true;
  service_fiber_ = job_->schedule().spawn(
      [this] {
        try {
          service_->wait([this] { return service_stops_; }, never, {"messages (service)", -1, {}});
        } catch (...) {
          job_->fail(rank(), std::current_exception());  // no-op unless it is the first failure
        }
        service_ended_ = true;
      },
      rank());
  if (job_->exploring() != nullptr) {
    job_->exploring()->name_fiber(service_fiber_, rank(), "service");
  }
}

void rank_fabric::stop_service() {
  if (service_users_ == 0 || --service_users_ > 0) return;
  service_stops_ = true;
  static_cast<rank_context&>(*service_).notify();
  while (!service_ended_) {
    if (job_->costs() != nullptr) job_->schedule().charge(from_ns(1));  // the thread may be ahead
    job_->schedule().yield();
  }
  service_.reset();
}

void rank_fabric::quiesce(context& caller) {
  const wait_reason reason{"quiesce", -1, {}};
  struct visitor {
    int* count;
    explicit visitor(int& c) : count(&c) { ++c; }
    ~visitor() { --*count; }
    visitor(const visitor&) = delete;
    visitor& operator=(const visitor&) = delete;
  } const inside(quiescing_);
  if (job_->follows(waits_end_once)) {
    completion quiet;
    job_->arrive(static_cast<rank_context&>(caller), quiet);
    caller.wait(quiet, reason);
  } else {
    const std::uint64_t round = job_->arrive();
    caller.wait([&] { return job_->is_quiet(round); }, never, reason);
  }
  if (const profile* const costs = job_->costs()) {
    // The time of a tree of messages, up and down.
    const auto levels = static_cast<picoseconds>(std::bit_width(static_cast<unsigned>(size()) - 1));
    job_->schedule().charge(2 * levels *
                            (costs->outside.send + costs->link(distance::group).latency));
  }
}

bool rank_fabric::lanes_idle() const noexcept {
  return !has_lane_work() ||
         std::all_of(lanes_.begin(), lanes_.end(), [](const auto& l) { return l->is_idle(); });
}

bool rank_fabric::run_lanes() {
  bool any = false;
  const std::size_t first =
      lanes_.size() == 1 ? 0 : job_->schedule().about(question::first_lane).choose(lanes_.size());
  if (!has_lane_work()) return false;
  for (std::size_t i = 0; i < lanes_.size(); ++i) any |= lanes_[(first + i) % lanes_.size()]->run();
  return any;
}

void rank_fabric::notify_all() {
  for_each_context([](rank_context& c) { c.notify(); });
}

void rank_fabric::word_changed() {
  job_->touches(touch::part::notices, touch::mode::adds, rank());
  for_each_context([](rank_context& c) {
    if (!c.awaits_completion()) c.notify();
  });
}

void rank_fabric::wake_watchers() {
  job_->touches(touch::part::notices, touch::mode::adds, rank());
  for_each_context([](rank_context& c) {
    if (c.watches_memory()) c.notify();
  });
}

void rank_fabric::notify_one() {
  const auto waits = [](const rank_context* c) { return c != nullptr && c->is_waiting(); };
  const auto waiting = std::count_if(contexts_.begin(), contexts_.end(), waits);
  if (waiting == 0) return;
  auto nth = job_->schedule().about(question::who_wakes).choose(static_cast<std::size_t>(waiting));
  auto chosen = std::find_if(contexts_.begin(), contexts_.end(), waits);
  while (nth-- > 0) chosen = std::find_if(chosen + 1, contexts_.end(), waits);
  (*chosen)->notify();
}

bool rank_fabric::has_waiter() const noexcept {
  return std::any_of(contexts_.begin(), contexts_.end(),
                     [](const rank_context* c) { return c != nullptr && c->is_waiting(); });
}

void rank_fabric::describe_waiting(std::string& text) const {
  const auto out = std::back_inserter(text);
  for (const rank_context* c : contexts_) {
    if (c != nullptr && c->tries() > 0) {
      const address word = c->tried_word();
      fmt::format_to(out, "\n  rank {}, context {} has tried something {} times", rank(),
                     c->index(), c->tries());
      if (word) {
        fmt::format_to(out, ", last at segment {} offset {} of rank {}", word.segment(),
                       word.offset(), word.rank());
      }
    }
    if (c == nullptr || !c->is_waiting()) continue;
    const wait_reason& reason = c->reason();
    fmt::format_to(out, "\n  rank {}, context {} waits for: {}", rank(), c->index(), reason.what);
    if (reason.rank >= 0) fmt::format_to(out, ", rank {}", reason.rank);
    if (reason.word) {
      fmt::format_to(out, ", word at segment {} offset {} of rank {}", reason.word.segment(),
                     reason.word.offset(), reason.word.rank());
    }
  }
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    if (lanes_[i]->messages() == 0) continue;
    fmt::format_to(out, "\n  rank {}, lane {} holds messages that nobody runs: {}", rank(), i,
                   lanes_[i]->messages());
  }
}

}  // namespace far::fabric::sim
