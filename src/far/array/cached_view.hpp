#pragma once
// One thread's view of a cached array: all operations on elements.

#include <atomic>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "far/array/blocks.hpp"
#include "far/array/cached/part.hpp"
#include "far/array/cached/pin.hpp"
#include "far/array/cached/thread_access.hpp"
#include "far/array/element_mutex.hpp"
#include "far/array/operators.hpp"
#include "far/world/world.hpp"

namespace far {

/// One thread's view of the elements of a far::cached_array. It does not own the elements, and must
/// not outlive the array. Movable; other threads make their own, by on(world).
///
/// Each rank keeps copies of the chunks that its threads access, and the protocol keeps them
/// coherent (docs/cached_array.md): `get`, `set` and `apply` are sequentially consistent, for all
/// threads of all ranks, because each element's accesses are linearizable. Elements are read and
/// written whole.
/// Checked by: cached_array_history_test.is_linearizable,
/// cached_array_test.large_elements_are_whole
///
/// Cost: a hit is a few instructions, without a lock or an atomic read-modify-write; elements that
/// are no word of 1, 2, 4 or 8 bytes take a mutex of the rank. A miss is a message to the home and
/// one back; two more to each rank that has a conflicting right.
/// Progress: made while it waits; the service thread answers other ranks meanwhile.
/// Threads: each uses a view of its own.
/// Errors: out_of_bounds with index and size; rank_failed where it waits; bad_argument if pins fill
/// the cache, or forbid the access.
template <remote_object T>
  requires(!std::is_const_v<T>)
class cached_view {
 public:
  using value_type = T;

  cached_view(const world& view, std::shared_ptr<cached::part> part)
      : map_(part->map), access_(view, std::move(part)) {}

  /// The same array for another thread of the rank.
  /// Checked by: cached_array_test.threads_share_a_rank
  [[nodiscard]] cached_view on(const world& view) const {
    return cached_view(view, access_.shared_part());
  }
  [[nodiscard]] const world& view() const noexcept { return access_.view(); }

  [[nodiscard]] std::uint64_t size() const noexcept { return map().size(); }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  /// The number of elements in a chunk, the unit of caching.
  [[nodiscard]] std::uint64_t chunk_size() const noexcept { return map().chunk_size(); }
  /// The rank that holds element i, its home.
  [[nodiscard]] int owner(std::uint64_t i) const {
    check(i);
    return map().owner(i);
  }
  /// The global indices of this rank's part: [local_begin, local_end).
  [[nodiscard]] std::uint64_t local_begin() const noexcept { return map().begin(view().rank()); }
  [[nodiscard]] std::uint64_t local_end() const noexcept { return map().end(view().rank()); }
  [[nodiscard]] auto local_indices() const { return std::views::iota(local_begin(), local_end()); }

  /// Element i. Checked by: cached_array_test.every_rank_sees_every_element
  [[nodiscard, gnu::always_inline]] T get(std::uint64_t i) const {
    check(i);
    const auto at = map_.find(i);
    if constexpr (cached::is_word<T>) {
      using bits = cached::bits_of<T>;
      const auto read = [offset = at.offset](cached::chunk_word word) {
        if (!word.can_read()) return cached::hit_result<bits>{};
        const T value = cached::load(element(word.data(), offset));
        return cached::hit_result<bits>{true, std::bit_cast<bits>(value)};
      };
      const auto hit = access_.hit(at.chunk, read);
      if (hit.done) [[likely]]
        return std::bit_cast<T>(hit.value);
    }
    return slow_get(i);
  }

  /// Sets element i. Checked by: cached_array_test.every_rank_sees_every_element
  [[gnu::always_inline]] void set(std::uint64_t i, const T& value) const {
    check(i);
    const auto at = map_.find(i);
    if constexpr (cached::is_word<T>) {
      const auto store = [offset = at.offset, value](cached::chunk_word word) {
        if (!word.can_write()) return cached::hit_result<>{};
        cached::store(element(word.data(), offset), value);
        return cached::hit_result<>{true};
      };
      if (access_.hit(at.chunk, store).done) [[likely]]
        return;
    }
    slow_set(i, value);
  }

  /// Replaces element i by op(element, operand), atomically. Ranks that apply the same operator to
  /// a chunk do so at the same time: operands are combined where they are, per thread, and merged
  /// at the home, each exactly once, before the next access of another kind.
  /// Cost: as a hit; a chunk of memory per thread that applies.
  /// Checked by: cached_array_test.operands_are_merged_once
  template <class Op>
    requires combining_operator<Op, T>
  void apply(std::uint64_t i, [[maybe_unused]] const Op& op, const T& operand) const {
    check(i);
    const auto at = map_.find(i);
    if constexpr (cached::is_word<T>) {
      const auto combine = [chunk = at.chunk, offset = at.offset, operand,
                            lines = access_.operand_lines()](cached::chunk_word word) {
        if (word.can_write()) {
          cached::combine<Op>(element(word.data(), offset), operand);
          return cached::hit_result<>{true};
        }
        std::byte* const line = lines[chunk].of(&cached::operation_of<T, Op>);
        if (line == nullptr) return cached::hit_result<>{};
        T& sum = *element(line, offset);
        sum = Op{}(sum, operand);
        return cached::hit_result<>{true};
      };
      if (access_.hit(at.chunk, combine).done) [[likely]]
        return;
    }
    slow_apply<Op>(i, operand);
  }

  /// Fills `to` with the elements from `first` on. Each is read whole, but not all at one time.
  /// Checked by: cached_array_test.ranges_span_parts
  void get(std::uint64_t first, std::span<T> to) const {
    for_chunks(first, to.size(), cached::right::read,
               [&](std::uint64_t chunk, std::uint64_t offset, std::size_t done, std::size_t n) {
                 access_.slow(chunk, cached::right::read, nullptr, [&](std::byte* data, bool) {
                   copy(to.data() + done, element(data, offset), n);
                 });
               });
  }
  /// Writes `from` to the elements from `first` on. Each is written whole.
  /// Checked by: cached_array_test.ranges_span_parts
  void put(std::uint64_t first, std::span<const T> from) const {
    for_chunks(first, from.size(), cached::right::write,
               [&](std::uint64_t chunk, std::uint64_t offset, std::size_t done, std::size_t n) {
                 access_.slow(chunk, cached::right::write, nullptr, [&](std::byte* data, bool) {
                   copy(element(data, offset), from.data() + done, n);
                 });
               });
  }

  /// The elements at these indices, in their order. Chunks that are missing are requested together.
  /// Checked by: cached_array_test.batches_equal_single_accesses
  [[nodiscard]] std::vector<T> get_many(std::span<const std::uint64_t> indices) const {
    request(indices, cached::right::read, nullptr);
    std::vector<T> result;
    result.reserve(indices.size());
    for (const std::uint64_t i : indices) result.push_back(get(i));
    return result;
  }
  /// apply(indices[k], op, operands[k]) for each k.
  /// Errors: bad_argument unless there are as many operands as indices.
  /// Checked by: cached_array_test.batches_equal_single_accesses
  template <class Op>
    requires combining_operator<Op, T>
  void apply_many(std::span<const std::uint64_t> indices, const Op& op,
                  std::span<const T> operands) const {
    cached::check_same_size(indices.size(), operands.size());
    request(indices, cached::right::operate, &cached::operation_of<T, Op>);
    for (std::size_t k = 0; k < indices.size(); ++k) apply(indices[k], op, operands[k]);
  }

  /// Requests the chunks of `count` elements for reading, without waiting. A hint: it stops where
  /// the cache has no room.
  void prefetch(std::uint64_t first, std::uint64_t count) const {
    map_check(first, count);
    if (count == 0) return;
    access_.prefetch(map().find(first).chunk, map().find(first + count - 1).chunk + 1,
                     cached::right::read, nullptr);
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

  /// The lock of element i: Lockable and SharedLockable. It is apart from the element's accesses:
  /// only those who use it are excluded.
  /// Cost: a message to the home and one back; unlocking sends one.
  /// Checked by: cached_array_test.locks_exclude
  [[nodiscard]] element_mutex lock_of(std::uint64_t i) const {
    return element_mutex(view(), access_.part().id, owner(i), i);
  }

 protected:
  [[nodiscard]] const cached::thread_access& access() const noexcept { return access_; }

 private:
  [[nodiscard]] const detail::chunk_map& map() const noexcept { return map_; }
  // Apart from the hits, so that these are inlined.
  [[gnu::noinline]] T slow_get(std::uint64_t i) const {
    const auto at = map_.find(i);
    base::raw_object<T> result;
    access_.slow(at.chunk, cached::right::read, nullptr, [&](std::byte* data, bool) {
      if constexpr (cached::is_word<T>) {
        result = std::bit_cast<base::raw_object<T>>(cached::load(element(data, at.offset)));
      } else {
        std::memcpy(&result, element(data, at.offset), sizeof(T));
      }
    });
    return result.value();
  }
  [[gnu::noinline]] void slow_set(std::uint64_t i, const T& value) const {
    const auto at = map_.find(i);
    access_.slow(at.chunk, cached::right::write, nullptr, [&](std::byte* data, bool) {
      if constexpr (cached::is_word<T>) {
        cached::store(element(data, at.offset), value);
      } else {
        std::memcpy(element(data, at.offset), &value, sizeof(T));
      }
    });
  }
  template <class Op>
  [[gnu::noinline]] void slow_apply(std::uint64_t i, const T& operand) const {
    const auto at = map_.find(i);
    const auto combine = [&](std::byte* data, bool is_value) {
      T* const to = element(data, at.offset);
      if constexpr (cached::is_word<T>) {
        if (is_value) return cached::combine<Op>(to, operand);
      }
      *to = Op{}(*to, operand);
    };
    access_.slow(at.chunk, cached::right::operate, &cached::operation_of<T, Op>, combine);
  }

  void check(std::uint64_t i) const {
    if (i >= size()) [[unlikely]]
      detail::throw_index(i, size());
  }
  void map_check(std::uint64_t first, std::uint64_t count) const {
    if (count > size() || first > size() - count) [[unlikely]]
      detail::throw_range(first, count, size());
  }
  [[nodiscard]] std::uint64_t chunk_of(std::uint64_t i) const {
    check(i);
    return map().find(i).chunk;
  }
  [[nodiscard]] cached::chunk_range chunk_at(std::uint64_t i) const {
    const std::uint64_t chunk = chunk_of(i);
    return {chunk, map().begin_of_chunk(chunk), map().length_of_chunk(chunk)};
  }
  static T* element(std::byte* data, std::uint64_t offset) noexcept {
    return reinterpret_cast<T*>(data) + offset;
  }
  /// Other threads of the rank may access the elements at the same time.
  static void copy(T* to, const T* from, std::size_t n) noexcept {
    if constexpr (cached::is_word<T>) {
      for (std::size_t i = 0; i < n; ++i) cached::store(to + i, cached::load(from + i));
    } else {
      std::memcpy(to, from, n * sizeof(T));
    }
  }

  template <class F>
  void for_chunks(std::uint64_t first, std::uint64_t count, cached::right what, F f) const {
    map_check(first, count);
    std::uint64_t asked = 0;  // chunks before it have been requested
    for (std::uint64_t done = 0; done < count;) {
      const auto at = map().find(first + done);
      if (at.chunk >= asked) {
        const std::uint64_t last = map().find(first + count - 1).chunk + 1;
        asked = access_.prefetch(at.chunk, last, what, nullptr);
      }
      const std::uint64_t n = std::min(count - done, map().length_of_chunk(at.chunk) - at.offset);
      f(at.chunk, at.offset, static_cast<std::size_t>(done), static_cast<std::size_t>(n));
      done += n;
    }
  }
  void request(std::span<const std::uint64_t> indices, cached::right what,
               const cached::operation* op) const {
    std::vector<std::uint64_t> chunks;
    for (const std::uint64_t i : indices) chunks.push_back(chunk_of(i));
    access_.prefetch(std::move(chunks), what, op);
  }

  detail::chunk_map map_;
  cached::thread_access access_;
};

}  // namespace far
