#pragma once
// Non-blocking operations that are completed by flush alone (nbi: implicit), between any memory of
// the caller and any rank. They have no futures, and allocate nothing.
//
// A flush of the rank, or of all, returns when they are complete: then puts and atomics are
// visible, gets and fetching atomics have their values, and the caller's memory is free again
// (axiom 13).

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "far/memory/ptr.hpp"
#include "far/rma/amo.hpp"
#include "far/rma/atomic_ref.hpp"
#include "far/rma/signal.hpp"
#include "far/world/world.hpp"

namespace far {

using amo_op = fabric::amo_op;

namespace rma {

/// The completion that the context's operations of this kind share; nobody waits for it.
[[nodiscard]] fabric::completion& until_flush(fabric::context& context);

void put_nbi(const world& world, fabric::address to, const void* from, std::size_t bytes,
             const signal* after);
void get_nbi(const world& world, fabric::address from, void* to, std::size_t bytes);
/// Performs the operation in its word's domain; request.fetched may be null.
void amo_nbi(fabric::context& context, fabric::amo_request request);
[[noreturn]] void throw_no_operation();

/// Performs the operation at once; returns the old value, but for a store.
template <amo_value T>
T performed(const atomic_ref<T>& word, amo_op what, T operand, T expected) {
  switch (what) {
    case amo_op::load:
      return word.load();
    case amo_op::store:
      word.store(operand);
      return T{};
    case amo_op::swap:
      return word.exchange(operand);
    case amo_op::compare_swap:
      word.compare_exchange(expected, operand);
      return expected;
    default:
      break;
  }
  if constexpr (std::integral<T>) {
    switch (what) {
      case amo_op::add:
        return word.fetch_add(operand);
      case amo_op::bit_and:
        return word.fetch_and(operand);
      case amo_op::bit_or:
        return word.fetch_or(operand);
      case amo_op::bit_xor:
        return word.fetch_xor(operand);
      case amo_op::min:
        return word.fetch_min(operand);
      case amo_op::max:
        return word.fetch_max(operand);
      default:
        break;
    }
  }
  throw_no_operation();
}

/// Whether words of any type have the operation.
[[nodiscard]] constexpr bool is_of_any_type(amo_op what) noexcept {
  return what == amo_op::load || what == amo_op::store || what == amo_op::swap ||
         what == amo_op::compare_swap;
}

}  // namespace rma

/// Starts to write all of `from`, which stays unchanged until a flush has returned, to where `to`
/// points. With a signal, whose word is on the same rank, its change becomes visible after the
/// payload.
///
/// Ordering: none, but put and its signal (axioms 8 and 9). Threads: any, each with its own view.
/// Cost: as put, without the way back.
/// Errors: out_of_bounds, bad_argument (signal), before anything moves; rank_failed by the flush.
/// Checked by: nbi_test.flush_completes_all
template <remote_object T>
  requires(!std::is_const_v<T>)
inline void put_nbi(const world& world, ptr<T> to, std::type_identity_t<std::span<const T>> from) {
  rma::put_nbi(world, to.address(), from.data(), from.size_bytes(), nullptr);
}
template <remote_object T>
  requires(!std::is_const_v<T>)
inline void put_nbi(const world& world, ptr<T> to, std::type_identity_t<std::span<const T>> from,
                    const signal& after) {
  rma::put_nbi(world, to.address(), from.data(), from.size_bytes(), &after);
}

/// Starts to fill all of `to` from where `from` points. Otherwise as put_nbi.
/// Checked by: nbi_test.flush_completes_all
template <remote_object T>
inline void get_nbi(const world& world, ptr<T> from,
                    std::type_identity_t<std::span<std::remove_const_t<T>>> to) {
  rma::get_nbi(world, from.address(), to.data(), to.size_bytes());
}

/// Starts an atomic operation: `what` with `operand`, and for compare_swap with what is expected.
/// `old`, if not null, receives the word's value before it, by the time that a flush has returned.
/// Types that are not integers have load, store, swap and compare_swap.
///
/// Ordering: none (axiom 8); atomic as atomic_ref. Threads: any, each with its own view.
/// Cost: one instruction where the fabric is coherent memory; else A(op), without the way back.
/// Errors: bad_argument for an operation that the type does not have, and for words that are not
/// aligned; out_of_bounds; on coherent memory in debug builds only; rank_failed by the flush.
/// Checked by: nbi_test.atomics_fetch_into_user_memory, nbi_test.atomics_add_up
template <rma::amo_value T>
inline void amo_nbi(const world& world, ptr<T> word, amo_op what, std::type_identity_t<T> operand,
                    std::type_identity_t<T>* old = nullptr,
                    std::type_identity_t<T> expected = T{}) {
  if (what == amo_op::store && old != nullptr) what = amo_op::swap;
  if (fabric::reached(world.atomics(), word.address()) != nullptr) {
    const T before = rma::performed(atomic_ref<T>(world, word), what, operand, expected);
    if (old != nullptr) *old = before;
    return;
  }
  if (!std::integral<T> && !rma::is_of_any_type(what)) rma::throw_no_operation();
  fabric::amo_request request;
  request.word = word.address();
  request.op = what;
  request.bytes = sizeof(T);
  request.fetched_bytes = sizeof(T);
  request.is_signed = std::signed_integral<T>;
  request.operand = rma::to_operand(operand);
  request.compare = rma::to_operand(expected);
  request.fetched = old;
  rma::amo_nbi(world.context(), request);
}

}  // namespace far
