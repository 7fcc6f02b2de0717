// Publishing what a thread has changed, and forgetting what may be stale.

#include <algorithm>
#include <deque>
#include <mutex>
#include <utility>

#include "far/fabric/asymmetric_fence.hpp"
#include "far/object/copy/packets.hpp"
#include "far/object/part.hpp"
#include "far/object/thread_access.hpp"

namespace far::objects {

void thread_access::publish() {
  publish_here();
  if (!me_->modified.empty()) {
    change_stream changes(*part_, world_, *me_);
    publish_foreign(changes);
    changes.finish();
  }
  if (part_->release_epoch.load(std::memory_order_relaxed) != me_->release_epoch) give_up_unused();
}

/// What is this rank's own, or has been. The rest is in `modified` then.
void thread_access::publish_here() {
  if (me_->writes_owned) {
    // Either the home, when it takes a region back, is sent what this thread has written into it,
    // or this thread sees that it is to send it.
    fabric::light_fence(part_->asymmetric);
    take_recalled();
  }
  if (me_->writes_own) {
    // Either a rank that fetches a region sees what this thread has written into it, or this thread
    // sees that the rank has told it.
    fabric::light_fence(part_->asymmetric);
    if (me_->has_seen.load(std::memory_order_relaxed)) publish_own();
  }
}

void thread_access::take_recalled() {
  if (!me_->has_recalled.load(std::memory_order_relaxed)) return;
  const std::scoped_lock lock(part_->mutex);
  me_->has_recalled.store(false, std::memory_order_relaxed);
  for (copy* const c : std::exchange(me_->recalled, {})) me_->modified.push_back(c);
}

/// The last packet may be left in the stream.
void thread_access::publish_foreign(change_stream& changes) {
  std::unique_lock lock(part_->mutex);
  for (copy* const c : std::exchange(me_->modified, {})) {
    const auto is_free = [c] { return c->busy == busy_with::nothing; };
    const auto close = [c] { return c->close(); };
    if (!is_free() || !close()) {
      // Send first: the thread that holds it may be waiting for a copy that this thread holds.
      lock.unlock();
      changes.send();
      lock.lock();
      wait_for_change(*part_, lock, world_, "a copy of an object", c->at.rank(), is_free, close,
                      part_->copies.word_of(c->at));
    }
    c->busy = busy_with::flush;
    c->begun = ++part_->clock;
    c->sent = false;
    c->changed = false;
    c->revoked = false;
    c->verdict = true;
    c->granted = false;
    c->recalled = false;
    c->in_flight.clear();
    c->packets = 0;
    clear_bit(me_->reaches[static_cast<std::size_t>(c->at.rank())].writable, c->at.offset());
    --c->writers;
    give_up_granted(*c);
    lock.unlock();
    changes.add(*c);
    outbox out;
    lock.lock();
    c->sent = true;
    part_->end_flush(out, *c);
    if (!out.is_empty()) {
      lock.unlock();
      out.flush(*part_, world_.context());
      lock.lock();
    }
  }
}

/// A copy that the home does not know never becomes a kept one. So who has changed it, and goes on,
/// fetches it. Under the mutex.
void thread_access::give_up_granted(copy& c) {
  const reach& r = me_->reaches[static_cast<std::size_t>(c.at.rank())];
  if (c.number != 0 || !peek_bit(r.readable, c.at.offset())) return;
  std::erase(me_->listed, &c);
  part_->give_up(*me_, c, me_->dropped);
}

void thread_access::publish_own() {
  pending_change change;
  change.writer = part_->rank;
  outbox out;
  {
    const std::scoped_lock lock(part_->mutex);
    std::uint64_t* const bits = me_->reaches[static_cast<std::size_t>(part_->rank)].writable;
    me_->has_seen.store(false, std::memory_order_relaxed);
    const auto seen = std::exchange(me_->seen, {});
    for (const std::uint64_t offset : seen) {
      change.regions.push_back(offset);
      clear_bit(bits, offset);
      part_->directory.written_at_home(out, offset, seen.size());
    }
    part_->directory.finish(out, &change);
  }
  try {
    constexpr const char* what = "copies of changed objects to be revoked or updated";
    out.flush(*part_, world_.context(), &me_->work);
    end_work({what, -1, {}});
    std::unique_lock lock(part_->mutex);
    wait_for_change(*part_, lock, world_, what, -1, [&] { return change.done; });
  } catch (...) {
    const std::scoped_lock lock(part_->mutex);
    part_->directory.forget(change);
    throw;
  }
}

/// Waits until nothing of this thread's is under way for the directory. Writes of others' changes
/// follow if these have come meanwhile, for the same copies.
void thread_access::end_work(const fabric::wait_reason& reason) {
  thread_work& work = me_->work;
  while (work.in_flight > 0 || !work.left.empty()) {
    world_.context().wait([&] { return work.in_flight == 0 || !work.left.empty(); }, fabric::never,
                          reason);
    for (outbox& left : std::exchange(work.left, {})) {
      left.flush(*part_, world_.context(), &work);
    }
  }
}

void thread_access::refresh() {
  safe_point();
  forget_stale();
}

void thread_access::forget_stale() {
  take_recalled();
  if (!me_->modified.empty()) publish();  // else this thread would go on in stale copies
  me_->acquired = part_->clock.load();
  me_->granted.place = std::exchange(me_->granted.coming, 0);
  if (!me_->has_listed.load(std::memory_order_acquire) && me_->dropped.empty()) return;
  std::vector<dropped_copy> dropped;
  {
    const std::scoped_lock lock(part_->mutex);
    // What is fetched again in each epoch need not be given up in between.
    for (const dropped_copy& d : std::exchange(me_->dropped, {})) {
      if (part_->copies.is_given_up(d)) dropped.push_back(d);
    }
    for (copy* const c : std::exchange(me_->listed, {})) {
      std::uint64_t* const bits = me_->reaches[static_cast<std::size_t>(c->at.rank())].readable;
      if (c->kept || !peek_bit(bits, c->at.offset())) continue;
      part_->give_up(*me_, *c, me_->dropped);
    }
    for (copy* const c : std::exchange(me_->asked, {})) part_->give_up(*me_, *c, me_->dropped);
    const reach& own = me_->reaches[static_cast<std::size_t>(part_->rank)];
    for (const std::uint64_t offset : std::exchange(me_->asked_own, {})) {
      if (!peek_bit(own.writable, offset)) clear_bit(own.readable, offset);
    }
    me_->has_listed.store(false, std::memory_order_relaxed);
  }
  send_dropped(dropped);
}

void thread_access::safe_point() {
  if (part_->release_epoch.load(std::memory_order_relaxed) == me_->release_epoch) return;
  stop_if_asked();
  give_up_unused();
}

void thread_access::give_up_unused() {
  std::vector<dropped_copy> dropped;
  {
    const std::scoped_lock lock(part_->mutex);
    part_->give_up_unused(*me_, dropped);
  }
  send_dropped(dropped);
}

/// Has the homes take back copies that this rank owns.
void thread_access::give_back(const std::vector<place>& owned) {
  std::deque<fabric::request> pending;
  for (const place at : owned) {
    const give_back_message header{part_->id, at.offset()};
    auto message = homes::message_to(world_.context(), at.rank(), header);
    message.reply = &pending.emplace_back();
    world_.context().send(message);
  }
  for (fabric::request& p : pending) {
    world_.context().wait(p, {"objects to go back to their home", -1, {}});
  }
}

/// One message for each home.
void thread_access::send_dropped(std::vector<dropped_copy>& dropped) {
  std::erase_if(dropped, [](const dropped_copy& d) { return d.number == 0; });
  const auto home_of = [](const dropped_copy& d) { return d.at.rank(); };
  if (!std::ranges::is_sorted(dropped, {}, home_of)) {
    std::ranges::stable_sort(dropped, {}, home_of);
  }
  const std::size_t max = (part_->packet_bytes - sizeof(left_message)) / sizeof(left_item);
  std::vector<left_item> items;
  for (auto at = dropped.begin(); at != dropped.end();) {
    const int home = at->at.rank();
    items.clear();
    for (; at != dropped.end() && at->at.rank() == home && items.size() < max; ++at) {
      items.push_back({at->at.offset(), at->number});
    }
    const left_message header{part_->id, static_cast<std::uint32_t>(items.size())};
    auto message = homes::message_to(world_.context(), home, header);
    message.body = std::as_bytes(std::span(items));
    world_.context().send(message);
  }
  dropped.clear();
}

}  // namespace far::objects
