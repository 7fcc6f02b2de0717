#pragma once
// One thread's view of a distributed N-dimensional array: all operations on elements and sections.

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "far/array/nd/block_grid.hpp"
#include "far/array/nd/section.hpp"
#include "far/memory/memory.hpp"
#include "far/rma/rma.hpp"
#include "far/sections/sections.hpp"
#include "far/world/world.hpp"

namespace far {

/// A part of an array, and the rank that holds it.
template <std::size_t N>
struct owned_section {
  int rank;
  section<N> part;

  friend bool operator==(const owned_section&, const owned_section&) = default;
};

/// T or const T.
template <class U, class T>
concept element_of = std::same_as<std::remove_const_t<U>, T>;

/// One thread's view of the elements of a far::nd_array. Cheap to copy. It does not own the
/// elements, and must not outlive the array.
///
/// Each rank holds one block, row-major (the last index varies fastest), with ghost cells around
/// it. Who holds what is computed, without a message. Transfers of sections are those of the layer
/// `sections`, one for each rank that holds a part, all in flight together; those of elements are
/// those of layer rma. Completion, ordering, progress and cost are theirs.
/// Threads: each uses a view of its own, made by on(world).
/// Errors: out_of_bounds with the section and the extents, and bad_argument for memory of another
/// shape, before anything moves; rank_failed where it waits.
template <remote_object T, std::size_t N>
  requires(!std::is_const_v<T>)
class nd_array_view {
 public:
  using value_type = T;
  using index = nd_index<N>;

  nd_array_view(const far::world& world, ptr<T> own_block,
                std::shared_ptr<const detail::block_grid<N>> grid) noexcept
      : world_(world), base_(own_block), grid_(std::move(grid)) {}

  /// The same array for another thread's view of the same rank.
  [[nodiscard]] nd_array_view on(const far::world& world) const noexcept {
    return nd_array_view(world, base_, grid_);
  }
  [[nodiscard]] const far::world& world() const noexcept { return world_; }

  [[nodiscard]] const std::array<std::uint64_t, N>& extents() const noexcept {
    return grid_->extents();
  }
  [[nodiscard]] std::uint64_t size() const noexcept { return all().size(); }
  [[nodiscard]] bool empty() const noexcept { return all().empty(); }
  /// The section of all elements.
  [[nodiscard]] section<N> all() const noexcept { return grid_->all(); }

  // ---- distribution ----

  [[nodiscard]] const detail::block_grid<N>& grid() const noexcept { return *grid_; }
  /// The elements that a rank holds; empty if none.
  [[nodiscard]] section<N> block(int rank) const { return grid_->block(rank); }
  [[nodiscard]] section<N> own_block() const { return grid_->block(world_.rank()); }
  /// Checked by: nd_array_test.owners_and_places
  [[nodiscard]] int owner(const index& i) const {
    grid_->check("nd_array::owner", i);
    return grid_->owner(i);
  }
  /// The parts of a section that ranks hold, in the order of ranks.
  /// Checked by: nd_array_test.owners_and_places
  [[nodiscard]] std::vector<owned_section<N>> owners(const section<N>& of) const {
    grid_->check("nd_array::owners", of);
    std::vector<owned_section<N>> result;
    grid_->for_each_part(of, [&](int rank, const section<N>& part) {
      result.push_back({rank, part});
    });
    return result;
  }
  /// Checked by: nd_array_test.owners_and_places
  [[nodiscard]] ptr<T> place(const index& i) const {
    grid_->check("nd_array::place", i);
    return place_of(i);
  }

  /// This rank's block, for plain loads and stores while no other rank touches it
  /// (docs/memory_model.md, axiom 12). Also a range of its elements, the last index fastest.
  /// Checked by: nd_array_test.local_parts_are_sections, nd_array_test.local_parts_are_ranges
  [[nodiscard]] strided_span<T, N> local() const {
    const section<N> own = own_block();
    return section_of(local_with_ghosts(), own.empty() ? index{} : grid_->ghosts(), own.extents);
  }
  /// The same with the ghost cells around it.
  /// Checked by: nd_ghosts_test.sections_around_blocks
  [[nodiscard]] strided_span<T, N> local_with_ghosts() const {
    const section<N> own = own_block();
    if (own.empty()) return dense<T*, N>(nullptr, own.extents);
    const auto stored = grid_->stored_extents(own);
    return dense(local_span(world_, base_, section<N>{{}, stored}.size()).data(), stored);
  }

  // ---- elements ----

  [[nodiscard]] T get(const index& i) const { return far::get(world_, place(i)); }
  void put(const index& i, const T& value) const { far::put(world_, place(i), value); }
  [[nodiscard]] future<T> get_async(const index& i) const {
    return far::get_async(world_, place(i));
  }
  [[nodiscard]] future<void> put_async(const index& i, const T& value) const {
    return far::put_async(world_, place(i), value);
  }
  /// Element i as far::atomic_ref<T>. Elements of 4 and 8 bytes.
  /// Checked by: nd_array_test.elements
  [[nodiscard]] auto ref(const index& i) const
    requires rma::amo_value<T>
  {
    return atomic_ref<T>(world_, place(i));
  }

  /// Reads elements in any order, of any ranks: values[j] = a[at[j]].
  /// Checked by: nd_array_test.lists_of_elements
  void get_many(std::span<const index> at, std::span<T> values) const {
    const auto segments = segments_of("nd_array::get_many", at, values.size());
    far::get(world_, segments, std::array{values});
  }
  /// Writes elements in any order, of any ranks: a[at[j]] = values[j]. Of several values for one
  /// element, any is left.
  /// Checked by: nd_array_test.lists_of_elements
  void put_many(std::span<const index> at, std::span<const T> values) const {
    const auto segments = segments_of("nd_array::put_many", at, values.size());
    far::put(world_, segments, std::array{values});
  }
  /// Adds factor * values[j] to a[at[j]]; each element of `at` counts, also if it is there twice.
  /// Checked by: nd_array_test.lists_of_elements
  void accumulate_many(std::span<const index> at, const T& factor, std::span<const T> values) const
    requires accumulable<T>
  {
    const auto segments = segments_of("nd_array::accumulate_many", at, values.size());
    far::accumulate(world_, segments, factor, std::array{values});
  }

  // ---- sections ----

  /// Reads a section into memory of the same extents.
  /// Checked by: nd_array_test.random_sections
  void get(const section<N>& of, const strided_span<T, N>& to) const {
    const auto at_once = [&](const auto& there) { far::get(world_, there, to); };
    if (!at_one_rank("nd_array::get", of, to, at_once)) get_async(of, to).get();
  }
  [[nodiscard]] future<void> get_async(const section<N>& of, const strided_span<T, N>& to) const {
    return parts("nd_array::get", of, to, [&](const auto& there, const auto& here) {
      return far::get_async(world_, there, here);
    });
  }
  /// Writes memory of the same extents to a section.
  /// Checked by: nd_array_test.random_sections
  template <element_of<T> U>
  void put(const section<N>& of, const strided_span<U, N>& from) const {
    const auto at_once = [&](const auto& there) { far::put(world_, there, from); };
    if (!at_one_rank("nd_array::put", of, from, at_once)) put_async(of, from).get();
  }
  template <element_of<T> U>
  [[nodiscard]] future<void> put_async(const section<N>& of, const strided_span<U, N>& from) const {
    return parts("nd_array::put", of, from, [&](const auto& there, const auto& here) {
      return far::put_async(world_, there, here);
    });
  }
  /// Adds factor * x to a section, each element atomically with respect to other accumulates.
  /// Checked by: nd_array_test.accumulates_of_all_ranks
  template <element_of<T> U>
    requires accumulable<T>
  void accumulate(const section<N>& of, const T& factor, const strided_span<U, N>& x) const {
    const auto at_once = [&](const auto& there) { far::accumulate(world_, there, factor, x); };
    if (!at_one_rank("nd_array::accumulate", of, x, at_once)) {
      accumulate_async(of, factor, x).get();
    }
  }
  template <element_of<T> U>
    requires accumulable<T>
  [[nodiscard]] future<void> accumulate_async(const section<N>& of, const T& factor,
                                              const strided_span<U, N>& x) const {
    return parts("nd_array::accumulate", of, x, [&](const auto& there, const auto& here) {
      return far::accumulate_async(world_, there, factor, here);
    });
  }

  // Memory that is densely packed, row-major.

  void get(const section<N>& of, std::span<T> to) const {
    get(of, packed("nd_array::get", of, to));
  }
  void put(const section<N>& of, std::span<const T> from) const {
    put(of, packed("nd_array::put", of, from));
  }
  void accumulate(const section<N>& of, const T& factor, std::span<const T> x) const
    requires accumulable<T>
  {
    accumulate(of, factor, packed("nd_array::accumulate", of, x));
  }

 protected:
  [[nodiscard]] ptr<T> base() const noexcept { return base_; }

 private:
  /// The elements of a part of one rank's block, in that rank's memory.
  [[nodiscard]] strided_ptr<T, N> elements_of(int rank, const section<N>& part) const {
    const section<N> block = grid_->block(rank);
    index inside{};
    for (std::size_t k = 0; k < N; ++k) {
      inside[k] = part.begin[k] - block.begin[k] + grid_->ghosts()[k];
    }
    return section_of(dense(base_.on(rank), grid_->stored_extents(block)), inside, part.extents);
  }
  [[nodiscard]] ptr<T> place_of(const index& i) const {
    section<N> one{i, {}};
    one.extents.fill(1);
    return elements_of(grid_->owner(i), one).first;
  }

  template <class U>
  void check(const char* what, const section<N>& of, const strided<U*, N>& memory) const {
    grid_->check(what, of);
    if (memory.extents != of.extents) detail::throw_buffer(what, of.extents, memory.extents);
  }

  /// If one rank has all of a section, which is the most frequent case: calls transfer(its
  /// elements), without futures. Else false.
  template <class U, class Transfer>
  [[nodiscard]] bool at_one_rank(const char* what, const section<N>& of,
                                 const strided<U*, N>& memory, Transfer transfer) const {
    check(what, of, memory);
    if (of.empty()) return true;
    const int rank = grid_->owner(of.begin);
    if (intersection(of, grid_->block(rank)) != of) return false;
    transfer(elements_of(rank, of));
    return true;
  }

  /// Starts a transfer for each rank's part of a section.
  template <class U, class Transfer>
  [[nodiscard]] future<void> parts(const char* what, const section<N>& of,
                                   const strided<U*, N>& memory, Transfer transfer) const {
    check(what, of, memory);
    std::vector<future<void>> started;
    grid_->for_each_part(of, [&](int rank, const section<N>& part) {
      index inside{};
      for (std::size_t k = 0; k < N; ++k) inside[k] = part.begin[k] - of.begin[k];
      started.push_back(
          transfer(elements_of(rank, part), section_of(memory, inside, part.extents)));
    });
    if (started.size() == 1) return std::move(started.front());
    return when_all(world_, std::move(started));
  }

  template <class U>
  [[nodiscard]] static strided<U*, N> packed(const char* what, const section<N>& of,
                                             std::span<U> memory) {
    if (memory.size() != of.size()) {
      detail::throw_buffer(what, of.extents, std::array<std::uint64_t, 1>{memory.size()});
    }
    return dense(memory.data(), of.extents);
  }

  [[nodiscard]] std::vector<remote_segment<T>> segments_of(const char* what,
                                                           std::span<const index> at,
                                                           std::size_t values) const {
    if (at.size() != values) {
      detail::throw_buffer(what, std::array<std::uint64_t, 1>{at.size()},
                           std::array<std::uint64_t, 1>{values});
    }
    std::vector<remote_segment<T>> result;
    result.reserve(at.size());
    for (const index& i : at) {
      grid_->check(what, i);
      result.push_back({place_of(i), 1});
    }
    return result;
  }

  far::world world_;
  ptr<T> base_;
  std::shared_ptr<const detail::block_grid<N>> grid_;
};

}  // namespace far
