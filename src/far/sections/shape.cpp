#include "far/sections/shape.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "far/base/error.hpp"

namespace far::sections {
namespace {

constexpr std::uint64_t max_bytes = std::uint64_t{1} << 62;

std::string in_words(std::span<const std::uint64_t> extents) {
  return fmt::format("{}", fmt::join(extents, " x "));
}

/// a * b + c, or nothing beyond 2^62.
bool add_product(std::uint64_t& sum, std::uint64_t a, std::uint64_t b) noexcept {
  std::uint64_t product = 0;
  return !__builtin_mul_overflow(a, b, &product) && !__builtin_add_overflow(sum, product, &sum) &&
         sum <= max_bytes;
}

bool spans_fit(const shape& of) noexcept {
  std::uint64_t there = of.row_bytes;
  std::uint64_t here = of.row_bytes;
  std::uint64_t bytes = of.row_bytes;
  for (std::uint32_t k = 0; k < of.depth; ++k) {
    const dimension& d = of.dimensions[k];
    if (d.count == 0 || !add_product(there, d.count - 1, d.there) ||
        !add_product(here, d.count - 1, d.here) || !add_product(bytes, d.count - 1, bytes)) {
      return false;
    }
  }
  return of.row_bytes <= max_bytes;
}

[[noreturn]] void refuse(const description& from, const std::string& why) {
  throw bad_argument(fmt::format("{} of a section of {} elements of {} bytes: {}", from.what,
                                 in_words(from.extents_there), from.element_bytes, why));
}

std::uint64_t stride_of(const description& from, const char* side,
                        std::span<const std::int64_t> strides, std::size_t k) {
  if (strides[k] < 0) {
    refuse(from, fmt::format("the {} stride of dimension {} is {}; strides cannot be negative: "
                             "describe the section from its other end",
                             side, k, strides[k]));
  }
  std::uint64_t bytes = 0;
  if (!add_product(bytes, static_cast<std::uint64_t>(strides[k]), from.element_bytes)) {
    refuse(from, fmt::format("the {} stride of dimension {} is {} elements, which is beyond any "
                             "memory: check how it was computed",
                             side, k, strides[k]));
  }
  return bytes;
}

/// Sorts the few dimensions of a shape, those that `comes_before` finds equal in their order.
template <class Before>
void sort_dimensions(shape& of, Before comes_before) {
  for (std::uint32_t k = 1; k < of.depth; ++k) {
    for (std::uint32_t j = k; j > 0 && comes_before(of.dimensions[j], of.dimensions[j - 1]); --j) {
      std::swap(of.dimensions[j], of.dimensions[j - 1]);
    }
  }
}

/// Whether two elements coincide, found by listing all of them. Only for strides that interleave.
bool any_coincide(const shape& of, std::uint64_t dimension::*stride) {
  std::vector<std::uint64_t> offsets{0};
  for (std::uint32_t k = 0; k < of.depth; ++k) {
    const std::size_t before = offsets.size();
    offsets.reserve(before * of.dimensions[k].count);
    for (std::uint64_t i = 1; i < of.dimensions[k].count; ++i) {
      for (std::size_t j = 0; j < before; ++j) {
        offsets.push_back(offsets[j] + i * (of.dimensions[k].*stride));
      }
    }
  }
  std::sort(offsets.begin(), offsets.end());
  return std::adjacent_find(offsets.begin(), offsets.end()) != offsets.end();
}

/// `of` has one element in a row.
void check_apart(const description& from, const shape& of) {
  constexpr std::uint64_t max_listed = std::uint64_t{1} << 24;
  const bool is_there = from.target == written::there;
  std::uint64_t dimension::*const stride = is_there ? &dimension::there : &dimension::here;
  shape sorted = of;
  sort_dimensions(sorted,
                  [&](const dimension& a, const dimension& b) { return a.*stride < b.*stride; });
  std::uint64_t reach = of.row_bytes;
  bool is_nested = true;
  for (std::uint32_t k = 0; k < of.depth; ++k) {
    is_nested &= sorted.dimensions[k].*stride >= reach;
    reach += (sorted.dimensions[k].count - 1) * (sorted.dimensions[k].*stride);
  }
  if (is_nested) return;
  const char* const side = is_there ? "remote" : "local";
  if (reach < of.bytes() || (of.rows() <= max_listed && any_coincide(of, stride))) {
    refuse(from,
           fmt::format("{} strides of {} elements make elements of the {} side overlap, which "
                       "is written: write each element once",
                       side, fmt::join(is_there ? from.strides_there : from.strides_here, ", "),
                       side));
  }
  if (of.rows() > max_listed) {
    refuse(from,
           fmt::format("the dimensions of the {} side, which is written, interleave: for more "
                       "than {} elements this is not supported; transfer it in parts",
                       side, max_listed));
  }
}

void merge(shape& of) {
  while (of.depth > 0) {
    const dimension& inner = of.dimensions[of.depth - 1];
    if (inner.there != of.row_bytes || inner.here != of.row_bytes) break;
    of.row_bytes *= inner.count;
    --of.depth;
  }
  std::uint32_t kept = 0;
  for (std::uint32_t k = 1; k < of.depth; ++k) {
    dimension& outer = of.dimensions[kept];
    const dimension inner = of.dimensions[k];
    if (outer.there == inner.there * inner.count && outer.here == inner.here * inner.count) {
      outer = {outer.count * inner.count, inner.there, inner.here};
    } else {
      of.dimensions[++kept] = inner;
    }
  }
  if (of.depth > 0) of.depth = kept + 1;
  std::fill(of.dimensions.begin() + of.depth, of.dimensions.end(), dimension{});
}

shape one_side(const shape& both, std::uint64_t dimension::*stride) {
  shape side = both;
  std::uint64_t position = both.row_bytes;
  for (std::uint32_t k = both.depth; k-- > 0; position *= both.dimensions[k].count) {
    side.dimensions[k] = {both.dimensions[k].count, both.dimensions[k].*stride, position};
  }
  merge(side);
  return side;
}

}  // namespace

shape shape_of(const description& from) {
  if (!std::ranges::equal(from.extents_there, from.extents_here)) {
    refuse(from, fmt::format("the local side has {} elements: give both sides the same extents",
                             in_words(from.extents_here)));
  }
  shape result;
  if (std::ranges::find(from.extents_there, 0u) != from.extents_there.end()) return result;
  result.row_bytes = from.element_bytes;
  for (std::size_t k = 0; k < from.extents_there.size(); ++k) {
    if (from.extents_there[k] == 1) continue;
    result.dimensions[result.depth++] = {from.extents_there[k],
                                         stride_of(from, "remote", from.strides_there, k),
                                         stride_of(from, "local", from.strides_here, k)};
  }
  if (!spans_fit(result)) {
    refuse(from, "it spans more than 2^62 bytes: check the extents and strides");
  }
  check_apart(from, result);
  sort_dimensions(result, [](const dimension& a, const dimension& b) { return a.there > b.there; });
  merge(result);
  return result;
}

shape side_there(const shape& both) { return one_side(both, &dimension::there); }
shape side_here(const shape& both) { return one_side(both, &dimension::here); }

bool is_sound(const shape& arrived) noexcept {
  return arrived.depth <= max_section_dimensions && arrived.row_bytes > 0 && spans_fit(arrived);
}

}  // namespace far::sections
