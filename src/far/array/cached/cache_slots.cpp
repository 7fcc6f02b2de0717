// The cache's memory: slots of one chunk each, and the clock hand that frees them.

#include <algorithm>
#include <utility>
#include <vector>

#include "far/array/cached/cache.hpp"
#include "far/array/cached/part.hpp"
#include "far/fabric/asymmetric_fence.hpp"

namespace far::cached {

std::byte* cache::memory_of(int slot) const noexcept {
  return part_->slot_memory + part_->slot_bytes * static_cast<std::uint64_t>(slot);
}

/// -1 if none is free. Starts evictions below the low watermark.
int cache::take_slot(outbox& out, std::uint64_t chunk) {
  if (free_slots_.empty()) evict_some(out);
  if (free_slots_.empty()) return -1;
  const int slot = free_slots_.back();
  free_slots_.pop_back();
  chunk_of_slot_[static_cast<std::size_t>(slot)] = chunk + 1;
  if (free_slots_.size() * 100 < limits_.slots * limits_.low_percent) evict_some(out);
  return slot;
}

bool cache::waits_for_slot() const noexcept {
  return std::ranges::any_of(
      records_, [](const auto& record) { return record != nullptr && record->waits_for_slot; });
}

void cache::free_slot(int slot) {
  chunk_of_slot_[static_cast<std::size_t>(slot)] = 0;
  free_slots_.push_back(slot);
}

/// Moves the clock hand until enough slots are free, or soon will be. A line that was accessed
/// since the last round is made cold: its next access takes the slow path, which warms it again.
void cache::evict_some(outbox& out) {
  const std::uint64_t wanted =
      std::max<std::uint64_t>(limits_.slots * limits_.high_percent / 100, 1);
  const auto enough = [&] { return free_slots_.size() + evictions_ >= wanted; };
  std::vector<std::uint64_t> victims;
  for (std::size_t steps = 0; steps < 2 * chunk_of_slot_.size(); ++steps) {
    if (enough()) evict(out, victims);  // after which there may be too few
    if (enough()) return;
    const std::uint64_t named = chunk_of_slot_[hand_];
    hand_ = (hand_ + 1) % chunk_of_slot_.size();
    if (named != 0 && choose_victim(named - 1)) victims.push_back(named - 1);
  }
  evict(out, victims);
}

/// Whether the chunk is to be evicted. If so, it is withdrawn, and counted as one that is.
bool cache::choose_victim(std::uint64_t chunk) {
  const auto at = lines_.find(chunk);
  if (at == lines_.end()) return false;  // its slot is about to be free
  line& l = at->second;
  if (l.has == right::none || l.wanted != right::none || l.fresh || l.evicting || l.revoked ||
      l.pinned() > 0) {
    return false;
  }
  withdraw(chunk);
  if (!std::exchange(l.cold, true)) return false;
  l.evicting = true;
  ++evictions_;
  return true;
}

/// Drops copies that are only read, of which the home needs nothing, and asks the homes to recall
/// the other victims. One that a thread accesses or pins stays, and that thread gets a notice, by
/// which it will wake those that wait for a slot. The fence is one for all.
void cache::evict(outbox& out, std::vector<std::uint64_t>& victims) {
  if (victims.empty()) return;
  fabric::heavy_fence(asymmetric_);
  for (const std::uint64_t chunk : victims) {
    line& l = lines_.at(chunk);
    const bool stays = is_named(chunk) && is_accessed(chunk, right::none);
    if (!stays && l.has != right::read) {
      out.wants.push_back({part_->map.owner_of_chunk(chunk), chunk, right::none, nullptr, {}});
      continue;
    }
    l.evicting = false;
    --evictions_;
    l.cold = false;
    if (stays) continue;
    end_watch(chunk, l);
    free_slot(std::exchange(l.slot, -1));
    l.data = nullptr;
    l.has = right::none;
    l.number = 0;
    out.changed |= is_awaited(l);
    drop_if_unused(chunk);
  }
  victims.clear();
}

bool cache::is_full_of_pins() const {
  if (!free_slots_.empty() || limits_.slots == 0) return false;
  return std::ranges::all_of(chunk_of_slot_, [&](std::uint64_t named) {
    const auto at = named == 0 ? lines_.end() : lines_.find(named - 1);
    if (at == lines_.end()) return false;
    return at->second.pinned() > 0 || std::ranges::any_of(records_, [&](const auto& record) {
             return record != nullptr && record->is_pinned(named - 1, right::none);
           });
  });
}

/// Whether another thread pins chunks and may unpin them, because it does not wait for a slot.
bool cache::others_unpin(const thread_record& me) const {
  return std::ranges::any_of(records_, [&](const auto& record) {
    return record != nullptr && record.get() != &me && !record->waits_for_slot &&
           record->has_pins();
  });
}

}  // namespace far::cached
