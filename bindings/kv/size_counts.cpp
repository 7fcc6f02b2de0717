#include "bindings/kv/size_counts.hpp"

#include <algorithm>

namespace far::kv {

void size_count::add(const size_count& more) noexcept {
  items += more.items;
  bytes += more.bytes;
  age = std::max(age, more.age);
  evicted += more.evicted;
  evicted_unfetched += more.evicted_unfetched;
  expired += more.expired;
  expired_unfetched += more.expired_unfetched;
  searched += more.searched;
}

slab_sizes::slab_sizes(std::size_t max_item_bytes) noexcept {
  const unsigned last = memcached_slab_class(max_item_bytes, max_item_bytes);
  for (unsigned number = 1; number < slab_classes; ++number) {
    largest_[number] = number < last ? memcached_slab_bytes(number) : max_item_bytes;
  }
}

unsigned slab_sizes::of(std::string_view key, const item_info& item) const noexcept {
  const std::size_t bytes = memcached_item_bytes(key.size(), item.value_bytes, item.flags);
  const auto found = std::lower_bound(largest_.begin() + 1, largest_.end() - 1, bytes);
  return static_cast<unsigned>(found - largest_.begin());
}

size_page count_page(const store_view& items, const slab_sizes& sizes, std::uint64_t cursor) {
  constexpr std::uint64_t items_of_page = 2000;
  constexpr std::uint64_t header_bytes = 24;
  const store_second now = items.now_s();
  size_page page;
  page.next = cursor;
  page.is_last = false;
  std::uint64_t seen = 0;
  while (seen < items_of_page && !page.is_last) {
    const auto next = items.visit_some(page.next, [&](std::string_view key, const item_info& item) {
      size_count& of_class = page.counts[sizes.of(key, item)];
      ++of_class.items;
      of_class.bytes += header_bytes + key.size() + item.value_bytes;
      of_class.age = std::max<std::uint64_t>(of_class.age, now - std::min(now, item.accessed));
      ++seen;
    });
    if (!next) break;
    page.next = *next;
    page.is_last = page.next == 0;
  }
  return page;
}

}  // namespace far::kv
