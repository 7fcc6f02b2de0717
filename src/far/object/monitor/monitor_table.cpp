#include "far/object/monitor/monitor_table.hpp"

#include <algorithm>
#include <utility>

#include "far/object/monitor/granted_object.hpp"
#include "far/object/monitor/inflated_monitor.hpp"
#include "far/object/part.hpp"

namespace far::objects {

monitor_word monitor_table::word_of(std::uint64_t offset) const noexcept {
  return monitor_word(part_->heap.data_at(offset));
}

bool monitor_table::try_enter(std::uint64_t offset) {
  if (word_of(offset).try_enter()) return true;
  const auto found = monitors_.find(offset);
  if (found == monitors_.end() || found->second.taken) return false;
  return found->second.taken = true;  // others wait to be notified
}

/// A number that no monitor has. Nothing where there are no inflated monitors, or no more.
std::optional<std::uint16_t> monitor_table::take_inflated() {
  if (!part_->inflated) return {};
  if (unused_.empty()) {
    if (next_inflated_ == max_inflated) return {};
    unused_.push_back(next_inflated_++);
  }
  const std::uint16_t number = unused_.back();
  unused_.pop_back();
  return number;
}

/// Whether a monitor has been inflated, or is now, because a thread is in it by the word.
bool monitor_table::is_inflated(std::uint64_t offset) {
  const monitor_word word = word_of(offset);
  if (word.inflated()) return true;
  if (word.word_.load(std::memory_order_relaxed) != monitor_word::held) return false;
  const auto number = take_inflated();
  if (!number) return false;
  const inflated_words words(part_->inflated.on(part_->rank) + *number);
  auto& made = *static_cast<inflated_monitor*>(
      static_cast<void*>(part_->main_context->owner().local(words.tail().address())));
  made = inflated_monitor{};
  made.holder.status = sync::node_status::given(sync::mcs_queue::first);
  made.tail = words.holder().bits();
  if (!word.change(monitor_word::held,
                   static_cast<std::uint16_t>(monitor_word::first_inflated + *number))) {
    unused_.push_back(*number);
    return false;
  }
  inflated_.emplace(offset, *number);
  return true;
}

void monitor_table::deflate(const std::uint64_t* marked) {
  std::erase_if(inflated_, [&](const auto& entry) {
    const auto& [offset, number] = entry;
    if (test_bit(marked, offset)) return false;
    const inflated_words words(part_->inflated.on(part_->rank) + number);
    if (part_->main_context->peek(words.tail().address()) != 0) return false;
    word_of(offset).word_.store(monitor_word::free, std::memory_order_relaxed);
    unused_.push_back(number);
    return true;
  });
}

void monitor_table::enter(outbox& out, std::uint64_t offset, const monitor_caller& caller) {
  const monitor_word word = word_of(offset);
  const auto found = monitors_.find(offset);
  if (found != monitors_.end()) {
    found->second.queue.push_back({caller, monitor_answer::entered});
    if (!found->second.taken) pass_on(out, offset, found->second);
    return;
  }
  // The word may change between free and held meanwhile.
  while (!word.try_enter()) {
    if (is_inflated(offset)) {
      out.replies.push_back({caller.token, {static_cast<std::byte>(monitor_answer::inflated)}});
      return;
    }
    if (!word.change(monitor_word::held, monitor_word::queued)) continue;
    monitor& m = monitors_[offset];
    m.taken = true;
    m.queue.push_back({caller, monitor_answer::entered});
    return;
  }
  grant_and_wake(out, offset, {caller, monitor_answer::entered});
}

void monitor_table::exit(outbox& out, std::uint64_t offset, std::uint32_t notified) {
  if (word_of(offset).try_leave()) return;
  const auto found = monitors_.find(offset);
  if (found == monitors_.end()) return;  // nobody is in it
  monitor& m = found->second;
  notify(m, notified);
  m.taken = false;
  pass_on(out, offset, m);
}

void monitor_table::wait(outbox& out, std::uint64_t offset, std::uint32_t notified,
                         const monitor_caller& caller, std::uint64_t number) {
  if (is_inflated(offset)) {
    out.replies.push_back({caller.token, {static_cast<std::byte>(monitor_answer::inflated)}});
    return;
  }
  (void)word_of(offset).change(monitor_word::held, monitor_word::queued);
  monitor& m = monitors_[offset];
  notify(m, notified);
  const auto early = expired_.find({caller.token.rank, caller.token.context});
  if (early != expired_.end() && early->second == number) {
    m.queue.push_back({caller, monitor_answer::expired});
  } else {
    m.waits.push_back({caller, number});
  }
  if (early != expired_.end()) expired_.erase(early);
  m.taken = false;
  pass_on(out, offset, m);
}

void monitor_table::expire(outbox& out, std::uint64_t offset, const waiting_thread& thread,
                           std::uint64_t number) {
  const auto found = monitors_.find(offset);
  if (found != monitors_.end()) {
    monitor& m = found->second;
    const auto at = std::ranges::find_if(m.waits, [&](const waiting& w) {
      const fabric::reply_token& token = w.caller.token;
      return token.rank == thread.rank && token.context == thread.context && w.number == number;
    });
    if (at != m.waits.end()) {
      m.queue.push_back({at->caller, monitor_answer::expired});
      m.waits.erase(at);
      if (!m.taken) pass_on(out, offset, m);
      return;
    }
  }
  expired_[thread] = number;
}

void monitor_table::notify(monitor& m, std::uint32_t count) {
  for (; count > 0 && !m.waits.empty(); --count) {
    m.queue.push_back({m.waits.front().caller, monitor_answer::entered});
    m.waits.pop_front();
  }
}

/// The monitor is the thread's.
void monitor_table::grant_and_wake(outbox& out, std::uint64_t offset, const entering& to) {
  const fabric::reply_token& token = to.caller.token;
  held_reply reply{token, {static_cast<std::byte>(to.answer)}};
  if (to.caller.wants_object) append_object(*part_, offset, token.rank, reply.bytes);
  out.replies.push_back(std::move(reply));
}

void monitor_table::pass_on(outbox& out, std::uint64_t offset, monitor& m) {
  if (!m.queue.empty()) {
    m.taken = true;
    const entering next = m.queue.front();
    m.queue.pop_front();
    grant_and_wake(out, offset, next);
  } else if (m.waits.empty()) {
    monitors_.erase(offset);
    word_of(offset).word_.store(monitor_word::free, std::memory_order_release);
  }
}

}  // namespace far::objects
