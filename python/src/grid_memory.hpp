#pragma once
// The memory of an N-dimensional array whose element type and number of dimensions are known when
// the program runs: an array of bytes, of as many dimensions as there can be. The last dimension
// holds an element's bytes, those before it that are not used have one index.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "session.hpp"

namespace far::python {

/// Elements with indices first, first + step, ... in each dimension; `count` of them.
struct stepped_section {
  nd_index<max_section_dimensions> first{}, count{}, step{};
};

/// Elements that are adjacent in the last dimension of the array, as many at each of these places.
struct runs {
  std::span<const std::int64_t> starts;  ///< an index of the array after the other
  std::uint64_t length = 0;
};

class grid_memory final : public structure {
 public:
  static constexpr std::size_t all_dimensions = max_section_dimensions;
  static constexpr std::size_t max_dimensions = all_dimensions - 1;
  using index = nd_index<all_dimensions>;
  using array = nd_array<std::byte, all_dimensions>;
  using place = strided_ptr<std::byte, all_dimensions>;
  using memory = strided_span<const std::byte, all_dimensions>;

  /// Collective. The options are those of the dimensions in use. Errors: bad_argument,
  /// out_of_memory.
  grid_memory(const far::world& world, std::span<const std::uint64_t> extents,
              std::uint64_t item_bytes, nd_array_options<all_dimensions> how);

  [[nodiscard]] std::size_t dimensions() const noexcept { return dimensions_; }
  [[nodiscard]] const index& extents() const noexcept { return array_.extents(); }
  [[nodiscard]] std::uint64_t item_bytes() const noexcept { return extents()[max_dimensions]; }
  [[nodiscard]] const array& whole() const noexcept { return array_; }
  struct position {
    int rank;
    std::uint64_t offset;  ///< in bytes, in that rank's memory
    std::uint64_t count;   ///< of elements from here on that are adjacent in the last dimension
  };
  /// Where an element is. The index has been checked.
  template <class Index>
  [[nodiscard]] position locate(const Index* i) const noexcept;
  [[nodiscard]] ptr<std::byte> at(const position& where) const noexcept {
    return base_.on(where.rank) + static_cast<std::int64_t>(where.offset);
  }

  /// The elements of a section, which has been checked.
  void read(const far::world& world, const stepped_section& of, std::byte* to) const;
  void write(const far::world& world, const stepped_section& of, const std::byte* from) const;
  template <accumulable T>
  void accumulate(const far::world& world, const stepped_section& of, T factor,
                  const T* values) const;

  /// The elements of runs, which have been checked.
  void read(const far::world& world, const runs& of, std::byte* to) const;
  /// Where runs overlap, one of the values is left.
  void write(const far::world& world, const runs& of, const std::byte* from) const;
  template <accumulable T>
  void accumulate(const far::world& world, const runs& of, T factor, const T* values) const;

 private:
  /// Calls f(elements there, elements here) for what each rank has of a section; `here` is dense.
  template <class Byte, class F>
  void for_each_part(const stepped_section& of, Byte* here, F f) const;
  /// Calls f(place, number of elements) for runs, cut where blocks end.
  template <class F>
  void for_each_piece(const runs& of, F f) const;

  /// Bounds of blocks in one dimension.
  struct cut {
    std::vector<std::uint64_t> begins;  ///< of each block, and the end of the last
    std::uint64_t ghosts = 0;
  };

  std::size_t dimensions_;
  array array_;
  std::vector<cut> cuts_;
  ptr<std::byte> base_;  ///< of rank 0's memory; null in an array without elements
};

template <class Index>
grid_memory::position grid_memory::locate(const Index* i) const noexcept {
  std::uint64_t rank = 0, offset = 0, left = 0;
  for (std::size_t k = 0; k < dimensions_; ++k) {
    const auto at = static_cast<std::uint64_t>(i[k]);
    const std::vector<std::uint64_t>& begins = cuts_[k].begins;
    // The last block that does not begin behind it, so one that is not empty.
    const auto after = std::upper_bound(begins.begin(), begins.end() - 1, at);
    const auto b = static_cast<std::size_t>(after - begins.begin()) - 1;
    rank = rank * (begins.size() - 1) + b;
    const std::uint64_t extent = begins[b + 1] - begins[b];
    offset = offset * (extent + 2 * cuts_[k].ghosts) + at - begins[b] + cuts_[k].ghosts;
    left = begins[b + 1] - at;
  }
  return {static_cast<int>(rank), offset * item_bytes(), left};
}

/// The same section in elements instead of bytes.
template <class T, class Pointer>
[[nodiscard]] strided<Pointer, grid_memory::all_dimensions> in_elements(
    Pointer first, const auto& bytes) noexcept {
  strided<Pointer, grid_memory::all_dimensions> result{first, bytes.extents, bytes.strides};
  for (std::int64_t& stride : result.strides) stride /= std::int64_t{sizeof(T)};
  result.extents.back() = 1;
  result.strides.back() = 1;
  return result;
}

template <class Byte, class F>
void grid_memory::for_each_part(const stepped_section& of, Byte* here, F f) const {
  const auto dense_here = dense(here, of.count);
  section<all_dimensions> hull{of.first, {}};
  for (std::size_t k = 0; k < all_dimensions; ++k) {
    hull.extents[k] = (of.count[k] - 1) * of.step[k] + 1;
  }
  for (const auto& [rank, part] : array_.owners(hull)) {
    index first = part.begin;
    index inside{}, count{};
    bool is_empty = false;
    for (std::size_t k = 0; k < all_dimensions; ++k) {
      inside[k] = (part.begin[k] - of.first[k] + of.step[k] - 1) / of.step[k];
      first[k] = of.first[k] + inside[k] * of.step[k];
      const std::uint64_t end = part.begin[k] + part.extents[k];
      is_empty = is_empty || first[k] >= end;
      count[k] = is_empty ? 0 : (end - first[k] + of.step[k] - 1) / of.step[k];
    }
    if (is_empty) continue;
    const auto stored = array_.grid().stored_extents(array_.block(rank));
    place there = dense(array_.place(first), stored);
    there.extents = count;
    for (std::size_t k = 0; k < all_dimensions; ++k) {
      there.strides[k] *= static_cast<std::int64_t>(of.step[k]);
    }
    f(there, section_of(dense_here, inside, count));
  }
}

template <class F>
void grid_memory::for_each_piece(const runs& of, F f) const {
  std::vector<std::int64_t> next(dimensions_);
  for (std::size_t r = 0; r < of.starts.size(); r += dimensions_) {
    std::copy_n(of.starts.begin() + static_cast<std::ptrdiff_t>(r), dimensions_, next.begin());
    for (std::uint64_t left = of.length; left > 0;) {
      const position there = locate(next.data());
      const std::uint64_t n = std::min(left, there.count);
      f(at(there), n);
      next.back() += static_cast<std::int64_t>(n);
      left -= n;
    }
  }
}

template <accumulable T>
void grid_memory::accumulate(const far::world& world, const stepped_section& of, T factor,
                             const T* values) const {
  transfer_group pending(world);
  for_each_part(of, reinterpret_cast<const std::byte*>(values),
                [&](const place& there, const memory& here) {
                  pending.accumulate(in_elements<T>(ptr<T>(there.first.address()), there), factor,
                                     in_elements<T>(reinterpret_cast<const T*>(here.first), here));
                });
  pending.wait();
}

template <accumulable T>
void grid_memory::accumulate(const far::world& world, const runs& of, T factor,
                             const T* values) const {
  std::vector<remote_segment<T>> there;
  for_each_piece(of, [&](ptr<std::byte> first, std::uint64_t n) {
    there.push_back({ptr<T>(first.address()), n});
  });
  const std::span<const T> here(values, of.starts.size() / dimensions_ * of.length);
  far::accumulate(world, there, factor, std::array{here});
}

}  // namespace far::python
