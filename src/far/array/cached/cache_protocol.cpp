// The holder's side of the protocol: what grants and recalls do to a line.

#include <algorithm>
#include <cstring>
#include <utility>

#include "far/array/cached/cache.hpp"
#include "far/array/cached/part.hpp"
#include "far/rma/rma.hpp"

namespace far::cached {

void cache::granted(outbox& out, std::uint64_t chunk, right what, std::span<const std::byte> data,
                    std::uint64_t number, std::uint64_t answered, const operation* op) {
  line& l = find(chunk);
  const bool is_answer = l.wanted != right::none && answered == l.wanted_number;
  const bool is_fill = is_answer && l.may_choose && what != right::direct;
  if (is_answer && l.may_choose && !l.is_home) locality_.told(chunk, what == right::direct);
  if (l.data != nullptr && data.size() == part_->bytes_of(chunk)) {
    std::memcpy(l.data, data.data(), data.size());
  }
  l.has = what;
  l.number = number;
  l.op = nullptr;
  if (what == right::operate) l.op = op != nullptr ? op : l.wanted_op;
  if (is_answer || includes(l, l.wanted, l.wanted_op)) l.wanted = right::none;
  l.cold = false;
  if (std::exchange(l.evicting, false)) --evictions_;
  out.changed |= is_awaited(l);
  if (!has_elements(what) && !l.is_home && l.slot >= 0) {  // the copy that was read before
    free_slot(std::exchange(l.slot, -1));
    l.data = nullptr;
  }
  l.fresh = std::ranges::any_of(l.waiting, [&](const claim& c) { return covers(l, c); });
  // Its first access publishes it, so that request_ahead sees where threads go.
  if (is_fill && !l.watched && (l.fresh || !l.is_home) && locality_.watches_fill(chunk)) {
    l.watched = true;
    withdraw(chunk);  // what it had before; accesses under that count, too
  }
  if (l.revoked) try_revoke(out, chunk, l);
}

void cache::refused(outbox& out, std::uint64_t chunk) {
  line& l = find(chunk);
  l.wanted = right::none;
  locality_.told(chunk, false);
  out.changed |= is_awaited(l);
  drop_if_unused(chunk);
}

void cache::recalled(outbox& out, std::uint64_t chunk, const revocation& what) {
  line& l = find(chunk);
  if (what.number != l.number && (l.wanted == right::none || what.number != l.wanted_number)) {
    recall_answer dropped;
    dropped.token = what.token;
    out.answers.push_back(std::move(dropped));
    return drop_if_unused(chunk);
  }
  if (what.eviction && (l.has != what.from || !may_evict(l))) {
    recall_answer refusal;
    refusal.token = what.token;
    refusal.refused = true;
    out.answers.push_back(std::move(refusal));
    if (std::exchange(l.evicting, false)) --evictions_;
    out.changed |= is_awaited(l);
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
  if (l.has != r.from || l.fresh || (!r.by_home && l.number != r.number)) return wait_for();
  withdraw(chunk);
  const int kept_pins = r.keep == right::read ? l.pins[index(right::read)] : 0;
  if (l.pinned() > kept_pins || l.one_sided > 0 || is_accessed(chunk, r.keep)) return wait_for();
  finish(out, chunk, l);
  return true;
}

void cache::finish(outbox& out, std::uint64_t chunk, line& l) {
  const revocation r = *std::exchange(l.revoked, std::nullopt);
  std::erase(revoking_, chunk);
  end_watch(chunk, l);
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
    if (r.keep != right::none) {  // what stays may be dropped before the answer is sent
      answer.own = std::make_unique_for_overwrite<std::byte[]>(bytes);
      answer.data = std::copy_n(l.data, bytes, answer.own.get()) - bytes;
    }
  }
  l.has = r.keep;
  if (l.has == right::none) l.number = 0;
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
  out.changed |= is_awaited(l);
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

// ---- times --------------------------------------------------------------------------------------

/// Learns what an access past the cache takes, before there has been one. (The mutex is not held
/// meanwhile.)
void cache::measure_home(std::unique_lock<std::mutex>& lock, outbox& out, const world& world,
                         std::uint64_t chunk) {
  lock.unlock();
  std::exchange(out, {}).flush(*part_, world.context());
  const ptr<std::uint64_t> there = part_->probe.on(part_->map.owner_of_chunk(chunk));
  std::uint64_t took = fabric::never;
  for (int k = 0; k < 3; ++k) {  // the first may have to connect
    const std::uint64_t began = world.now();
    (void)far::get(world, there);
    took = std::min(took, world.now() - began);
  }
  lock.lock();
  locality_.direct_took(chunk, took);
}

void cache::count_wait(std::uint64_t chunk, line& l, std::uint64_t ns) {
  if (!l.watched) return;
  locality_.fill_took(chunk, ns);
  l.waited_ns += ns;
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

void cache::grant_own(outbox& out, std::uint64_t chunk, right what, const operation* op,
                      std::uint64_t answered) {
  // Not the operator that the line wants now: settle_own_right may have ended the wait for which
  // this right was requested, and the thread may have requested another one.
  granted(out, chunk, what, {}, 0, answered, op);
}

}  // namespace far::cached
