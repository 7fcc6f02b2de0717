#pragma once
// Put and get that return when they are complete. docs/memory_model.md defines completion, and the
// order in which other ranks see operations.

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "far/base/raw_object.hpp"
#include "far/memory/ptr.hpp"
#include "far/rma/direct.hpp"
#include "far/rma/signal.hpp"
#include "far/world/world.hpp"

namespace far {

/// The elements of transfer lists.
using put_part = fabric::put_part;
using get_part = fabric::get_part;

namespace rma {

// Slow paths, for accesses that are not one instruction. They take what they need by value, so that
// the caller's copies stay in registers.
template <class T>
[[gnu::noinline]] void put_slowly(rank_state& state, fabric::context& context, ptr<T> to, T value);
template <class T>
[[nodiscard, gnu::noinline]] T get_slowly(rank_state& state, fabric::context& context,
                                          fabric::address from);

void put_bytes(const world& world, fabric::address to, const void* from, std::size_t bytes);
void get_bytes(const world& world, fabric::address from, void* to, std::size_t bytes);
void check_signal(std::span<const put_part> parts, const signal& after);
void put_signalled(const world& world, std::span<const put_part> parts, const signal& after);
void copy_bytes(const world& world, fabric::address from, fabric::address to, std::uint64_t bytes);

}  // namespace rma

/// Writes one object to where `to` points, on any rank.
///
/// Completion: remote: the value is visible to every later read. On a direct fabric the store may
/// still be in flight, and a later read of another place by this thread may overtake it unless a
/// flush is in between (axiom 6).
/// Ordering: except for that, blocking transfers and atomics of one thread are seen in its program
/// order (axiom 5). Threads: any, each with its own view. Cost: objects of 1, 2, 4 and 8 bytes,
/// aligned to their size, move whole; a direct fabric takes one store for them, and a few for
/// objects of up to 64 bytes. Else L + G bytes, and the way back.
/// Errors: out_of_bounds, on the inline path in debug builds only; rank_failed where it waits.
/// Checked by: transfer_test.words_reach_every_rank
template <remote_object T>
  requires(!std::is_const_v<T>)
inline void put(const world& world, ptr<T> to, const std::type_identity_t<T>& value) {
  if constexpr (rma::is_word<T>) {
    if (std::byte* const place = rma::direct_word(world, to)) [[likely]] {
      rma::store_word(place, value);
    } else {
      rma::put_slowly<T>(world.state(), world.unchecked_context(), to, value);
    }
  } else if constexpr (rma::is_small<T>) {
    if (std::byte* const place = rma::direct_object(world, to)) [[likely]] {
      rma::store_small(place, value);
    } else {
      rma::put_bytes(world, to.address(), &value, sizeof(T));
    }
  } else {
    rma::put_bytes(world, to.address(), &value, sizeof(T));
  }
}

/// Reads one object from where `from` points, on any rank. Otherwise as put.
/// Checked by: transfer_test.words_reach_every_rank
template <remote_object T>
[[nodiscard]] inline std::remove_const_t<T> get(const world& world, ptr<T> from) {
  using object = std::remove_const_t<T>;
  if constexpr (rma::is_word<T>) {
    if (const std::byte* const place = rma::direct_word(world, from)) [[likely]] {
      return rma::load_word<object>(place);
    }
  } else if constexpr (rma::is_small<T>) {
    if (const std::byte* const place = rma::direct_object(world, from)) [[likely]] {
      return rma::load_small<object>(place);
    }
  }
  return rma::get_slowly<object>(world.state(), world.unchecked_context(), from.address());
}

/// Writes all of `from`, which may be any memory of this process, to where `to` points.
///
/// Completion: remote. `from` may be reused.
/// Ordering: as put of one object. While it is in flight, others may see parts of it.
/// Cost: that of memcpy on a direct fabric; else L + G bytes, and the way back.
/// Errors: out_of_bounds before anything moves; rank_failed.
/// Checked by: transfer_test.bulk_of_every_size_and_alignment, transfer_test.bounds_are_checked
template <remote_object T>
  requires(!std::is_const_v<T>)
inline void put(const world& world, ptr<T> to, std::type_identity_t<std::span<const T>> from) {
  rma::put_bytes(world, to.address(), from.data(), from.size_bytes());
}

/// Fills all of `to`, which may be any memory of this process, from where `from` points. Otherwise
/// as put.
/// Checked by: transfer_test.bulk_of_every_size_and_alignment, transfer_test.bounds_are_checked
template <remote_object T>
inline void get(const world& world, ptr<T> from,
                std::type_identity_t<std::span<std::remove_const_t<T>>> to) {
  rma::get_bytes(world, from.address(), to.data(), to.size_bytes());
}

/// An element of a transfer list: puts `from` to `to`, or gets from `from` into `to`.
/// Checked by: transfer_test.lists_scatter_and_gather
template <remote_object T>
  requires(!std::is_const_v<T>)
[[nodiscard]] put_part put_part_of(ptr<T> to,
                                   std::type_identity_t<std::span<const T>> from) noexcept {
  return {to.address(), from.data(), from.size_bytes()};
}
template <remote_object T>
[[nodiscard]] get_part get_part_of(
    ptr<T> from, std::type_identity_t<std::span<std::remove_const_t<T>>> to) noexcept {
  return {from.address(), to.data(), to.size_bytes()};
}

/// Moves all parts, to or from any ranks. They are not ordered among each other. Waits once for
/// all.
///
/// Completion: remote. Ordering: as the bulk transfers.
/// Errors: out_of_bounds before anything moves; rank_failed.
/// Checked by: transfer_test.lists_scatter_and_gather
void put(const world& world, std::span<const put_part> parts);
void get(const world& world, std::span<const get_part> parts);

/// A put, then a change of a signal word on the same rank, which wakes its waiters there. Every
/// rank that has seen the signal sees the payload.
///
/// Completion: remote, of payload and signal.
/// Errors: bad_argument if the word is on another rank or not aligned; out_of_bounds; rank_failed.
/// Checked by: signal_test.payload_is_there_before_the_signal
template <remote_object T>
  requires(!std::is_const_v<T>)
inline void put(const world& world, ptr<T> to, std::type_identity_t<std::span<const T>> from,
                const signal& after) {
  const put_part whole = put_part_of(to, from);
  rma::put_signalled(world, {&whole, 1}, after);
}
template <remote_object T>
  requires(!std::is_const_v<T>)
inline void put(const world& world, ptr<T> to, const std::type_identity_t<T>& value,
                const signal& after) {
  put(world, to, std::span<const T>(&value, 1), after);
}

/// Copies n objects from any rank to any rank. If not both places are direct, the data goes through
/// this rank. The two places must not overlap.
///
/// Completion: remote. Ordering: as the bulk transfers.
/// Cost: where both are direct, one memcpy; else a get and a put of pieces of 256 KB, where the
/// next piece's get overlaps this one's put.
/// Errors: bad_argument for places that overlap; out_of_bounds; rank_failed.
/// Checked by: transfer_test.copies_between_any_two_ranks
template <remote_object T>
inline void copy(const world& world, ptr<T> from, ptr<std::remove_const_t<T>> to, std::uint64_t n) {
  rma::copy_bytes(
      world, from.address(), to.address(),
      n > fabric::address::max_offset / sizeof(T) ? fabric::address::max_offset : n * sizeof(T));
}

namespace rma {

template <class T>
void put_slowly(rank_state& state, fabric::context& context, ptr<T> to, T value) {
  const world world(state, context);
  put_bytes(world, to.address(), &value, sizeof(T));
}

template <class T>
T get_slowly(rank_state& state, fabric::context& context, fabric::address from) {
  const world world(state, context);
  base::raw_object<T> object;
  get_bytes(world, from, object.bytes, sizeof(T));
  return object.value();
}

}  // namespace rma
}  // namespace far
