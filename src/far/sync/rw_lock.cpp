#include "far/sync/rw_lock.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "far/base/check.hpp"
#include "far/base/error.hpp"
#include "far/base/hash.hpp"

namespace far {
namespace {

// What the head of the job's queue was given: the state of the gate. From `closed` on, the value is
// `closed` plus how often writers have passed the lock on since it was closed.
constexpr std::uint64_t open = sync::mcs_queue::first;
constexpr std::uint64_t open_for_readers = 1;  // readers have waited for writers
constexpr std::uint64_t closed = 2;

// Max writers in a row, where the bound on overtaking allows it: after these, the cost of going
// elsewhere is a small part.
constexpr std::uint64_t in_an_element = 128;
constexpr std::uint64_t in_the_job = 64;

// A writer loses at most this part of its time by letting readers enter first.
constexpr int one_part_in = 20;

// On one machine: how often each rank should have read between two closings.
constexpr std::uint64_t readings = 3;

/// A hash of the gate's thresholds, on which all ranks must agree.
std::uint64_t summary(const rw_lock_thresholds& of) {
  const std::uint64_t readers = base::hash_combine(of.max_readers, of.min_readers);
  return base::hash_combine(base::hash_combine(static_cast<unsigned>(of.counter_every), readers),
                            static_cast<unsigned>(of.patience));
}

}  // namespace

void rw_lock_view::lock() { (void)try_lock_until(fabric::never); }

bool rw_lock_view::try_lock_until(std::uint64_t deadline_ns) {
  use_->check_enters("rw_lock", world_.rank());
  gate_.come();
  const auto enter = [&](const sync::mcs_queue& queue) { return queue.enter(deadline_ns); };
  const auto begin = [&](const sync::mcs_queue& queue, std::uint64_t given) {
    if (given >= closed) return true;
    const bool mine = gate_.close(given == open_for_readers, deadline_ns);
    mine ? queue.keep(closed) : static_cast<void>(queue.pass(queue.own(), open));
    return mine;
  };
  use_->holds = is_writer_ = tree_.acquire(enter, begin);
  return use_->holds;
}

bool rw_lock_view::try_lock() {
  use_->check_enters("rw_lock", world_.rank());
  const auto enter = [](const sync::mcs_queue& queue) { return queue.try_enter(); };
  const auto begin = [&](const sync::mcs_queue& queue, std::uint64_t) {
    const bool mine = gate_.try_close();
    mine ? queue.keep(closed) : static_cast<void>(queue.pass(queue.own(), open));
    return mine;
  };
  use_->holds = is_writer_ = tree_.acquire(enter, begin);
  return use_->holds;
}

void rw_lock_view::unlock() {
  sync::lock_use::check_leaves("rw_lock", world_.rank(), use_->holds);
  sync::lock_use::check_view("rw_lock", world_.rank(), is_writer_);
  use_->holds = is_writer_ = false;
  sync::release_lock(world_, [this] { release(); });
}

void rw_lock_view::release() {
  gate_.settle();
  const std::uint64_t max = tree_.max_passes();
  tree_.release([&](const sync::mcs_queue& queue, ptr<sync::queue_node> head) {
    const std::uint64_t passed = queue.value(head) - closed;
    const std::uint64_t next = passed < max ? queue.next_after(head) : 0;
    if (next != 0) {
      (void)queue.pass_on(head, next, closed + passed + 1, [&] {
        gate_.open();
        return open;
      });
    } else {
      const bool readers_waited = gate_.open();
      (void)queue.pass(head, readers_waited ? open_for_readers : open);
    }
  });
}

bool rw_lock_view::try_lock_shared() { return try_lock_shared_until(0); }

bool rw_lock_view::try_lock_shared_until(std::uint64_t deadline_ns) {
  use_->check_enters("rw_lock", world_.rank());
  use_->shares = gate_.try_enter(deadline_ns);
  return use_->shares;
}

rw_lock_thresholds rw_lock_thresholds::within(const world& world, const lock_levels& levels,
                                              std::uint64_t max_overtakes) {
  const auto ranks = static_cast<std::uint64_t>(world.size());
  const std::uint64_t max =
      max_overtakes == 0 ? std::max<std::uint64_t>(1024, 64 * ranks) : max_overtakes;
  rw_lock_thresholds result;
  // Near passes are cheap: the smaller the element, the more of the passes it gets.
  std::uint64_t left = max;
  result.max_passes.assign(static_cast<std::size_t>(levels.count()), 0);
  for (int level = levels.count() - 1; level >= 0; --level) {
    const std::uint64_t in_a_row = std::min(left, level == 0 ? in_the_job : in_an_element);
    result.max_passes[static_cast<std::size_t>(level)] = in_a_row - 1;
    left /= in_a_row;
  }
  // In shared memory, closing and opening takes only nanoseconds.
  if (!world.fabric().coherent()) {
    const std::size_t machines = sync::counter_homes(world, 0).size();
    result.max_readers = std::min<std::uint64_t>(max / machines, sync::gate_shape::highest_limit);
    if (machines > 1) {
      result.patience = one_part_in;
    } else {
      result.min_readers = readings * ranks;
    }
  }
  return result;
}

rw_lock::rw_lock(const world& world, const lock_levels& levels,
                 const rw_lock_thresholds& thresholds)
    : gate_words(world, thresholds.counter_every,
                 {.limit = thresholds.max_readers,
                  .patience = thresholds.patience,
                  .min = thresholds.min_readers}),
      tree_words(world, levels, thresholds.max_passes, "rw_lock", {.also = summary(thresholds)}),
      rw_lock_view(world, place(world), shape()),
      world_(world) {}

rw_lock::~rw_lock() {
  FAR_DCHECK(!is_used() || scope_.is_unwinding(),
             "an rw_lock is destroyed while its rank holds it");
  scope_.leave(world_);
}

}  // namespace far
