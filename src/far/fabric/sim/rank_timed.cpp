// One-sided operations by the clock: a request travels to the target, takes effect there as a whole
// at one time, and an answer returns. Inside a node, the processor performs operations itself, by
// loads and stores.

#include <algorithm>
#include <cstring>
#include <utility>

#include "far/fabric/sim/operation.hpp"
#include "far/fabric/sim/prefetch.hpp"
#include "far/fabric/sim/rank_context.hpp"

namespace far::fabric::sim {
namespace {

constexpr std::uint64_t request_bytes = 8;  // of a get, an atomic, or an atomic's answer

/// A step of an operation, as an event.
template <void (*step)(operation&, simulation&)>
struct step_of {
  operation* op;
  simulation* job;

  void operator()() const { step(*op, *job); }
};

/// `inside` a node, atomic loads and stores cost the same as plain ones.
picoseconds start_costs::*start_of(const operation& op, bool inside) {
  if (op.kind == operation_kind::put) return &start_costs::put;
  if (op.kind == operation_kind::get) return &start_costs::get;
  if (inside && op.request.op == amo_op::load) return &start_costs::get;
  if (inside && op.request.op == amo_op::store) return &start_costs::put;
  return &start_costs::amo;
}

bool only_reads(const operation& op) {
  return op.kind == operation_kind::get ||
         (op.kind == operation_kind::amo && op.request.op == amo_op::load);
}

picoseconds service_of(const operation& op, const profile& machine) {
  switch (op.kind) {
    case operation_kind::put:
      return machine.put_service;
    case operation_kind::get:
      return machine.get_service + machine.get_kilobyte * op.bytes / 1024;
    case operation_kind::amo:
      break;
  }
  const bool swaps = op.request.op == amo_op::swap || op.request.op == amo_op::compare_swap;
  return swaps ? machine.swap_service : machine.amo_service;
}

/// What copying inside a node takes in addition to the bytes' own time.
picoseconds copy_costs(std::uint64_t bytes, const profile& machine) {
  constexpr std::uint64_t line = 64;
  constexpr std::uint64_t nearest_cache = 16 << 10;
  if (bytes <= line) return 0;
  const std::uint64_t spilled = bytes - std::min(bytes, nearest_cache);
  return machine.copy + machine.spilled_kilobyte * spilled / 1024;
}

/// A small operation carries its bytes, there and back: accessing the issuer's stack at the target
/// would cost this processor more than everything else.
void keep_word(operation& op) {
  if (op.kind == operation_kind::amo) {
    if (op.request.fetched != nullptr) op.landing = std::exchange(op.request.fetched, &op.word);
  } else if (op.pieces == 1 && op.bytes > 0 && op.bytes <= sizeof(op.word)) {
    auto* const word = reinterpret_cast<std::byte*>(&op.word);
    if (op.kind == operation_kind::get) {
      op.landing = std::exchange(op.first.to, word);
    } else {
      copy(word, std::exchange(op.first.from, word), op.bytes);
    }
  }
}

void end(operation& op, simulation& job) {
  if (op.issuer != nullptr) {
    if (op.landing != nullptr) {
      copy(op.landing, &op.word,
           op.kind == operation_kind::get ? op.bytes : op.request.fetched_bytes);
    }
    op.issuer->finished(op);
  }
  job.records.release(op);
}

void take_place(operation& op, simulation& job) {
  for (std::size_t i = 0; i < op.pieces; ++i) take_place(op, op.piece_at(i), job);
  if (op.after.has_value()) {
    rank_fabric& target = job.rank(op.target);
    perform(*op.after, target.local(op.after->word));
    job.written(op.after->word, sizeof(std::uint64_t));
    target.word_changed();
  }
}

/// At the target, when its turn has come.
void serve(operation& op, simulation& job) {
  if (op.issuer == nullptr) return job.records.release(op);
  take_place(op, job);
  if (op.source != nullptr) op.issuer->arrived(*op.source);
  const picoseconds served = job.schedule().now() + service_of(op, job.net()->machine());
  const step_of<end> back{&op, &job};
  op.served = true;
  if (op.kind == operation_kind::get) {
    job.carry(op.target, op.origin, op.bytes, served, back);
  } else {
    job.schedule().concerns(op);
    job.acknowledge(op.target, op.origin, served, back);
  }
}

void arrive(operation& op, simulation& job) {
  const picoseconds now = job.schedule().now();
  picoseconds turn = now;
  if (op.kind == operation_kind::amo) {
    turn = job.net()->amo_turn(op.origin, op.request.word, now);
  } else if (op.kind == operation_kind::get) {
    turn = job.net()->get_turn(op.origin, op.target, now);
  }
  if (turn > now) {
    job.schedule().concerns(op);
    return job.schedule().post(step_of<serve>{&op, &job}, turn);
  }
  serve(op, job);
}

}  // namespace

void prefetch_near(const operation& op) {
  constexpr std::size_t begin_of_transfer = 64;
  if (op.served) {
    if (op.issuer != nullptr) prefetch(op.issuer, rank_context::often_used);
  } else {
    prefetch(op.first.to, std::min<std::size_t>(op.first.bytes, begin_of_transfer));
    prefetch(op.first.from, std::min<std::size_t>(op.first.bytes, begin_of_transfer));
  }
}

void prefetch_far(const operation& op, const scheduler& schedule) {
  if (op.served && op.issuer != nullptr) op.issuer->prefetch_waiter(schedule);
}

void rank_context::prefetch_waiter(const scheduler& schedule) const noexcept {
  home_->prefetch();
  if (waiting_) schedule.prefetch_fiber(sleeper_);
}

void rank_context::start_timed(operation& op) {
  const distance apart = job().net()->between(op.origin, op.target);
  const bool inside = apart <= distance::node;
  home().charge_start(start_of(op, inside), apart);
  if (inside) return do_inside(op, apart);
  keep_word(op);
  const bool carries = op.kind == operation_kind::put;
  const std::uint64_t bytes = carries ? op.bytes : request_bytes;
  job().carry(op.origin, op.target, bytes, schedule().now(), step_of<arrive>{&op, &job()});
}

/// A loop that reads one word again and again takes no time of other ranks, so it would simulate
/// millions of reads of which each sees what the one before saw. After the first few, the rank
/// sleeps until the word is written. Memory may also change by plain stores, which nobody sees, so
/// it looks again after a sixteenth of the time that the loop has taken.
void rank_context::sleep_over_polls(const operation& op) {
  constexpr std::uint32_t first_polls = 32;
  constexpr picoseconds share = 16;
  constexpr picoseconds longest = 1'000'000'000'000;  // 1 s
  if (!only_reads(op) || op.pieces != 1 || op.first.where != polled_.word) polled_ = {};
  if (polled_.times < first_polls) return;
  const picoseconds now = schedule().now();
  job().watch(op.first.where, schedule().current());
  const picoseconds nap = std::min(longest, (now - polled_.since) / share);
  schedule().park(now + std::max(job().costs()->poll, nap));
  job().unwatch(schedule().current());
}

/// Before a read takes place.
void rank_context::note_poll(const operation& op) {
  if (!only_reads(op) || op.pieces != 1 || op.bytes > sizeof(std::uint64_t)) return;
  std::uint64_t value = 0;
  std::memcpy(&value, op.kind == operation_kind::get ? op.first.from : op.first.to, op.bytes);
  if (polled_.word == op.first.where && polled_.value == value) {
    ++polled_.times;
  } else {
    polled_ = {op.first.where, value, 0, schedule().now()};
  }
}

void rank_context::do_inside(operation& op, distance apart) {
  sleep_over_polls(op);
  network& net = *job().net();
  const profile& machine = net.machine();
  const link_costs& link = machine.link(apart);
  schedule().charge(link.kilobyte * op.bytes / 1024 + copy_costs(op.bytes, machine));
  if (op.after.has_value()) {
    if (op.bytes > 0) schedule().charge(machine.payload);
    schedule().charge(net.line_transfer(op.origin, op.after->word, true, schedule().now()));
  } else if (op.bytes <= sizeof(std::uint64_t)) {
    schedule().charge(
        net.line_transfer(op.origin, op.first.where, !only_reads(op), schedule().now()));
  }
  schedule().yield();  // what others do before that time comes first
  if (op.kind == operation_kind::amo) {
    const picoseconds now = schedule().now();
    const picoseconds turn = net.amo_turn(op.origin, op.request.word, now);
    if (turn > now) {
      schedule().charge(turn - now);
      schedule().yield();
    }
  }
  note_poll(op);
  take_place(op, job());
  op.at_once = true;
  if (op.source != nullptr) op.source->end();
  finished(op);
  job().records.release(op);
}

}  // namespace far::fabric::sim
