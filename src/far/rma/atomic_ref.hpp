#pragma once
// Atomic operations on single words of any rank.

#include <concepts>
#include <cstdint>
#include <functional>
#include <type_traits>

#include "far/base/check.hpp"
#include "far/memory/ptr.hpp"
#include "far/rma/amo.hpp"
#include "far/rma/atomic_loops.hpp"
#include "far/rma/direct.hpp"
#include "far/world/world.hpp"

namespace far {

/// std::atomic_ref for remote memory: atomic operations on an object of 4 or 8 bytes on any rank.
/// Integers have all operations. Float and double have all but the bitwise ones. Other trivially
/// copyable types, such as far::ptr, have load, store, exchange and compare_exchange. Cheap to
/// copy.
///
/// Completion: remote. Functions with _async start the operation and return a future.
/// Ordering: read-modify-writes acquire and release; load and store are as get and put of a word.
///   Nothing else is ordered without a flush (axioms 5 and 6). All these operations are atomic
///   against each other, from any rank; bulk put and get are not atomic against them.
/// Threads: any, each with a reference of its own view.
/// Cost: one instruction where the fabric is coherent memory; else A(op), the way back included.
///   Where the fabric or the processor has no such operation, min, max, and arithmetic of float and
///   double are loops of compare-exchange.
/// Errors: out_of_bounds and bad_argument (not aligned), on the inline path in debug builds only;
///   rank_failed where it waits.
/// Checked by: atomic_ref_test.integers_have_every_operation
/// Checked by: atomic_ref_test.counts_exactly_under_contention
template <rma::amo_value T>
class atomic_ref {
  using op = fabric::amo_op;

 public:
  using value_type = T;

  atomic_ref(const world& world, ptr<T> place) noexcept
      : atomics_(world.atomics()),
        state_(&world.state()),
        context_(&world.unchecked_context()),
        place_(place) {}

  [[nodiscard]] ptr<T> place() const noexcept { return place_; }
  /// Errors: far::error after the job.
  [[nodiscard]] fabric::context& context() const {
    static_cast<void>(state_->fabric());  // here, because the inline path needs no context
    return *context_;
  }
  /// A reference to the same word whose operations wake the waiters of wait_signal on its rank.
  /// Cost: never the inline path.
  /// Checked by: signal_test.waking_atomics_wake
  [[nodiscard]] atomic_ref waking() const noexcept {
    atomic_ref result = *this;
    result.wake_ = true;
    return result;
  }

  [[nodiscard]] T load() const {
    if (const std::byte* place = inline_place()) return rma::load_word<T>(place);
    return fetched(op::load, 0);
  }
  void store(T value) const {
    if (std::byte* place = inline_place()) return rma::store_word(place, value);
    rma::amo(context(), request(op::store, rma::to_operand(value)));
  }
  T exchange(T value) const {
    if (std::byte* place = inline_place()) return word(place).exchange(value, order);
    return fetched(op::swap, rma::to_operand(value));
  }
  /// Sets the word to `desired` if it equals `expected`, bit for bit; else stores its value in
  /// `expected` and returns false. Never fails spuriously.
  /// Checked by: atomic_ref_test.compare_exchange_reports_what_it_found
  bool compare_exchange(T& expected, T desired) const {
    if (std::byte* place = inline_place()) {
      return word(place).compare_exchange_strong(expected, desired, order,
                                                 std::memory_order_acquire);
    }
    const std::uint64_t compare = rma::to_operand(expected);
    const std::uint64_t old =
        rma::fetching_amo(context(), request(op::compare_swap, rma::to_operand(desired), compare));
    expected = rma::from_operand<T>(old);
    return old == compare;
  }

  T fetch_add(T value) const
    requires rma::arithmetic<T>
  {
    if (std::byte* place = inline_place()) return word(place).fetch_add(value, order);
    if constexpr (std::integral<T>) {
      return fetched(op::add, rma::to_operand(value));
    } else {
      return rma::fetch_update(*this, value, std::plus<T>{});
    }
  }
  T fetch_sub(T value) const
    requires rma::arithmetic<T>
  {
    return fetch_add(rma::negated(value));
  }
  T fetch_and(T mask) const
    requires std::integral<T>
  {
    if (std::byte* place = inline_place()) return word(place).fetch_and(mask, order);
    return fetched(op::bit_and, rma::to_operand(mask));
  }
  T fetch_or(T mask) const
    requires std::integral<T>
  {
    if (std::byte* place = inline_place()) return word(place).fetch_or(mask, order);
    return fetched(op::bit_or, rma::to_operand(mask));
  }
  T fetch_xor(T mask) const
    requires std::integral<T>
  {
    if (std::byte* place = inline_place()) return word(place).fetch_xor(mask, order);
    return fetched(op::bit_xor, rma::to_operand(mask));
  }
  /// For float and double: a NaN in the word stays, and a NaN as bound changes nothing.
  T fetch_min(T bound) const
    requires rma::arithmetic<T>
  {
    return fetch_bound(op::min, bound, rma::lesser<T>{});
  }
  T fetch_max(T bound) const
    requires rma::arithmetic<T>
  {
    return fetch_bound(op::max, bound, rma::greater<T>{});
  }
  /// fetch_add without the old value, which then need not be sent back.
  void add(T value) const
    requires rma::arithmetic<T>
  {
    if constexpr (std::integral<T>) {
      if (std::byte* place = inline_place()) {
        word(place).fetch_add(value, order);
      } else {
        rma::amo(context(), request(op::add, rma::to_operand(value)));
      }
    } else {
      fetch_add(value);
    }
  }

  [[nodiscard]] future<T> load_async() const {
    return started([this] { return load(); }, op::load, 0);
  }
  [[nodiscard]] future<void> store_async(T value) const {
    if (inline_place() != nullptr) {
      store(value);
      return future<void>(std::in_place, *context_);
    }
    return future<void>(
        rma::start_amo<void>(context(), request(op::store, rma::to_operand(value))));
  }
  [[nodiscard]] future<T> exchange_async(T value) const {
    return started([&] { return exchange(value); }, op::swap, rma::to_operand(value));
  }
  /// A future of the value that was found; the exchange was made iff that equals `expected`.
  [[nodiscard]] future<T> compare_exchange_async(T expected, T desired) const {
    const auto now = [&] {
      compare_exchange(expected, desired);
      return expected;
    };
    return started(now, op::compare_swap, rma::to_operand(desired), rma::to_operand(expected));
  }
  [[nodiscard]] future<T> fetch_add_async(T value) const
    requires rma::arithmetic<T>
  {
    if constexpr (std::integral<T>) {
      return started([&] { return fetch_add(value); }, op::add, rma::to_operand(value));
    } else {
      return rma::fetch_update_async(*this, value, std::plus<T>{});
    }
  }
  [[nodiscard]] future<T> fetch_sub_async(T value) const
    requires rma::arithmetic<T>
  {
    return fetch_add_async(rma::negated(value));
  }
  [[nodiscard]] future<T> fetch_and_async(T mask) const
    requires std::integral<T>
  {
    return started([&] { return fetch_and(mask); }, op::bit_and, rma::to_operand(mask));
  }
  [[nodiscard]] future<T> fetch_or_async(T mask) const
    requires std::integral<T>
  {
    return started([&] { return fetch_or(mask); }, op::bit_or, rma::to_operand(mask));
  }
  [[nodiscard]] future<T> fetch_xor_async(T mask) const
    requires std::integral<T>
  {
    return started([&] { return fetch_xor(mask); }, op::bit_xor, rma::to_operand(mask));
  }
  [[nodiscard]] future<T> fetch_min_async(T bound) const
    requires rma::arithmetic<T>
  {
    if constexpr (std::integral<T>) {
      return started([&] { return fetch_min(bound); }, op::min, rma::to_operand(bound));
    } else {
      return rma::fetch_update_async(*this, bound, rma::lesser<T>{});
    }
  }
  [[nodiscard]] future<T> fetch_max_async(T bound) const
    requires rma::arithmetic<T>
  {
    if constexpr (std::integral<T>) {
      return started([&] { return fetch_max(bound); }, op::max, rma::to_operand(bound));
    } else {
      return rma::fetch_update_async(*this, bound, rma::greater<T>{});
    }
  }
  [[nodiscard]] future<void> add_async(T value) const
    requires rma::arithmetic<T>
  {
    if constexpr (std::integral<T>) {
      if (inline_place() == nullptr) {
        return future<void>(
            rma::start_amo<void>(context(), request(op::add, rma::to_operand(value))));
      }
      add(value);
      return future<void>(std::in_place, *context_);
    } else {
      return fetch_add_async(value).then([](T) {});
    }
  }

 private:
  static constexpr auto order = std::memory_order_acq_rel;

  /// Where one instruction can perform the whole operation, else null.
  [[nodiscard]] std::byte* inline_place() const {
    if (wake_) return nullptr;
    if constexpr (base::debug_checks) {
      if (place_.address().offset() % sizeof(T) != 0) return nullptr;  // the verb reports it
      context().owner().check_bounds(place_.address(), sizeof(T));
    }
    return fabric::reached(atomics_, place_.address());
  }
  [[nodiscard]] static auto word(std::byte* place) noexcept { return rma::atomic_word<T>(place); }
  [[nodiscard]] fabric::amo_request request(op what, std::uint64_t operand,
                                            std::uint64_t compare = 0) const noexcept {
    fabric::amo_request result;
    result.word = place_.address();
    result.op = what;
    result.bytes = sizeof(T);
    result.is_signed = std::signed_integral<T>;
    result.wake = wake_;
    result.operand = operand;
    result.compare = compare;
    return result;
  }
  T fetched(op what, std::uint64_t operand) const {
    return rma::from_operand<T>(rma::fetching_amo(context(), request(what, operand)));
  }
  template <class Choose>
  T fetch_bound(op what, T bound, Choose choose) const {
    if constexpr (std::integral<T>) {
      if (inline_place() == nullptr) return fetched(what, rma::to_operand(bound));
    }
    return rma::fetch_update(*this, bound, choose);
  }
  /// Starts the operation. On the inline path, `now` performs it at once.
  template <class Now>
  future<T> started(Now now, op what, std::uint64_t operand, std::uint64_t compare = 0) const {
    if (inline_place() != nullptr) return future<T>(std::in_place, *context_, now());
    return future<T>(rma::start_amo<T>(context(), request(what, operand, compare)));
  }

  fabric::reach_table atomics_;
  const rank_state* state_;
  fabric::context* context_;
  ptr<T> place_;
  bool wake_ = false;
};

}  // namespace far
