#include "far/store/store_part.hpp"

#include <algorithm>
#include <cstddef>
#include <mutex>

#include "far/base/relax.hpp"
#include "far/fabric/reach.hpp"
#include "far/memory/allocate.hpp"
#include "far/store/part_items.hpp"
#include "far/store/part_lock.hpp"

namespace far::stores {

store_part::store_part(const world& world, const store_options& wanted)
    : homes::part(world), options(wanted), work(world.fabric()) {
  const auto ranks = static_cast<std::size_t>(world.size());
  options.max_item_bytes = std::min(options.max_item_bytes, max_item_bytes);
  shape = part_shape::of(options.memory_bytes / ranks, options.max_item_bytes, options.evicts);
  memory = allocate<std::byte>(world, shape.bytes());
  for (int home = 0; home < world.size(); ++home) {
    std::byte* const base = home == world.rank()
                                ? local(world, memory)
                                : fabric::reached(world.atomics(), memory.on(home).address());
    mapped.push_back(base != nullptr ? part_memory(base, shape) : part_memory());
  }
  mapped[static_cast<std::size_t>(world.rank())].make();
}

store_reply execute_at(const world& world, const store_part& of, int home,
                       const store_request& asked) {
  const part_memory& part = *of.mapped_part(home);
  const part_lock lock(world.fabric(), part.state().lock);
  const std::ptrdiff_t line = offsetof(part_state, line);
  lock.lock(world, ptr<std::uint64_t>((of.memory.on(home) + line).address()));
  const std::lock_guard guard(lock, std::adopt_lock);
  return part_items(part, of.options.max_item_bytes, second_of(world.fabric())).execute(asked);
}

std::optional<store_reply> try_execute(const fabric::fabric& rank, const store_part& of,
                                       const store_request& asked) {
  constexpr int looks = 100;
  const part_memory& part = *of.mapped_part(rank.rank());
  const part_lock lock(rank, part.state().lock);
  for (int look = 0; !lock.try_lock(); ++look) {
    if (look == looks) return std::nullopt;
    base::relax();
  }
  const std::lock_guard guard(lock, std::adopt_lock);
  return part_items(part, of.options.max_item_bytes, second_of(rank)).execute(asked);
}

store_counts counts_of(const part_memory& part) {
  const part_state& state = part.state();
  store_counts counts;
  static_cast<part_counts&>(counts) = state.counts;
  counts.items = state.items;
  counts.item_bytes = state.item_bytes;
  counts.memory_bytes = part.shape().bytes();
  counts.index_bytes = (state.buckets + state.overflow_buckets) * sizeof(bucket);
  return counts;
}

}  // namespace far::stores
