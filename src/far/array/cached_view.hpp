#pragma once
// One thread's view of a cached array: all operations on elements.

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "far/array/cached/any_view.hpp"
#include "far/array/cached/batch.hpp"
#include "far/array/cached/element_access.hpp"
#include "far/array/cached/part.hpp"
#include "far/array/cached/pin.hpp"
#include "far/array/cached/thread_access.hpp"
#include "far/array/element_iterator.hpp"
#include "far/array/operators.hpp"
#include "far/array/update.hpp"
#include "far/rma/rma.hpp"
#include "far/world/world.hpp"

namespace far {

/// One thread's view of the elements of a far::cached_array. It does not own the elements, and must
/// not outlive the array. Movable; other threads make their own, by on(world), and the same thread
/// one of the other order, by relaxed().
///
/// Each rank keeps copies of the chunks that its threads access, and the protocol keeps them
/// coherent (docs/cached_array.md). With access_order::sequential, `get`, `put` and `apply` are
/// sequentially consistent, for all threads of all ranks, because each element's accesses are
/// linearizable. With access_order::relaxed, only each element is coherent; synchronization orders
/// the rest (docs/memory_model.md). Elements are read and written whole.
/// Checked by: cached_array_history_test.is_linearizable,
/// cached_array_test.large_elements_are_whole
///
/// Cost: a hit is a few instructions, without a lock or an atomic read-modify-write; elements that
/// are no word of 1, 2, 4 or 8 bytes take a mutex of the rank. A miss is a message to the home and
/// one back; two more to each rank that has a conflicting right. Where the cache is rarely hit, an
/// access of an element of 4 or 8 bytes is one round trip past it (explain() says where).
/// Progress: made while it waits; the service thread answers other ranks meanwhile.
/// Threads: each uses a view of its own.
/// Errors: out_of_bounds with index and size; rank_failed where it waits; bad_argument if the
/// thread's pin forbids the access, or pins of this thread and of others that wait for memory, too,
/// fill the cache, or in a function that another rank has called, which must not wait, if the chunk
/// is not here.
template <remote_object T, access_order Order = access_order::sequential>
  requires(!std::is_const_v<T>)
class cached_view : public cached::any_view {
 public:
  using value_type = T;
  using cached::any_view::any_view;

  /// The same array for another thread of the rank.
  /// Checked by: cached_array_test.threads_share_a_rank
  [[nodiscard]] cached_view on(const far::world& world) const {
    return cached_view(world, access_.shared_part());
  }
  /// The same array for the same thread, whose accesses of different elements are ordered by
  /// synchronization only. There `put` is a plain store.
  /// Checked by: cached_access_test.relaxed_views_see_what_was_synchronized
  [[nodiscard]] cached_view<T, access_order::relaxed> relaxed() const {
    return cached_view<T, access_order::relaxed>(access_);
  }

  /// All elements, as a random access range of values: each dereference is a get. get of a span,
  /// and pins, are faster. Checked by: cached_array_test.elements_are_a_range
  [[nodiscard]] element_iterator<cached_view> begin() const noexcept { return {*this, 0}; }
  [[nodiscard]] element_iterator<cached_view> end() const noexcept { return {*this, size()}; }

  /// Element i. Checked by: cached_array_test.every_rank_sees_every_element
  [[nodiscard, gnu::always_inline]] T get(std::uint64_t i) const {
    if constexpr (cached::is_word<T>) {
      return access_.quick_hit(i, reader{i}, [this, i] { return slow_get(i); });
    } else {
      return slow_get(i);
    }
  }

  /// Writes element i. Checked by: cached_array_test.every_rank_sees_every_element
  [[gnu::always_inline]] void put(std::uint64_t i, const T& value) const {
    if constexpr (cached::is_word<T>) {
      const T copy = value;
      if (!access_.quick_hit(i, writer{i, copy}, [] { return false; })) slow_put(i, copy);
    } else {
      slow_put(i, value);
    }
  }

  /// Replaces element i by op(element, operand), atomically. Ranks that apply the same operator to
  /// a chunk do so at the same time: operands are combined where they are, per thread, and merged
  /// at the home, each exactly once, before the next access of another kind.
  /// Cost: as a hit; a chunk of memory per thread that applies.
  /// Checked by: cached_array_test.operands_are_merged_once
  template <class Op>
    requires combining_operator<Op, T>
  [[gnu::always_inline]] void apply(std::uint64_t i, const T& operand,
                                    [[maybe_unused]] const Op& op) const {
    if constexpr (cached::is_word<T>) {
      const T copy = operand;
      const combiner<Op> combine{i, copy, access_.operand_lines()};
      if (!access_.quick_hit(i, combine, [] { return false; })) slow_apply<Op>(i, copy);
    } else {
      slow_apply<Op>(i, operand);
    }
  }

  /// Fills `to` with the elements from `first` on. Each is read whole, but not all at one time.
  /// Checked by: cached_array_test.ranges_span_parts
  void get(std::uint64_t first, std::span<T> to) const {
    check_range(first, to.size());
    T* next = to.data();
    access_.for_chunks(first, to.size(), cached::right::read, [&](std::byte* data, std::size_t n) {
      cached::copy_elements(next, reinterpret_cast<const T*>(data), n);
      next += n;
    });
  }
  /// Writes `from` to the elements from `first` on. Each is written whole.
  /// Checked by: cached_array_test.ranges_span_parts
  void put(std::uint64_t first, std::span<const T> from) const {
    check_range(first, from.size());
    const T* next = from.data();
    access_.for_chunks(first, from.size(), cached::right::write,
                       [&](std::byte* data, std::size_t n) {
                         cached::copy_elements(reinterpret_cast<T*>(data), next, n);
                         if constexpr (Order == access_order::sequential) fabric::full_fence();
                         next += n;
                       });
  }

  /// The elements at these indices, in their order. Chunks that are missing are requested together,
  /// and elements past the cache are fetched together.
  /// Checked by: cached_array_test.batches_equal_single_accesses
  [[nodiscard]] std::vector<T> get_many(std::span<const std::uint64_t> indices) const {
    request(indices, cached::right::read, nullptr);
    std::vector<base::raw_object<T>> values(indices.size());
    const auto here = [&](std::size_t k) {
      values[k] = std::bit_cast<base::raw_object<T>>(get(indices[k]));
    };
    if constexpr (is_atomic) {
      std::vector<get_part> parts;
      const auto past = [&](std::size_t k) {
        parts.push_back({place(indices[k]).address(), values[k].bytes, sizeof(T)});
      };
      const auto finish = [&] {
        far::get(world(), std::span<const get_part>(parts));
        parts.clear();
      };
      cached::run_batch(access_, indices, here, past, finish);
    } else {
      for (std::size_t k = 0; k < indices.size(); ++k) here(k);
    }
    std::vector<T> result;
    result.reserve(values.size());
    for (const auto& value : values) result.push_back(value.value());
    return result;
  }
  /// apply(indices[k], operands[k], op) for each k; those past the cache are in flight together.
  /// Errors: bad_argument unless there are as many operands as indices.
  /// Checked by: cached_array_test.batches_equal_single_accesses
  template <class Op>
    requires combining_operator<Op, T>
  void apply_many(std::span<const std::uint64_t> indices, std::span<const T> operands,
                  const Op& op) const {
    cached::check_same_size(indices.size(), operands.size());
    request(indices, cached::right::operate, &cached::operation_of<T, Op>);
    const auto here = [&](std::size_t k) { apply(indices[k], operands[k], op); };
    if constexpr (is_atomic) {
      std::vector<future<void>> started;
      const auto past = [&](std::size_t k) {
        const atomic_ref<T> element(world(), place(indices[k]));
        started.push_back(
            detail::start_update(element, operands[k], cached::terminating_operator<Op, T>()));
      };
      const auto finish = [&] {
        for (future<void>& done : started) done.get();
        started.clear();
      };
      cached::run_batch(access_, indices, here, past, finish);
    } else {
      for (std::size_t k = 0; k < indices.size(); ++k) here(k);
    }
  }

  /// The chunk of element i for reading, at the price of plain loads. A pin keeps the chunk's right
  /// at this rank, so unpin before waiting for others. It is no lock: where the ranks share memory,
  /// nothing is cached, and others access the chunk meanwhile.
  /// Checked by: cached_array_test.pins_hold_their_chunk
  [[nodiscard]] read_pin<T> pin_read(std::uint64_t i) const { return {access_, chunk_at(i)}; }
  /// The chunk of element i for reading and writing; else as pin_read.
  /// Checked by: cached_array_test.pins_hold_their_chunk
  [[nodiscard]] write_pin<T> pin_write(std::uint64_t i) const { return {access_, chunk_at(i)}; }
  /// The chunk of element i for one operator: `a.pin_operate<std::plus<>>(i)`. Elements of 1, 2, 4
  /// or 8 bytes.
  /// Checked by: cached_array_test.pins_hold_their_chunk
  template <class Op>
    requires(combining_operator<Op, T> && cached::is_word<T>)
  [[nodiscard]] operate_pin<T, Op> pin_operate(std::uint64_t i) const {
    return {access_, chunk_at(i)};
  }

 private:
  using reader = cached::element_reader<T, Order>;
  using keeper = cached::element_keeper<T, Order>;
  using writer = cached::element_writer<T, Order>;
  template <class Op>
  using combiner = cached::element_combiner<T, Op>;

  // Apart from the hits, so that these are inlined. Values are passed as such: the address of a
  // copy would keep it in memory.
  [[gnu::noinline]] T slow_get(std::uint64_t i) const {
    check(i);
    if constexpr (cached::is_word<T>) {
      base::raw_object<T> value;
      if (access_.careful_hit(i, keeper{{i}, &value})) return value.value();
    }
    const auto at = map().find(i);
    base::raw_object<T> result;
    const auto here = [&](std::byte* data, bool) {
      result = cached::read_element<Order>(element(data, at.offset));
    };
    access_.slow(at.chunk, {cached::right::read, nullptr, is_atomic}, here, [&] {
      if constexpr (is_atomic) {
        result = std::bit_cast<base::raw_object<T>>(far::get(world(), place(i)));
      }
    });
    return result.value();
  }
  [[gnu::noinline]] void slow_put(std::uint64_t i, T value) const {
    check(i);
    if constexpr (cached::is_word<T>) {
      if (access_.careful_hit(i, writer{i, value})) return;
    }
    const auto at = map().find(i);
    const auto here = [&](std::byte* data, bool) {
      cached::write_element<Order>(element(data, at.offset), value);
    };
    access_.slow(at.chunk, {cached::right::write, nullptr, is_atomic}, here, [&] {
      if constexpr (is_atomic) {
        // Not a put, which others' updates need not notice (axiom 4).
        atomic_ref<T>(world(), place(i)).store(value);
        // On a direct fabric the store may still be in flight.
        if constexpr (Order == access_order::sequential) fabric::full_fence();
      }
    });
  }
  template <class Op>
  [[gnu::noinline]] void slow_apply(std::uint64_t i, T operand) const {
    check(i);
    if constexpr (cached::is_word<T>) {
      if (access_.careful_hit(i, combiner<Op>{i, operand, access_.operand_lines()})) return;
    }
    const auto at = map().find(i);
    const auto here = [&](std::byte* data, bool is_value) {
      T* const to = element(data, at.offset);
      if constexpr (cached::is_word<T>) {
        if (is_value) return cached::combine<Op>(to, operand);
      }
      *to = cached::combined<Op>(*to, operand);
    };
    const cached::claim wanted{cached::right::operate, &cached::operation_of<T, Op>, is_atomic};
    access_.slow(at.chunk, wanted, here, [&] {
      if constexpr (is_atomic) {
        (void)detail::atomic_update(atomic_ref<T>(world(), place(i)), operand,
                                    cached::terminating_operator<Op, T>());
      }
    });
  }

  static constexpr bool is_atomic = rma::amo_value<T>;
  /// Element i at its home.
  [[nodiscard]] ptr<T> place(std::uint64_t i) const noexcept {
    return ptr<T>(access_.part().place_of(i).address());
  }
  static T* element(std::byte* data, std::uint64_t offset) noexcept {
    return reinterpret_cast<T*>(data) + offset;
  }
};

}  // namespace far
