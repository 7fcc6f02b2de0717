#include "far/store/store_part.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/fabric/reach.hpp"
#include "far/memory/allocate.hpp"

namespace far::stores {

store_part::store_part(const world& world, const store_options& wanted)
    : homes::part(world),
      options(wanted),
      copied(wanted.copies, wanted.copy_bytes != 0
                                ? wanted.copy_bytes
                                : wanted.memory_bytes / static_cast<unsigned>(world.size()) / 8),
      buckets_seen(static_cast<std::size_t>(world.size())),
      work(world.fabric()) {
  if (options.reads == policy::automatic) {
    choices = containers::map_choices::make(world, amo_domain::cpu);
  }
  const auto ranks = static_cast<std::size_t>(world.size());
  constexpr std::uint64_t megabyte = std::uint64_t{1} << 20;
  if (options.max_item_bytes > megabyte) {
    throw bad_argument(
        fmt::format("a store's items are up to 1 MB, not {} bytes", options.max_item_bytes));
  }
  options.max_item_bytes = std::min(options.max_item_bytes, max_item_bytes);
  shape = part_shape::of(options.memory_bytes / ranks, options.max_item_bytes, options.evicts);
  memory = allocate<std::byte>(world, shape.bytes());
  for (int home = 0; home < world.size(); ++home) {
    std::byte* const base = home == world.rank()
                                ? local(world, memory)
                                : fabric::reached(world.atomics(), memory.on(home).address());
    mapped.push_back(base != nullptr ? part_memory(base, shape, &observer) : part_memory());
  }
  mapped[static_cast<std::size_t>(world.rank())].make();
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
