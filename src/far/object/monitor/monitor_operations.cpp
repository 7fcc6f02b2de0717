// A thread's side of monitors.

#include <algorithm>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/homes/message.hpp"
#include "far/object/copy/packets.hpp"
#include "far/object/part.hpp"
#include "far/object/thread_access.hpp"

namespace far::objects {
namespace {

/// `data`: the object's, or null. False also where only the home's table tells.
bool try_enter_here(part& of, place at, std::byte* data) {
  if (data == nullptr) return false;
  if (monitor_word(data).try_enter()) return true;
  if (at.rank() != of.rank) return false;
  const std::scoped_lock lock(of.mutex);
  return of.monitors.try_enter(at.offset());
}

}  // namespace

/// In a simulation, where a thread that makes no calls would run alone; else checks the job.
void thread_access::let_others_run() const {
  if (world_.fabric().direct(part_->rank) == nullptr) world_.progress();
  if (world_.fabric().knows_failure()) [[unlikely]]
    world_.fabric().check_job();
}

/// The data of an object whose monitor this thread may change itself, or null.
std::byte* thread_access::monitor_of(place at) noexcept {
  if (at.rank() != part_->rank && !part_->coherent) return nullptr;
  // Monitors do not migrate, so bits do not matter. check_place: it is in the rank's memory.
  std::byte* const data = me_->reaches[static_cast<std::size_t>(at.rank())].base + at.offset();
  return header_of_region(data).type != 0 ? data : nullptr;
}

bool thread_access::is_in(place at) const noexcept {
  return std::ranges::find(me_->held, at.bits(), &held_monitor::place) != me_->held.end();
}

held_monitor& thread_access::held(const char* what, place at) {
  const auto found = std::ranges::find(me_->held, at.bits(), &held_monitor::place);
  if (found == me_->held.end()) {
    check_place(what, at);
    throw bad_argument(fmt::format(
        "object_space::{}: this thread is not in the monitor of the object at offset {} of rank {}",
        what, at.offset(), at.rank()));
  }
  return *found;
}

/// `changes`: null, or a stream whose last packet the request follows.
monitor_answer thread_access::ask(place at, monitor_request what, std::uint32_t notified,
                                  fabric::deadline_ns deadline, change_stream* changes,
                                  const std::atomic<bool>* interrupted) {
  // The number names the request among all of this rank.
  std::uint64_t number = 0;
  bool wants = false;
  {
    const std::scoped_lock lock(part_->mutex);
    number = ++part_->clock;
    wants = what != monitor_request::try_enter && wants_object(at, changes);
  }
  const monitor_message header{.object = part_->id,
                               .what = what,
                               .wants_object = wants,
                               .follows = changes != nullptr,
                               .context = static_cast<std::uint16_t>(world_.context().index()),
                               .notified = notified,
                               .offset = at.offset(),
                               .number = number};
  pending_grant pending(me_->granted);
  me_->granted.place = 0;
  auto message = homes::message_to(world_.context(), at.rank(), header);
  message.reply = &pending;
  message.reply_bytes = wants ? pending_grant::max_bytes : sizeof(monitor_answer);
  me_->enters = at.bits();
  if (changes != nullptr) changes->send_followed(number);
  world_.context().send(message);
  if (changes != nullptr) changes->finish();
  enter_safe_region();
  const fabric::wait_reason why{"a monitor", at.rank(), {}};
  const auto is_over = [&] {
    return pending.done() || (interrupted != nullptr && interrupted->load());
  };
  (void)world_.context().wait(is_over, deadline, why);
  if (!pending.done()) {
    tell(at, monitor_request::expire, 0, number);
    world_.context().wait(pending, why);
  }
  leave_safe_region();
  me_->enters = 0;
  if (pending.answer > monitor_answer::inflated) throw_malformed("an unknown answer of a monitor");
  me_->granted.asked = number;
  me_->granted.coming = pending.has_object ? at.bits() : 0;
  return pending.answer;
}

void thread_access::tell(place at, monitor_request what, std::uint32_t notified,
                         std::uint64_t number, bool follows) {
  const monitor_message header{.object = part_->id,
                               .what = what,
                               .wants_object = false,
                               .follows = follows,
                               .context = static_cast<std::uint16_t>(world_.context().index()),
                               .notified = notified,
                               .offset = at.offset(),
                               .number = number};
  auto message = homes::message_to(world_.context(), at.rank(), header);
  world_.context().send(message);
}

void thread_access::enter(place at) {
  const auto again = std::ranges::find(me_->held, at.bits(), &held_monitor::place);
  if (again != me_->held.end()) {
    ++again->depth;
  } else {
    check_place("enter", at);
  }
  let_others_run();
  publish();
  if (again == me_->held.end()) {
    // Made in place, and read field by field in exit(): a copy of the whole would wait for its
    // stores.
    if (enter_free(at)) {
      me_->held.emplace_back(at.bits());
    } else {
      me_->held.push_back(enter_new(at));
    }
  }
  refresh();
}

/// Enters a monitor that is free, where plain instructions reach its word.
bool thread_access::enter_free(place at) {
  if (me_->inflated.place == at.bits()) return false;
  std::byte* const data = monitor_of(at);
  return data != nullptr && monitor_word(data).try_enter();
}

/// Enters a monitor that this thread is not in.
held_monitor thread_access::enter_new(place at) {
  for (;;) {
    const bool is_known = me_->inflated.place == at.bits();
    std::byte* const data = is_known ? nullptr : monitor_of(at);
    if (const auto number = find_inflated(at, data)) return enter_inflated(at, *number);
    if (try_enter_here(*part_, at, data)) return {at.bits()};
    const monitor_answer answer = ask(at, monitor_request::enter, 0, fabric::never);
    if (answer == monitor_answer::entered) return {at.bits()};
    if (answer != monitor_answer::inflated) throw_invalid("enter", at);
  }
}

std::optional<held_monitor> thread_access::try_enter_new(place at) {
  std::byte* const data = monitor_of(at);
  if (const auto number = find_inflated(at, data)) return try_enter_inflated(at, *number);
  if (try_enter_here(*part_, at, data)) return held_monitor{at.bits()};
  const bool refused = data != nullptr || ask(at, monitor_request::try_enter, 0, fabric::never) !=
                                              monitor_answer::entered;
  return refused ? std::nullopt : std::optional(held_monitor{at.bits()});
}

bool thread_access::try_enter(place at) {
  if (is_in(at)) {
    enter(at);
    return true;
  }
  check_place("try_enter", at);
  let_others_run();
  publish();
  const auto entered = try_enter_new(at);
  if (!entered) return false;
  me_->held.push_back(*entered);
  refresh();
  return true;
}

/// Publishes. If the last packet can be sent together with the message to the monitor's home, it is
/// left in `changes`; else that is empty.
void thread_access::publish_before_leaving(place at, std::optional<change_stream>& changes) {
  publish_here();
  if (me_->modified.empty()) return;
  publish_foreign(changes.emplace(*part_, world_, *me_));
  if (changes->is_last_to(at.rank())) return;
  changes->finish();
  changes.reset();
}

void thread_access::exit(place at) {
  held_monitor& m = held("exit", at);
  if (m.depth > 1) {
    publish();
    --m.depth;
    return;
  }
  std::optional<change_stream> changes;
  publish_before_leaving(at, changes);
  if (me_->granted.place == at.bits()) me_->granted.place = 0;
  const std::uint32_t notified = m.notified;
  const auto node = m.node;
  const std::uint16_t inflated = m.number;
  me_->held.erase(me_->held.begin() + (&m - me_->held.data()));
  if (!changes) return leave(at, notified, node, inflated);
  const std::uint64_t number = ++part_->clock;
  changes->send_followed(number);
  tell(at, monitor_request::exit, notified, number, true);
  changes->finish();
}

/// `node`, `inflated`: as in held_monitor.
void thread_access::leave(place at, std::uint32_t notified, ptr<sync::queue_node> node,
                          std::uint16_t inflated) {
  const auto pass = [&](std::uint16_t number) {
    pass_inflated({.place = at.bits(), .notified = notified, .node = node}, number);
  };
  if (node) return pass(inflated);
  std::byte* const data = monitor_of(at);
  if (data != nullptr && monitor_word(data).try_leave()) return;  // nobody to notify either
  if (const auto number = find_inflated(at, data)) return pass(*number);
  if (at.rank() != part_->rank) return tell(at, monitor_request::exit, notified, 0);
  homes::step(world_.context(), *part_,
              [&](outbox& out) { part_->monitors.exit(out, at.offset(), notified); });
}

bool thread_access::wait(place at, fabric::deadline_ns deadline,
                         const std::atomic<bool>* interrupted) {
  held_monitor& m = held("wait", at);
  std::optional<change_stream> changes;
  publish_before_leaving(at, changes);
  const held_monitor left = m;
  me_->held.erase(me_->held.begin() + (&m - me_->held.data()));
  held_monitor again{.place = left.place, .depth = left.depth};
  bool is_notified = false;
  auto number = find_inflated(at, monitor_of(at));
  if (!number) {
    const monitor_answer answer = ask(at, monitor_request::wait, left.notified, deadline,
                                      changes ? &*changes : nullptr, interrupted);
    is_notified = answer == monitor_answer::entered;
    if (answer == monitor_answer::inflated) number = find_inflated(at, monitor_of(at));
  }
  if (number) is_notified = wait_inflated(left, *number, deadline, interrupted, again);
  me_->held.push_back(again);
  refresh();
  return is_notified;
}

void thread_access::wake_waits() const { part_->wake_waiting(world_.context()); }

void thread_access::lend(place at) {
  held_monitor& m = held("lend", at);
  publish();
  const std::scoped_lock lock(part_->mutex);
  part_->lent.push_back(m);
  me_->held.erase(me_->held.begin() + (&m - me_->held.data()));
}

void thread_access::borrow(place at) {
  {
    const std::scoped_lock lock(part_->mutex);
    const auto found = std::ranges::find(part_->lent, at.bits(), &held_monitor::place);
    if (found == part_->lent.end()) {
      throw bad_argument(
          fmt::format("object_space::borrow: the monitor of the object at offset {} of rank {} is "
                      "not lent to this rank",
                      at.offset(), at.rank()));
    }
    me_->held.push_back(*found);
    part_->lent.erase(found);
  }
  refresh();
}

void thread_access::notify(place at, std::uint32_t count) {
  held_monitor& m = held("notify", at);
  const std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
  m.notified = count > most - m.notified ? most : m.notified + count;
}

}  // namespace far::objects
