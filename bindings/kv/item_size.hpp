#pragma once
// What memcached would need for an item. It decides which items are too large, so that both refuse
// the same ones, and is what the command me shows.

#include <cstddef>
#include <cstdint>

namespace far::kv {

/// memcached numbers its slab classes from 1 on, below this.
inline constexpr unsigned slab_classes = 64;

/// memcached's header with a CAS unique, the key with a zero byte, the flags if there are any, and
/// the value with its line end.
[[nodiscard]] constexpr std::size_t memcached_item_bytes(std::size_t key, std::size_t value,
                                                         std::uint32_t flags) noexcept {
  return 48 + 8 + key + 1 + (flags != 0 ? sizeof(flags) : 0) + value + 2;
}

/// How many bytes more memcached's item takes than a store's of the same key and value without
/// flags.
inline constexpr std::size_t memcached_item_more = memcached_item_bytes(0, 0, 0) - 24;
/// The bytes of a store's item of the same key and value, if memcached's item has `bytes` and no
/// flags.
[[nodiscard]] constexpr std::size_t store_item_bytes(std::size_t bytes) noexcept {
  return bytes > memcached_item_more ? bytes - memcached_item_more : 0;
}
/// The other way round.
[[nodiscard]] constexpr std::size_t memcached_item_bytes(std::size_t store_bytes) noexcept {
  return store_bytes + memcached_item_more;
}

/// The bytes of the largest item of a slab class but the last, with memcached's default sizes: from
/// 96 on, each 1.25 times the one before.
[[nodiscard]] constexpr std::size_t memcached_slab_bytes(unsigned number) {
  std::size_t size = 96;
  for (; number > 1; --number) {
    size = (static_cast<std::size_t>(static_cast<double>(size) * 1.25) + 7) / 8 * 8;
  }
  return size;
}

/// The slab class of such an item. The last class begins at half of the largest item.
[[nodiscard]] constexpr unsigned memcached_slab_class(std::size_t bytes, std::size_t largest) {
  const double limit = static_cast<double>(largest) / 2 / 1.25;
  unsigned number = 1;
  for (std::size_t size = 96; static_cast<double>(size) < limit; ++number) {
    size = (size + 7) / 8 * 8;
    if (bytes <= size) return number;
    size = static_cast<std::size_t>(static_cast<double>(size) * 1.25);
  }
  return number;
}

}  // namespace far::kv
