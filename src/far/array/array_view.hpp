#pragma once
// One thread's view of a distributed array: all operations on elements.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "far/array/blocks.hpp"
#include "far/array/element_iterator.hpp"
#include "far/array/update.hpp"
#include "far/memory/memory.hpp"
#include "far/rma/rma.hpp"
#include "far/world/world.hpp"

namespace far {

/// One thread's view of the elements of a far::array. Cheap to copy. It does not own the elements,
/// and must not outlive the array.
///
/// Rank r holds elements [r B, min((r + 1) B, n)), B = ceil(n / ranks). Transfers and atomics are
/// those of layer rma, with their completion, ordering and cost. The owner and the place of an
/// element are computed, without a message.
/// Threads: each uses a view of its own, made by on(world).
/// Errors: out_of_bounds with index and size, before anything moves; rank_failed where it waits.
template <remote_object T>
  requires(!std::is_const_v<T>)
class array_view {
 public:
  using value_type = T;

  array_view(const far::world& world, ptr<T> own_part, detail::blocks blocks) noexcept
      : world_(world),
        base_(own_part),
        blocks_(blocks),
        first_(own_part.on(0).bits()),
        to_next_rank_(ptr<T>().on(1).bits() - blocks.block() * sizeof(T)) {}

  /// The same array for another thread's view of the same rank.
  /// Checked by: array_test.threads_have_views_of_their_own
  [[nodiscard]] array_view on(const far::world& world) const noexcept {
    return array_view(world, base_, blocks_);
  }
  [[nodiscard]] const far::world& world() const noexcept { return world_; }

  [[nodiscard]] std::uint64_t size() const noexcept { return blocks_.size(); }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }

  /// All elements, as a random access range of values: each dereference is a get. get of a span,
  /// and local(), are faster. Checked by: array_test.elements_are_a_range
  [[nodiscard]] element_iterator<array_view> begin() const noexcept { return {*this, 0}; }
  [[nodiscard]] element_iterator<array_view> end() const noexcept { return {*this, size()}; }

  /// The rank that holds element i.
  /// Checked by: array_test.elements_are_where_the_formula_says
  [[nodiscard]] int owner(std::uint64_t i) const {
    blocks_.check(i);
    return blocks_.find(i).rank;
  }
  /// The index of element i within its owner's part.
  /// Checked by: array_test.elements_are_where_the_formula_says
  [[nodiscard]] std::uint64_t local_offset(std::uint64_t i) const {
    blocks_.check(i);
    return blocks_.find(i).offset;
  }
  /// The global pointer to element i.
  /// Checked by: array_test.elements_are_where_the_formula_says
  [[nodiscard]] ptr<T> place(std::uint64_t i) const {
    blocks_.check(i);
    // A part begins where the one before would go on, but for the bits of the rank.
    return ptr<T>::from_bits(first_ + blocks_.rank_of(i) * to_next_rank_ + i * sizeof(T));
  }

  /// This rank's part, for plain loads and stores while no other rank touches it
  /// (docs/memory_model.md, axiom 12).
  /// Checked by: array_test.local_parts_are_ranges
  [[nodiscard]] std::span<T> local() const {
    if (empty()) return {};
    return local_span(world_, base_, local_end() - local_begin());
  }
  /// The global indices of this rank's part: [local_begin, local_end).
  [[nodiscard]] std::uint64_t local_begin() const noexcept { return blocks_.begin(world_.rank()); }
  [[nodiscard]] std::uint64_t local_end() const noexcept { return blocks_.end(world_.rank()); }
  /// The global indices of this rank's part, as a range.
  /// Checked by: array_test.local_parts_are_ranges
  [[nodiscard]] auto local_indices() const { return std::views::iota(local_begin(), local_end()); }
  /// A range of (global index, reference to the element) over this rank's part:
  /// `for (auto [i, x] : a.local_items())`.
  /// Checked by: array_test.local_parts_are_ranges
  [[nodiscard]] auto local_items() const {
    return local_indices() |
           std::views::transform([data = local().data(), first = local_begin()](std::uint64_t i) {
             return std::pair<std::uint64_t, T&>(i, data[i - first]);
           });
  }

  /// Element i. Checked by: array_test.elements_go_everywhere
  [[nodiscard]] T get(std::uint64_t i) const { return far::get(world_, place(i)); }
  /// Checked by: array_test.elements_go_everywhere
  void put(std::uint64_t i, const T& value) const { far::put(world_, place(i), value); }
  /// Checked by: array_test.async_elements_and_ranges
  [[nodiscard]] future<T> get_async(std::uint64_t i) const {
    return far::get_async(world_, place(i));
  }
  /// Checked by: array_test.async_elements_and_ranges
  [[nodiscard]] future<void> put_async(std::uint64_t i, const T& value) const {
    return far::put_async(world_, place(i), value);
  }

  /// Element i as far::atomic_ref<T>. Elements of 4 and 8 bytes.
  /// Checked by: array_test.updates_are_atomic
  [[nodiscard]] auto ref(std::uint64_t i) const
    requires rma::amo_value<T>
  {
    return atomic_ref<T>(world_, place(i));
  }
  /// Atomically replaces element i by op(element, value), and returns the old value. std::plus,
  /// std::minus, std::bit_and, bit_or, bit_xor, far::minimum and far::maximum are one atomic
  /// operation where the fabric has it; any other op is a loop of compare-exchange.
  /// Checked by: array_test.updates_are_atomic
  template <class Op>
    requires rma::amo_value<T> && std::is_invocable_r_v<T, const Op&, T, T>
  T fetch_update(std::uint64_t i, const T& value, const Op& op) const {
    return detail::atomic_update(ref(i), value, op);
  }

  /// Fills `to` with the elements from `first` on, which may be on several ranks.
  /// Checked by: array_test.ranges_span_blocks
  void get(std::uint64_t first, std::span<T> to) const {
    far::get(world_, std::span<const get_part>(parts<get_part>(first, to)));
  }
  /// Element indices[k] to to[k], for each k, in any order; indices may repeat.
  /// Cost: as far::get of a list, in pieces: the elements of a piece are in flight together.
  /// Errors: bad_argument unless there is a place for each index.
  /// Checked by: array_limits_test.gets_elements_of_all_ranks
  void get_many(std::span<const std::uint64_t> indices, std::span<T> to) const {
    detail::check_places(indices.size(), to.size());
    for (const std::uint64_t i : indices) blocks_.check(i);
    constexpr std::size_t piece = 1024;
    std::vector<get_part> list;
    list.reserve(std::min(piece, indices.size()));
    for (std::size_t done = 0; done < indices.size(); done += list.size()) {
      list.clear();
      for (std::size_t k = done; k < indices.size() && list.size() < piece; ++k) {
        list.push_back({place(indices[k]).address(), &to[k], sizeof(T)});
      }
      far::get(world_, std::span<const get_part>(list));
    }
  }
  /// The same, into a vector.
  /// Checked by: array_limits_test.gets_elements_of_all_ranks
  [[nodiscard]] std::vector<T> get_many(std::span<const std::uint64_t> indices) const
    requires std::default_initializable<T>
  {
    std::vector<T> result(indices.size());
    get_many(indices, std::span<T>(result));
    return result;
  }
  /// Writes `from` to the elements from `first` on.
  /// Checked by: array_test.ranges_span_blocks
  void put(std::uint64_t first, std::span<const T> from) const {
    far::put(world_, std::span<const put_part>(parts<put_part>(first, from)));
  }
  /// Checked by: array_test.async_elements_and_ranges
  [[nodiscard]] future<void> get_async(std::uint64_t first, std::span<T> to) const {
    return far::get_async(world_, std::span<const get_part>(parts<get_part>(first, to)));
  }
  /// Checked by: array_test.async_elements_and_ranges
  [[nodiscard]] future<void> put_async(std::uint64_t first, std::span<const T> from) const {
    return far::put_async(world_, std::span<const put_part>(parts<put_part>(first, from)));
  }

 protected:
  [[nodiscard]] ptr<T> base() const noexcept { return base_; }

 private:
  /// The transfer list: one part for each block.
  template <class Part, class U>
  [[nodiscard]] std::vector<Part> parts(std::uint64_t first, std::span<U> buffer) const {
    blocks_.check(first, buffer.size());
    std::vector<Part> result;
    while (!buffer.empty()) {
      const auto found = blocks_.find(first);
      const std::size_t n = std::min<std::uint64_t>(buffer.size(), blocks_.block() - found.offset);
      const ptr<T> there = base_.on(found.rank) + static_cast<std::int64_t>(found.offset);
      result.push_back({there.address(), buffer.data(), n * sizeof(T)});
      buffer = buffer.subspan(n);
      first += n;
    }
    return result;
  }

  far::world world_;
  ptr<T> base_;  // this rank's part; null if the array was moved away
  detail::blocks blocks_;
  // For place(): the bits of the first element, and from a rank's part on to the next one's.
  std::uint64_t first_;
  std::uint64_t to_next_rank_;
};

}  // namespace far
