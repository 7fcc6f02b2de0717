#include "far/array/cached/cache.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "far/array/cached/part.hpp"
#include "far/base/error.hpp"
#include "far/fabric/asymmetric_fence.hpp"

namespace far::cached {

cache::cache(part& of, const cache_limits& limits)
    : part_(&of),
      limits_(limits),
      asymmetric_(fabric::has_asymmetric_fence()),
      table_(of.map.chunks()),
      locality_(limits.how, of.map, limits.slots, limits.is_timed),
      chunk_of_slot_(limits.slots, 0) {
  for (auto slot = static_cast<int>(limits.slots); slot-- > 0;) free_slots_.push_back(slot);
}

thread_record* cache::open_record() {
  const auto unused = std::ranges::find_if(records_, [](const auto& r) { return r == nullptr; });
  auto& record = unused != records_.end() ? *unused : records_.emplace_back();
  record = std::make_unique<thread_record>(part_->map.chunks());
  return record.get();
}

void cache::close_record(const thread_record& record) {
  // Its operand lines stay with their chunks until these are recalled.
  records_[number_of(record)] = nullptr;
}

std::size_t cache::number_of(const thread_record& record) const noexcept {
  const auto same = [&](const auto& r) { return r.get() == &record; };
  return static_cast<std::size_t>(std::ranges::find_if(records_, same) - records_.begin());
}

line& cache::find(std::uint64_t chunk) {
  const auto [at, is_new] = lines_.try_emplace(chunk);
  if (is_new && part_->is_home_of(chunk)) {
    at->second.is_home = true;
    at->second.data = part_->home_memory(chunk);
    at->second.has = right::write;
  }
  return at->second;
}

/// Whether the line's right is, or includes, another.
bool cache::includes(const line& l, right what, const operation* op) noexcept {
  switch (what) {
    case right::none:
      return true;
    case right::read:
      return l.has == right::read || l.has == right::write;
    case right::write:
      return l.has == right::write;
    case right::operate:
      return l.has == right::write || (l.has == right::operate && l.op == op);
    case right::direct:
      return l.has == right::direct || l.has == right::write;
  }
  return false;
}

/// Whether the claim's access may take place.
bool cache::covers(const line& l, const claim& wanted) noexcept {
  return includes(l, wanted.what, wanted.op) || (l.has == right::direct && wanted.one_element);
}

/// Whether a new access asks for another right, although this one would do: the region is to be
/// cached again, or the right is recalled, which accesses one after another could delay for ever.
bool cache::leaves_direct(std::uint64_t chunk, const line& l, const claim& wanted) const noexcept {
  const bool at_home = l.is_home && wanted.what == right::read;
  return l.has == right::direct && !at_home && (l.revoked || !locality_.is_direct(chunk));
}

std::uint64_t cache::bytes_before(std::uint64_t chunk) const noexcept {
  return part_->map.begin_of_chunk(chunk) * part_->element_bytes;
}

void cache::publish(std::uint64_t chunk, const line& l) noexcept {
  right shown = l.revoked ? right::none : l.has;
  // Others access the home's memory one-sided, which its loads agree with. Its stores might be lost
  // to their atomic operations, where these are the network interface's.
  if (shown == right::direct && !l.is_home) shown = right::none;
  const chunk_word word(l.data, bytes_before(chunk), shown);
  table_[chunk].store(word.bits(), std::memory_order_release);
}

/// Lets no new access begin without the slow path, not even under a right that is to be kept:
/// otherwise two threads that read without pause could delay a revocation for ever.
void cache::withdraw(std::uint64_t chunk) noexcept {
  table_[chunk].store(0, std::memory_order_relaxed);
  for (const auto& record : records_) {
    if (record != nullptr) record->operands[chunk].word.store(0, std::memory_order_relaxed);
  }
}

/// After withdraw: whether threads may still access the chunk under the old word, in a way that
/// what is kept does not allow. Those will see a notice when they leave.
bool cache::is_accessed(std::uint64_t chunk, right kept) noexcept {
  const auto accesses = [&](const auto& record) {
    return record != nullptr && record->accessed.load(std::memory_order_acquire) == chunk + 1;
  };
  const auto pins = [&](const auto& record) {
    return record != nullptr && record->is_pinned(chunk, kept);
  };
  const auto stays = [&](const auto& record) { return accesses(record) || pins(record); };
  fabric::heavy_fence(asymmetric_);
  if (std::ranges::none_of(records_, stays)) return false;
  for (const auto& record : records_) {
    if (accesses(record)) record->notice.store(1, std::memory_order_relaxed);
    if (pins(record)) record->pin_notice.store(1, std::memory_order_relaxed);
  }
  // Whoever left before the notices has not seen them.
  fabric::heavy_fence(asymmetric_);
  return std::ranges::any_of(records_, stays);
}

/// After withdraw and a fence: whether a thread accesses the chunk, or pins it.
bool cache::is_named(std::uint64_t chunk) const noexcept {
  return std::ranges::any_of(records_, [&](const auto& record) {
    return record != nullptr && (record->accessed.load(std::memory_order_acquire) == chunk + 1 ||
                                 record->is_pinned(chunk, right::none));
  });
}

// ---- threads ------------------------------------------------------------------------------------

cache::place cache::acquire(std::unique_lock<std::mutex>& lock, outbox& out, const world& world,
                            thread_record& me, std::uint64_t chunk, const claim& wanted) {
  if (part_->coherent) {
    std::byte* const data = part_->coherent_memory(chunk);
    const chunk_word word(data, bytes_before(chunk), right::write);
    table_[chunk].store(word.bits(), std::memory_order_relaxed);
    return {data};
  }
  if (world.context().is_lane()) return acquire_here(chunk, wanted);
  const fabric::address changes = part_->changes.address();
  if (me.notice.exchange(0, std::memory_order_relaxed) != 0) out.changed |= waits_for_slot();
  if (wanted.one_element && locality_.lacks_price(chunk)) measure_home(lock, out, world, chunk);
  retry_revocations(out);
  request_ahead(out, chunk, me, wanted);
  std::uint64_t began = 0;  // to wait
  for (bool waited = false;; waited = true) {
    bool needs_slot = false;
    line& l = find(chunk);
    // What came while it waited is good for one access: `fresh` promises that.
    if (covers(l, wanted) && (waited || !leaves_direct(chunk, l, wanted))) {
      if (waited && std::exchange(l.fresh, false)) {
        out.changed |= is_awaited(l);  // may be evicted
        count_wait(chunk, l, world.now() - began);
      }
      const place at = enter(out, chunk, l, me, wanted);
      if (at.data != nullptr || l.has == right::direct) return at;
      if (l.revoked && try_revoke(out, chunk, l)) continue;  // which may have freed a slot
      needs_slot = true;
    } else {
      needs_slot = l.wanted == right::none && !request_for(out, chunk, l, wanted);
    }
    if (const std::string why = why_never(me, chunk, wanted, needs_slot); !why.empty()) {
      lock.unlock();
      out.flush(*part_, world.context());  // answers that others wait for
      throw bad_argument(why);
    }
    const std::uint64_t seen = world.context().peek(changes);
    if (!waited) began = world.now();
    find(chunk).waiting.push_back(wanted);
    me.waits_for_slot = needs_slot;
    lock.unlock();
    std::exchange(out, {}).flush(*part_, world.context());
    // Short enough for reports, in which pins that wait for each other can be seen.
    const std::uint64_t pinned = me.some_pinned();
    const std::string what = pinned == ~std::uint64_t{0}
                                 ? fmt::format("chunk {} of a cached array", chunk)
                                 : fmt::format("chunk {}; it pins {}", chunk, pinned);
    world.context().wait([&] { return world.context().peek(changes) != seen; }, fabric::never,
                         {what.c_str(), part_->map.owner_of_chunk(chunk), changes});
    lock.lock();
    me.waits_for_slot = false;
    auto& waiting = find(chunk).waiting;
    waiting.erase(std::ranges::find(waiting, wanted));
  }
}

/// In a function that another rank has called, which must not wait. Also while the right is
/// revoked: the function that revokes it takes the mutex after this one.
cache::place cache::acquire_here(std::uint64_t chunk, const claim& wanted) {
  const line& l = find(chunk);
  const bool reads_at_home = l.is_home && wanted.what == right::read && l.has == right::direct;
  const bool may = l.has != right::operate && includes(l, wanted.what, wanted.op);
  if (may || reads_at_home) return {l.data};
  drop_if_unused(chunk);
  throw bad_argument(
      fmt::format("cached_array: chunk {} is not at rank {}, and a function that another rank has "
                  "called must not wait for it: let the caller access it",
                  chunk, part_->rank));
}

/// Where an access that the right covers takes place. No data, and not direct: the thread needs a
/// line for its operands, and there is no slot.
cache::place cache::enter(outbox& out, std::uint64_t chunk, line& l, thread_record& me,
                          const claim& wanted) {
  place at{l.data, true};
  const bool at_home = l.is_home && wanted.what == right::read;
  if (l.has == right::direct && !at_home) {
    ++l.one_sided;
    return {nullptr, true, locality_.accessed_directly(chunk)};
  }
  // A line whose eviction has been requested gets no quick pin, which would end that unseen.
  const bool published = may_publish(chunk, l) && !l.evicting;
  if (l.has == right::operate) {
    at = {operand_line_of(out, chunk, l, me, published), false};
  } else if (published) {
    publish(chunk, l);
  }
  if (at.data != nullptr) l.cold = false;
  return at;
}

/// Counts an access in a watched fill. False: the next one is to be seen, too.
bool cache::may_publish(std::uint64_t chunk, line& l) {
  if (l.watched && ++l.uses >= locality_.enough(chunk)) end_watch(chunk, l);
  return !l.revoked && !l.watched;
}

void cache::end_watch(std::uint64_t chunk, line& l) {
  if (!std::exchange(l.watched, false)) return;
  locality_.fill_ended(chunk, std::exchange(l.uses, 0), std::exchange(l.waited_ns, 0));
}

std::byte* cache::operand_line_of(outbox& out, std::uint64_t chunk, line& l, thread_record& me,
                                  bool published) {
  const std::size_t number = number_of(me);
  if (l.operand_slots.size() <= number) l.operand_slots.resize(number + 1, -1);
  int& slot = l.operand_slots[number];
  if (slot < 0) {
    slot = take_slot(out, chunk);
    if (slot < 0) return nullptr;
    l.op->fill_identity(memory_of(slot), part_->map.length_of_chunk(chunk));
  }
  if (published) {
    const chunk_word word(memory_of(slot), bytes_before(chunk), right::read);
    me.operands[chunk].operand_of.store(l.op, std::memory_order_relaxed);
    me.operands[chunk].word.store(word.bits(), std::memory_order_release);
  }
  return memory_of(slot);
}

void cache::leave(outbox& out, std::uint64_t chunk) {
  if (part_->coherent) return;
  line& l = find(chunk);
  if (l.revoked) try_revoke(out, chunk, l);
}

void cache::answer_notice(outbox& out, thread_record& me) {
  me.notice.store(0, std::memory_order_relaxed);
  me.pin_notice.store(0, std::memory_order_relaxed);
  out.changed |= waits_for_slot();
  retry_revocations(out);
}

bool cache::goes_past(std::uint64_t chunk) const {
  const auto at = lines_.find(chunk);
  return at != lines_.end() && at->second.has == right::direct && !at->second.revoked &&
         locality_.is_direct(chunk);
}

bool cache::enter_home(std::uint64_t chunk) {
  if (!goes_past(chunk)) return false;
  ++find(chunk).one_sided;
  (void)locality_.accessed_directly(chunk);
  return true;
}

void cache::leave_home(outbox& out, std::uint64_t chunk, std::uint64_t took) {
  if (took != 0) locality_.direct_took(chunk, took);
  line& l = find(chunk);
  --l.one_sided;
  if (l.revoked) try_revoke(out, chunk, l);
}

bool cache::prefetch(outbox& out, std::uint64_t chunk, const claim& wanted) {
  line& l = find(chunk);
  bool done = true;
  const bool is_wanted = l.wanted == right::none && !includes(l, wanted.what, wanted.op);
  if (is_wanted && !locality_.is_direct(chunk)) done = request(out, chunk, l, wanted);
  drop_if_unused(chunk);
  return done;
}

/// Requests what the thread will want next, if it enters chunks at a constant distance.
void cache::request_ahead(outbox& out, std::uint64_t chunk, thread_record& me,
                          const claim& wanted) {
  const std::uint64_t depth = std::min(limits_.prefetch, limits_.slots / 4);
  const auto next = me.strides.enter(chunk, depth);
  for (std::uint64_t k = 0; k < next.count; ++k) {
    const std::uint64_t ahead = next.first + static_cast<std::uint64_t>(next.distance) * k;
    const bool is_inside = ahead < part_->map.chunks();
    if (is_inside && !part_->is_home_of(ahead) && !prefetch(out, ahead, wanted)) {
      return me.strides.shorten(next.count - k);
    }
  }
}

void cache::pin(thread_record& me, std::uint64_t chunk, right what) {
  line& l = lines_.at(chunk);
  me.pinned.push_back(chunk);
  ++l.pins[index(what)];
  // Its slot is not about to be free any more; the recall will be refused.
  if (std::exchange(l.evicting, false)) --evictions_;
}

void cache::unpin(outbox& out, thread_record& me, std::uint64_t chunk, right what) {
  line& l = find(chunk);
  me.pinned.erase(std::ranges::find(me.pinned, chunk));
  --l.pins[index(what)];
  out.changed |= waits_for_slot();
  if (l.revoked) try_revoke(out, chunk, l);
}

/// Requests what the claim needs, or what the region is accessed by. False as for request.
bool cache::request_for(outbox& out, std::uint64_t chunk, line& l, const claim& wanted) {
  if (!wanted.one_element || !locality_.is_direct(chunk)) return request(out, chunk, l, wanted);
  (void)request(out, chunk, l, {right::direct, nullptr, true});
  request_region(out, chunk);
  return true;
}

/// Requests the chunk's region for direct access, but for chunks of which this rank has something,
/// in the same message.
void cache::request_region(outbox& out, std::uint64_t chunk) {
  if (part_->is_home_of(chunk) || !locality_.enters(chunk)) return;
  const std::uint64_t begin = region_begin(part_->map, chunk);
  const int owner = part_->map.owner_of_chunk(chunk);
  const std::uint64_t end = std::min(begin + region_chunks, part_->map.first_chunk(owner + 1));
  for (std::uint64_t c = begin; c < end; ++c) {
    if (lines_.contains(c)) continue;
    (void)request(out, c, find(c), {right::direct, nullptr, true});
  }
}

/// False if there is no free slot: evictions have begun.
bool cache::request(outbox& out, std::uint64_t chunk, line& l, const claim& wanted) {
  if (!l.is_home && has_elements(wanted.what) && l.slot < 0) {
    l.slot = take_slot(out, chunk);
    if (l.slot < 0) return false;
    l.data = memory_of(l.slot);
  }
  l.wanted = wanted.what;
  l.wanted_op = wanted.op;
  l.may_choose = wanted.one_element && locality_.is_automatic();
  l.wanted_number = ++requests_;
  const std::uint64_t copy = l.has == right::read ? l.number : 0;
  const fabric::address to =
      l.slot < 0 ? fabric::address()
                 : part_->slots.address() + static_cast<std::int64_t>(part_->slot_bytes) * l.slot;
  const fill_report report = l.may_choose ? locality_.take_report(chunk) : fill_report();
  out.wants.push_back({part_->map.owner_of_chunk(chunk), chunk, wanted.what, wanted.op, to,
                       l.wanted_number, copy, l.may_choose, report});
  return true;
}

/// What makes waiting pointless, or nothing.
std::string cache::why_never(const thread_record& me, std::uint64_t chunk, const claim& wanted,
                             bool needs_slot) {
  const bool is_covered = covers(find(chunk), wanted);
  if (!is_covered && me.pins_chunk(chunk)) {
    return fmt::format(
        "cached_array: rank {} accesses chunk {} in a way that its own pin of the chunk does not "
        "allow: pin it for writing, or unpin it first",
        part_->rank, chunk);
  }
  if (needs_slot && is_full_of_pins() && !others_unpin(me)) {
    return fmt::format(
        "cached_array: all {} lines of rank {}'s cache are pinned: unpin some, or make the cache "
        "larger (cached_array_options::cache_bytes, FAR_ARRAY_CACHE)",
        limits_.slots, part_->rank);
  }
  return {};
}

}  // namespace far::cached
