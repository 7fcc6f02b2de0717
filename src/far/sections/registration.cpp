#include "far/sections/registration.hpp"

#include <algorithm>
#include <iterator>

namespace far {

registration_counts registrations(const world& world) {
  return sections::registered_memory::of(world).counts();
}

namespace sections {
namespace {

constexpr std::uintptr_t block_bytes = 64 << 10;
/// So that a lookup stays short, and pinned memory bounded: beyond this, all are forgotten.
constexpr std::size_t max_regions = 1024;

std::uintptr_t number_of(const std::byte* place) { return reinterpret_cast<std::uintptr_t>(place); }

/// Calls use(begin, end) for the contiguous parts of the plan's local memory; a section is one.
template <class Use>
void for_each_part(const plan& what, Use use) {
  if (!what.is_list()) {
    const std::uintptr_t begin = number_of(what.here());
    return use(begin, begin + what.form().span_here());
  }
  for (const piece& p : what.pieces()) use(number_of(p.here), number_of(p.here) + p.bytes);
}

}  // namespace

registered_memory::registered_memory(rank_state& state)
    : fabric_(&state.fabric()),
      region_ps_(fabric_->work_cost_ps("registration")),
      kilobyte_ps_(fabric_->work_cost_ps("registered_kilobyte")) {}

registered_memory::region registered_memory::region_of(std::uintptr_t place) const {
  const auto* const memory = reinterpret_cast<const std::byte*>(place);
  if (const fabric::address a = fabric_->address_of(memory)) {
    const std::uintptr_t begin = place - a.offset();
    return {{begin, begin + fabric_->layout().bytes[static_cast<std::size_t>(a.segment())]}, true};
  }
  const auto behind = regions_.upper_bound(place);
  if (behind == regions_.begin()) return {};
  const auto found = std::prev(behind);
  return place < found->second ? region{{found->first, found->second}, false} : region{};
}

/// What no region holds whole, in blocks. Needs the lock.
registered_memory::need registered_memory::need_of(const plan& what) const {
  need result;
  region last;  // neighbours are mostly in one region
  for_each_part(what, [&](std::uintptr_t begin, std::uintptr_t end) {
    if (begin < last.begin || begin >= last.end) last = region_of(begin);
    result.is_allocated &= last.is_segment;
    if (begin >= last.begin && end <= last.end) return;
    const range blocks{begin / block_bytes * block_bytes,
                       (end + block_bytes - 1) / block_bytes * block_bytes};
    last = {blocks, false};
    result.missing.push_back(blocks);
  });
  return result;
}

std::uint64_t registered_memory::cost_ps(const need& of) const noexcept {
  std::uint64_t sum = 0;
  for (const range& r : of.missing) sum += region_ps_ + (r.end - r.begin) / 1024 * kilobyte_ps_;
  return sum;
}

double registered_memory::missing_ns(const plan& what) const {
  if (region_ps_ == 0) return 0;
  const std::scoped_lock locked(lock_);
  return static_cast<double>(cost_ps(need_of(what))) / 1000;
}

/// Joins it with the regions that it touches.
void registered_memory::add(range added) {
  auto [begin, end] = added;
  auto next = regions_.lower_bound(begin);
  if (next != regions_.begin() && std::prev(next)->second >= begin) --next;
  while (next != regions_.end() && next->first <= end) {
    begin = std::min(begin, next->first);
    end = std::max(end, next->second);
    counts_.bytes -= next->second - next->first;
    next = regions_.erase(next);
  }
  if (regions_.size() == max_regions) {
    regions_.clear();
    counts_.bytes = 0;
  }
  regions_.emplace(begin, end);
  counts_.bytes += end - begin;
}

void registered_memory::meet(const world& world, const plan& what) {
  std::uint64_t cost = 0;
  {
    const std::scoped_lock locked(lock_);
    const need needs = need_of(what);
    if (needs.missing.empty()) {
      ++(needs.is_allocated ? counts_.allocated : counts_.known);
      return;
    }
    ++counts_.registering;
    cost = cost_ps(needs);
    for (const range& r : needs.missing) add(r);
  }
  if (cost != 0) world.context().charge(cost);
}

void registered_memory::meet_by_copy() {
  const std::scoped_lock locked(lock_);
  ++counts_.copied;
}

registration_counts registered_memory::counts() const {
  const std::scoped_lock locked(lock_);
  registration_counts result = counts_;
  result.regions = regions_.size();
  return result;
}

}  // namespace sections
}  // namespace far
