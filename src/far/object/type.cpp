#include "far/object/type.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/base/hash.hpp"
#include "far/object/heap/region.hpp"

namespace far::objects {

type_descriptor::type_descriptor(std::string_view name, std::size_t size, std::size_t alignment,
                                 std::vector<cell> cells)
    : name_(name), size_(static_cast<std::uint32_t>(size)), cells_(std::move(cells)) {
  if (size == 0 || size > max_region_bytes || alignment > granule) {
    throw bad_argument(fmt::format(
        "object type {}: {} bytes aligned to {}, want 1 to {} bytes, aligned to at most {}",
        readable_name(), size, alignment, max_region_bytes, granule));
  }
  std::ranges::sort(cells_, {}, &cell::offset);
  std::uint64_t hash = base::hash_bytes(name.data(), name.size());
  std::size_t end = 0;
  for (const cell& c : cells_) {
    const bool is_word = c.width == 1 || c.width == 2 || c.width == 4 || c.width == 8;
    if (!is_word || c.offset % c.width != 0 || c.offset < end || c.offset + c.width > size) {
      throw bad_argument(fmt::format(
          "object type {}: the field of {} bytes at offset {} is no aligned word, or overlaps "
          "another one",
          readable_name(), c.width, c.offset));
    }
    end = c.offset + c.width;
    hash = base::hash_combine(hash, (std::uint64_t{c.offset} << 8) | c.width);
  }
  hash = base::hash_combine(hash, size);
  id_ = static_cast<std::uint32_t>(hash ^ (hash >> 32)) | 1;  // 0: no object
}

bool type_descriptor::is_zero(const std::byte* object) const noexcept {
  return std::ranges::all_of(cells_, [object](const cell& c) {
    return std::all_of(object + c.offset, object + c.offset + c.width,
                       [](std::byte b) { return b == std::byte{0}; });
  });
}

}  // namespace far::objects
