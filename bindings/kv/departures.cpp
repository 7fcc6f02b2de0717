#include "bindings/kv/departures.hpp"

#include <new>

#include "bindings/kv/output.hpp"
#include "bindings/kv/watch_lines.hpp"

namespace far::kv {

thread_local bool departures::is_on_ = false;

void departures::leaves(departure why, std::string_view key, const item_info& item) noexcept try {
  const auto count = [](std::atomic<std::uint64_t>& number) {
    number.fetch_add(1, std::memory_order_relaxed);
  };
  counts& of_class = counts_[sizes_.of(key, item)];
  if (why == departure::expired) {
    count(of_class.expired);
    if (!item.was_fetched) count(of_class.expired_unfetched);
    if (is_on_) count(of_class.searched);
    return;
  }
  count(of_class.evicted);
  if (!item.was_fetched) count(of_class.evicted_unfetched);
  if (!log_.wants(events::evictions)) return;
  output line;
  write_eviction(key, item, now_(), max_item_bytes_, line);
  log_.add(events::evictions, line.text());
} catch (const std::bad_alloc&) {
  log_.drop();
}

void departures::add_to(size_table& sums) const noexcept {
  for (std::size_t i = 0; i < slab_classes; ++i) {
    const counts& of_class = counts_[i];
    sums[i].add({.evicted = of_class.evicted,
                 .evicted_unfetched = of_class.evicted_unfetched,
                 .expired = of_class.expired,
                 .expired_unfetched = of_class.expired_unfetched,
                 .searched = of_class.searched});
  }
}

void departures::reset() noexcept {
  for (counts& of_class : counts_) {
    of_class.evicted = of_class.evicted_unfetched = 0;
    of_class.expired = of_class.expired_unfetched = of_class.searched = 0;
  }
}

}  // namespace far::kv
