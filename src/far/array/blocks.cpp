#include "far/array/blocks.hpp"

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/base/hash.hpp"
#include "far/team/agreement.hpp"

namespace far::detail {

void throw_index(std::uint64_t index, std::uint64_t size) {
  throw out_of_bounds(fmt::format("element {} of an array of {} elements", index, size));
}

void throw_range(std::uint64_t first, std::uint64_t count, std::uint64_t size) {
  throw out_of_bounds(
      fmt::format("{} elements from element {} on, of an array of {}", count, first, size));
}

std::uint64_t shape_of(std::uint64_t size, std::size_t element_bytes) noexcept {
  return base::hash_combine(size, element_bytes);
}

std::string array_in_words(std::uint64_t size, std::size_t element_bytes) {
  return fmt::format("an array of {} elements of {} bytes", size, element_bytes);
}

void agree_on_shape(const world& world, std::uint64_t fingerprint,
                    base::function_ref<std::string()> what) {
  if (all_agree(world, fingerprint)) return;
  throw bad_argument(
      fmt::format("rank {} makes {}, but other ranks make another one: all ranks must make "
                  "distributed objects in the same order, with the same sizes",
                  world.rank(), what()));
}

void check_places(std::size_t indices, std::size_t places) {
  if (indices == places) return;
  throw bad_argument(
      fmt::format("array::get_many: {} indices, and memory for {} elements", indices, places));
}

}  // namespace far::detail
