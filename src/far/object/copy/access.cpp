// The slow paths of reading and writing: fetching copies, and making twins.

#include <cstring>
#include <exception>

#include <fmt/format.h>

#include "far/base/check.hpp"
#include "far/base/error.hpp"
#include "far/object/copy/fetching.hpp"
#include "far/object/heap/stale_memory.hpp"
#include "far/object/heap/words.hpp"
#include "far/object/part.hpp"
#include "far/object/thread_access.hpp"

namespace far::objects {

/// Fetches a copy that is busy with it, or takes what has come with the monitor, and writes the
/// data. Returns the header; its type is 0 if there is no such region.
region_header thread_access::fetch(copy& c, const granted_object* granted,
                                   std::vector<dropped_copy>& dropped) {
  fetched_region got;
  if (granted != nullptr) {
    got = {fetch_status::listed, granted->header, granted->data.data(), granted->bytes};
  }
  if (granted == nullptr) got = fetch_region(*part_, world_, *me_, c);
  const region_header header = got.header;
  if (got.status == fetch_status::nothing_there || header.type != c.type->id()) {
    return got.status == fetch_status::nothing_there ? region_header{} : header;
  }
  check_fetched(c, got);
  const std::size_t bytes = std::size_t{header.length} * c.type->size();
  permit(c.data - sizeof(header), sizeof(header) + bytes);
  // Copies that are present have the memory, and busy ones keep it.
  if (!c.present) claim_memory(c, bytes, dropped);
  if (c.twin != nullptr) {
    merge_elements(c.data, c.twin.get(), got.data, *c.type, header.length);
  } else if (c.present) {
    update_words(c.data, got.data, bytes);
  } else {
    std::memcpy(c.data - sizeof(header), &header, sizeof(header));
    store_words(c.data, got.data, bytes);
    c.length = header.length;
  }
  c.verdict = got.status == fetch_status::kept;
  return header;
}

/// Makes room for a copy that is busy with a fetch. Errors: out_of_memory.
void thread_access::claim_memory(copy& c, std::size_t bytes, std::vector<dropped_copy>& dropped) {
  constexpr std::size_t given_back_at_once = 64;
  for (;;) {
    std::vector<place> owned;
    {
      const std::scoped_lock lock(part_->mutex);
      if (part_->claim_memory(c, bytes, dropped)) return;
      owned = part_->copies.unused_owned(given_back_at_once);
      if (owned.empty()) {
        part_->release_epoch.fetch_add(1, std::memory_order_relaxed);
        part_->copies.throw_full();
      }
    }
    give_back(owned);
  }
}

/// Sets this thread's bit for reading.
void thread_access::admit(copy& c, reach& r) {
  set_bit(r.readable, c.at.offset());
  ++c.readers;
  c.unread = 0;
  part_->copies.touch(c, part_->release_epoch.load(std::memory_order_relaxed));
  if (part_->copies.wants_room()) part_->release_epoch.fetch_add(1, std::memory_order_relaxed);
  if (!c.kept) part_->note_changed(c.at);
  if (c.kept) return;
  me_->listed.push_back(&c);
  me_->has_listed.store(true, std::memory_order_relaxed);
}

copy& thread_access::acquire(std::unique_lock<std::mutex>& lock, place at,
                             const type_descriptor& type, bool is_array) {
  const acquired_copy found = try_acquire(lock, at, type, is_array);
  if (found.type == 0) throw_invalid("read or write", at);
  if (found.of == nullptr) throw_other_type(at, type);
  return *found.of;
}

thread_access::acquired_copy thread_access::try_acquire(std::unique_lock<std::mutex>& lock,
                                                        place at, const type_descriptor& type,
                                                        bool is_array) {
  reach& r = me_->reaches[static_cast<std::size_t>(at.rank())];
  if (r.limit == 0) map(r, at.rank());
  copy* c = part_->copies.find(at);
  if (c != nullptr && c->present && peek_bit(r.readable, at.offset())) {
    return {c, c->type->id()};
  }
  const auto is_current = [&] { return c->present && (c->kept || c->fetched > me_->acquired); };
  wait_for_change(
      *part_, lock, world_, "a copy of an object", at.rank(),
      [&] {
        c = part_->copies.find(at);
        return c == nullptr || c->busy == busy_with::nothing;
      },
      [&] { return c == nullptr || is_current() || c->close(); }, part_->copies.word_of(at));
  if (c == nullptr) c = &part_->copies.make(at, type);
  if (!c->present) {  // whoever failed to fetch it may have taken it for something else
    c->type = &type;
    c->length = is_array ? 0 : 1;
  }
  if (c->type->id() != type.id()) return {nullptr, c->type->id()};
  if (is_current()) {
    admit(*c, r);
    return {c, type.id()};
  }
  c->busy = busy_with::fetch;
  const granted_object* const granted = find_granted(*c);
  if (granted != nullptr) {
    c->fetched = granted->asked;
    c->number = 0;
  } else {
    c->revoked = false;
    c->missed = false;
    c->sequence = 0;
    c->fetched = ++part_->clock;
    c->begun = c->fetched;
    c->number = ++part_->fetches;
  }
  std::vector<dropped_copy> dropped;
  outbox out;
  region_header header{};
  std::exception_ptr failure;
  lock.unlock();
  try {
    header = fetch(*c, granted, dropped);
  } catch (const rank_failed&) {
    lock.lock();
    c->busy = busy_with::nothing;
    lock.unlock();
    throw;
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  // Under the same lock as what follows: a thread that finds the copy not busy uses it.
  c->busy = busy_with::nothing;
  if (failure) {  // the copy is as it was before, and any thread may try again
    c->fetched = 0;
    if (c->readers == 0 && c->writers == 0) dropped.push_back({at, c->number});
  }
  part_->wake(out);
  if (header.type == type.id()) {
    c->present = true;
    c->kept = c->verdict && !c->revoked;
    c->offer();
    admit(*c, r);
  } else if (!c->present) {
    part_->copies.erase(*c);
  }
  if (out.wakes || !dropped.empty()) {
    lock.unlock();
    out.flush(*part_, world_.context());
    send_dropped(dropped);
    lock.lock();
  }
  if (failure) std::rethrow_exception(failure);
  return {header.type == type.id() ? c : nullptr, header.type};
}

/// Waits until an own region that has migrated is back.
void thread_access::bring_home(std::unique_lock<std::mutex>& lock, std::uint64_t offset) {
  while (part_->directory.is_away(offset, part_->rank)) {
    outbox out;
    part_->directory.recall(out, offset, true);
    constexpr const char* what = "an object to come back from the rank that uses it";
    const int owner = part_->directory.owner(offset);
    lock.unlock();
    out.flush(*part_, world_.context(), &me_->work);
    end_work({what, owner, {}});
    lock.lock();
    // Another thread may have it recalled. It may be away again.
    wait_for_change(*part_, lock, world_, what, owner,
                    [&] { return !part_->directory.is_recalled(offset); });
  }
}

/// An object that this rank reaches without a copy, and that no bit says is there.
std::byte* thread_access::check_direct(const char* what, place at, const type_descriptor& type,
                                       std::uint64_t* reach::*bits) {
  const std::uint64_t offset = at.offset();
  const reach& r = me_->reaches[static_cast<std::size_t>(at.rank())];
  const bool may_be = offset % granule == 0 && offset >= sizeof(region_header) &&
                      (at.rank() != part_->rank || part_->heap.is_region(offset));
  const std::uint32_t found = may_be ? header_of_region(r.base + offset).type : 0;
  if (found == 0) throw_invalid(what, at);
  if (found != type.id()) throw_other_type(at, type);
  set_bit(r.*bits, offset);
  return r.base + offset;
}

std::byte* thread_access::get_readable(place at, const type_descriptor& type, bool is_array) {
  check_place("read", at);
  if (part_->coherent) {
    if (!base::debug_checks) throw_invalid("read", at);
    return check_direct("read", at, type, &reach::readable);
  }
  std::unique_lock lock(part_->mutex);
  if (at.rank() == part_->rank) {
    if (!part_->heap.is_region(at.offset())) throw_invalid("read", at);
    const reach& own = me_->reaches[static_cast<std::size_t>(at.rank())];
    bring_home(lock, at.offset());
    if (base::debug_checks) return check_direct("read", at, type, &reach::readable);
    if (own.readable != nullptr) set_bit(own.readable, at.offset());
    return own.base + at.offset();
  }
  return acquire(lock, at, type, is_array).data;
}

std::byte* thread_access::get_writable(place at, const type_descriptor& type, bool is_array) {
  check_place("write", at);
  if (part_->coherent) {
    if (!base::debug_checks) throw_invalid("write", at);
    return check_direct("write", at, type, &reach::writable);
  }
  std::unique_lock lock(part_->mutex);
  reach& r = me_->reaches[static_cast<std::size_t>(at.rank())];
  if (at.rank() == part_->rank) {
    if (!part_->heap.is_region(at.offset())) throw_invalid("write", at);
    bring_home(lock, at.offset());
    if (base::debug_checks) (void)check_direct("write", at, type, &reach::readable);
    if (r.readable != nullptr) set_bit(r.readable, at.offset());
    part_->directory.begin_own_write(at.offset());
    set_bit(r.writable, at.offset());
    me_->writes_own = true;
    if (part_->directory.is_watched(at.offset())) {
      me_->seen.insert(at.offset());
      me_->has_seen.store(true, std::memory_order_relaxed);
    }
    return r.base + at.offset();
  }
  copy& c = acquire(lock, at, type, is_array);
  wait_for_change(
      *part_, lock, world_, "a copy of an object", at.rank(),
      [&] { return c.busy == busy_with::nothing; }, [&] { return c.twin != nullptr || c.close(); },
      part_->copies.word_of(at));
  if (c.owned) {
    me_->writes_owned = true;
  } else if (c.twin == nullptr) {
    c.make_twin();
    c.offer();
  }
  ++c.writers;
  c.unread = 0;
  set_bit(r.writable, at.offset());
  if (!c.owned) me_->modified.push_back(&c);
  return c.data;
}

}  // namespace far::objects
