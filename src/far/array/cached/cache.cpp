#include "far/array/cached/cache.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "far/array/cached/part.hpp"
#include "far/base/check.hpp"
#include "far/base/error.hpp"
#include "far/fabric/asymmetric_fence.hpp"

namespace far::cached {

cache::cache(part& of, const cache_limits& limits)
    : part_(&of),
      limits_(limits),
      asymmetric_(fabric::has_asymmetric_fence()),
      table_(of.map.chunks()),
      chunk_of_slot_(limits.slots, 0) {
  for (auto slot = static_cast<int>(limits.slots); slot-- > 0;) free_slots_.push_back(slot);
}

std::shared_ptr<thread_record> cache::open_record() {
  auto record = std::make_shared<thread_record>(part_->map.chunks());
  const auto unused = std::ranges::find(records_, nullptr);
  if (unused != records_.end()) {
    *unused = record;
  } else {
    records_.push_back(record);
  }
  return record;
}

void cache::close_record(const std::shared_ptr<thread_record>& record) {
  // Its operand lines stay with their chunks until these are recalled.
  *std::ranges::find(records_, record) = nullptr;
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

bool cache::covers(const line& l, right what, const operation* op) noexcept {
  switch (what) {
    case right::none:
      return true;
    case right::read:
      return l.has == right::read || l.has == right::write;
    case right::write:
      return l.has == right::write;
    case right::operate:
      return l.has == right::write || (l.has == right::operate && l.op == op);
  }
  return false;
}

void cache::publish(std::uint64_t chunk, const line& l) noexcept {
  const right shown = l.revoked ? right::none : l.has;
  table_[chunk].store(chunk_word(l.data, shown).bits(), std::memory_order_release);
}

/// Lets no new access begin without the slow path, not even under a right that is to be kept:
/// otherwise two threads that read without pause could delay a revocation for ever.
void cache::withdraw(std::uint64_t chunk) noexcept {
  table_[chunk].store(0, std::memory_order_relaxed);
  for (const auto& record : records_) {
    if (record != nullptr) record->operands[chunk].data.store(nullptr, std::memory_order_relaxed);
  }
}

/// After withdraw: whether threads may still access the chunk under the old word. Those will see
/// a notice when they leave.
bool cache::is_accessed(std::uint64_t chunk) noexcept {
  const auto names_it = [&](const auto& record) {
    return record != nullptr && record->accessed.load(std::memory_order_acquire) == chunk + 1;
  };
  fabric::heavy_fence(asymmetric_);
  if (std::ranges::none_of(records_, names_it)) return false;
  for (const auto& record : records_) {
    if (names_it(record)) record->notice.store(1, std::memory_order_relaxed);
  }
  // Whoever left before the notices has not seen them.
  fabric::heavy_fence(asymmetric_);
  return std::ranges::any_of(records_, names_it);
}

// ---- threads ------------------------------------------------------------------------------------

std::byte* cache::acquire(std::unique_lock<std::mutex>& lock, outbox& out, const world& view,
                          thread_record& me, std::uint64_t chunk, right what, const operation* op) {
  if (part_->direct) {
    std::byte* const data = part_->direct_memory(chunk);
    table_[chunk].store(chunk_word(data, right::write).bits(), std::memory_order_relaxed);
    return data;
  }
  const fabric::address changes = part_->changes.address();
  me.notice.store(0, std::memory_order_relaxed);
  retry_revocations(out);
  for (bool waited = false;; waited = true) {
    bool needs_slot = false;
    line& l = find(chunk);
    if (covers(l, what, op)) {
      std::byte* data = l.data;
      if (l.has == right::operate) data = operand_line_of(out, chunk, l, me);
      if (waited) l.fresh = false;
      if (data != nullptr) {
        l.cold = false;
        if (!l.revoked && l.has != right::operate) publish(chunk, l);
        return data;
      }
      if (l.revoked) try_revoke(out, chunk, l);  // which may free a slot
      needs_slot = true;
    } else {
      needs_slot = l.wanted == right::none && !request(out, chunk, l, what, op);
    }
    if (const std::string why = why_never(me, chunk, what, op, needs_slot); !why.empty()) {
      lock.unlock();
      out.flush(*part_, view.context());  // answers that others wait for
      throw bad_argument(why);
    }
    const std::uint64_t seen = view.context().peek(changes);
    find(chunk).waiting.push_back({what, op});
    lock.unlock();
    std::exchange(out, {}).flush(*part_, view.context());
    view.context().wait([&] { return view.context().peek(changes) != seen; }, fabric::never,
                        {"a chunk of a cached array", part_->map.owner_of_chunk(chunk), changes});
    lock.lock();
    auto& waiting = find(chunk).waiting;
    waiting.erase(std::ranges::find(waiting, claim{what, op}));
  }
}

std::byte* cache::operand_line_of(outbox& out, std::uint64_t chunk, line& l, thread_record& me) {
  const std::size_t number = number_of(me);
  if (l.operand_slots.size() <= number) l.operand_slots.resize(number + 1, -1);
  int& slot = l.operand_slots[number];
  if (slot < 0) {
    slot = take_slot(out, chunk);
    if (slot < 0) return nullptr;
    l.op->fill_identity(memory_of(slot), part_->map.length_of_chunk(chunk));
  }
  if (!l.revoked) {
    me.operands[chunk].operand_of.store(l.op, std::memory_order_relaxed);
    me.operands[chunk].data.store(memory_of(slot), std::memory_order_release);
  }
  return memory_of(slot);
}

bool cache::is_value(std::uint64_t chunk) {
  return part_->direct || find(chunk).has == right::write;
}

void cache::leave(outbox& out, std::uint64_t chunk) {
  if (part_->direct) return;
  line& l = find(chunk);
  if (l.revoked) try_revoke(out, chunk, l);
}

void cache::answer_notice(outbox& out, thread_record& me) {
  me.notice.store(0, std::memory_order_relaxed);
  retry_revocations(out);
}

void cache::prefetch(outbox& out, std::uint64_t chunk, right what, const operation* op) {
  line& l = find(chunk);
  if (!covers(l, what, op) && l.wanted == right::none) request(out, chunk, l, what, op);
  drop_if_unused(chunk);
}

void cache::unpin(outbox& out, std::uint64_t chunk, right what) {
  line& l = find(chunk);
  --l.pins[index(what)];
  if (l.revoked) try_revoke(out, chunk, l);
}

/// False if there is no free slot: evictions have begun.
bool cache::request(outbox& out, std::uint64_t chunk, line& l, right what, const operation* op) {
  if (!l.is_home && what != right::operate && l.slot < 0) {
    l.slot = take_slot(out, chunk);
    if (l.slot < 0) return false;
    l.data = memory_of(l.slot);
  }
  l.wanted = what;
  l.wanted_op = op;
  const fabric::address place =
      l.slot < 0 ? fabric::address()
                 : part_->slots.address() + static_cast<std::int64_t>(part_->slot_bytes) * l.slot;
  out.wants.push_back({part_->map.owner_of_chunk(chunk), chunk, what, op, place});
  return true;
}

/// What makes waiting pointless, or nothing.
std::string cache::why_never(const thread_record& me, std::uint64_t chunk, right what,
                             const operation* op, bool needs_slot) {
  if (!covers(find(chunk), what, op) && std::ranges::find(me.pinned, chunk) != me.pinned.end()) {
    return fmt::format(
        "cached_array: rank {} accesses chunk {} in a way that its own pin of the chunk does not "
        "allow: pin it for writing, or unpin it first",
        part_->rank, chunk);
  }
  if (needs_slot && is_full_of_pins()) {
    return fmt::format(
        "cached_array: all {} lines of rank {}'s cache are pinned: unpin some, or make the cache "
        "larger (cached_array_options::cache_bytes, FAR_ARRAY_CACHE)",
        limits_.slots, part_->rank);
  }
  return {};
}

// ---- the protocol -------------------------------------------------------------------------------

void cache::granted(outbox& out, std::uint64_t chunk, right what, std::span<const std::byte> data) {
  line& l = find(chunk);
  if (l.data != nullptr && data.size() == part_->bytes_of(chunk)) {
    std::memcpy(l.data, data.data(), data.size());
  }
  l.has = what;
  l.op = what == right::operate ? l.wanted_op : nullptr;
  if (covers(l, l.wanted, l.wanted_op)) l.wanted = right::none;
  l.cold = false;
  if (std::exchange(l.evicting, false)) --evictions_;
  if (what == right::operate && !l.is_home && l.slot >= 0) {  // the copy that was read before
    free_slot(std::exchange(l.slot, -1));
    l.data = nullptr;
  }
  l.fresh = std::ranges::any_of(l.waiting, [&](const claim& c) { return covers(l, c.what, c.op); });
  if (!l.revoked && what != right::operate) publish(chunk, l);
  if (l.revoked) try_revoke(out, chunk, l);
  out.changed = true;
}

void cache::recalled(outbox& out, std::uint64_t chunk, const revocation& what) {
  line& l = find(chunk);
  if (what.eviction && (l.has != what.from || !may_evict(l))) {
    recall_answer refusal;
    refusal.token = what.token;
    refusal.refused = true;
    out.answers.push_back(std::move(refusal));
    if (std::exchange(l.evicting, false)) --evictions_;
    out.changed = true;
    return drop_if_unused(chunk);
  }
  l.revoked = what;
  try_revoke(out, chunk, l);
}

/// True when the revocation is over.
bool cache::try_revoke(outbox& out, std::uint64_t chunk, line& l) {
  const revocation& r = *l.revoked;
  const auto wait_for = [&] {
    if (std::ranges::find(revoking_, chunk) == revoking_.end()) revoking_.push_back(chunk);
    return false;
  };
  if (l.has != r.from || l.fresh) return wait_for();
  withdraw(chunk);
  const int kept_pins = r.keep == right::read ? l.pins[index(right::read)] : 0;
  if (l.pinned() > kept_pins || is_accessed(chunk)) return wait_for();
  finish(out, chunk, l);
  return true;
}

void cache::finish(outbox& out, std::uint64_t chunk, line& l) {
  const revocation r = *std::exchange(l.revoked, std::nullopt);
  std::erase(revoking_, chunk);
  recall_answer answer;
  answer.token = r.token;
  const std::size_t bytes = part_->bytes_of(chunk);
  if (l.has == right::operate) {
    if (r.by_home) {
      merge_operands(l, part_->home_memory(chunk));
    } else {
      answer.own = std::make_unique_for_overwrite<std::byte[]>(bytes);
      l.op->fill_identity(answer.own.get(), part_->map.length_of_chunk(chunk));
      merge_operands(l, answer.own.get());
      answer.data = answer.own.get();
      answer.bytes = bytes;
    }
  } else if (l.has == right::write && !r.by_home) {
    answer.data = l.data;
    answer.bytes = bytes;
  }
  l.has = r.keep;
  l.op = nullptr;
  if (std::exchange(l.evicting, false)) --evictions_;
  if (l.has == right::none && !l.is_home && l.wanted == right::none && l.slot >= 0) {
    answer.freed_slot = std::exchange(l.slot, -1);
    l.data = nullptr;
  }
  publish(chunk, l);
  if (r.by_home) {
    out.revoked_at_home.push_back(chunk);
  } else {
    out.answers.push_back(std::move(answer));
  }
  out.changed = true;
  drop_if_unused(chunk);
}

/// Merges the operands of all threads, and frees their lines.
void cache::merge_operands(line& l, std::byte* into) {
  for (int& slot : l.operand_slots) {
    if (slot < 0) continue;
    const std::uint64_t chunk = chunk_of_slot_[static_cast<std::size_t>(slot)] - 1;
    l.op->merge(into, memory_of(slot), part_->map.length_of_chunk(chunk));
    free_slot(std::exchange(slot, -1));
  }
}

void cache::retry_revocations(outbox& out) {
  const std::vector<std::uint64_t> chunks = revoking_;
  for (const std::uint64_t chunk : chunks) {
    line& l = find(chunk);
    if (l.revoked) try_revoke(out, chunk, l);
  }
}

void cache::drop_if_unused(std::uint64_t chunk) {
  const auto at = lines_.find(chunk);
  const line& l = at->second;
  if (!l.is_home && l.has == right::none && l.wanted == right::none && l.waiting.empty() &&
      !l.revoked && l.slot < 0) {
    lines_.erase(at);
  }
}

// ---- the home's own rights ----------------------------------------------------------------------

bool cache::may_evict_own(std::uint64_t chunk) {
  line& l = find(chunk);
  if (may_evict(l)) return true;
  if (std::exchange(l.evicting, false)) --evictions_;
  return false;
}

claim cache::own_claim(std::uint64_t chunk) {
  const line& l = find(chunk);
  return {l.has, l.op};
}

bool cache::revoke_own(outbox& out, std::uint64_t chunk, right from, right keep) {
  line& l = find(chunk);
  l.revoked = revocation{from, keep, true, {}};
  if (!try_revoke(out, chunk, l)) return false;
  std::erase(out.revoked_at_home, chunk);
  return true;
}

void cache::grant_own(outbox& out, std::uint64_t chunk, right what) {
  granted(out, chunk, what, {});
}

}  // namespace far::cached
