#pragma once
// Atomic operations by the fabric's verb, for words that cannot be reached by instructions.

#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "far/rma/operation.hpp"

namespace far::rma {

/// The types of atomic operations. They have no padding, which would make equal values compare
/// unequal.
template <class T>
concept amo_value =
    std::is_object_v<T> && std::is_trivially_copyable_v<T> && (sizeof(T) == 4 || sizeof(T) == 8) &&
    (std::has_unique_object_representations_v<T> || std::floating_point<T>);

/// Converts a value to the form that amo_request carries, and back.
template <amo_value T>
[[nodiscard]] constexpr std::uint64_t to_operand(const T& value) noexcept {
  if constexpr (sizeof(T) == 4) {
    return std::bit_cast<std::uint32_t>(value);
  } else {
    return std::bit_cast<std::uint64_t>(value);
  }
}
template <amo_value T>
[[nodiscard]] constexpr T from_operand(std::uint64_t bits) noexcept {
  if constexpr (sizeof(T) == 4) {
    return std::bit_cast<T>(static_cast<std::uint32_t>(bits));
  } else {
    return std::bit_cast<T>(bits);
  }
}

/// The domain of the allocation that holds `word`.
[[nodiscard]] inline fabric::amo_domain domain_of(const fabric::fabric& fabric,
                                                  fabric::address word) noexcept {
  return fabric.cpu_atomics(word) ? fabric::amo_domain::cpu : fabric::amo_domain::nic;
}

/// Performs the operation in its word's domain and waits until it is complete.
/// Errors: out_of_bounds, bad_argument, rank_failed.
void amo(fabric::context& context, fabric::amo_request request);
/// The same; returns the old value.
std::uint64_t fetching_amo(fabric::context& context, fabric::amo_request request);

/// A fetching operation in flight.
template <amo_value T>
class fetching_operation final : public operation<T> {
 public:
  using operation<T>::operation;
  [[nodiscard]] std::uint64_t* landing() noexcept { return &old_; }

 private:
  void deliver() noexcept override { this->set_value(from_operand<T>(old_)); }

  std::uint64_t old_ = 0;
};

/// Starts the operation, and returns the state of a future of the old value, or of nothing. It is
/// not inlined and returns no future, so that the caller's ready futures stay in registers.
template <class T>
[[nodiscard, gnu::noinline]] detail::state_ref<detail::future_state<T>> start_amo(
    fabric::context& context, fabric::amo_request request) {
  request.domain = domain_of(context.owner(), request.word);
  constexpr const char* what = "atomic operation";
  const int rank = request.word.rank();
  if constexpr (std::is_void_v<T>) {
    return issue<void>(detail::make_state<transfer>(context, what, rank),
                       [&](transfer& op) { context.amo(request, &op); });
  } else {
    return issue<T>(detail::make_state<fetching_operation<T>>(context, what, rank),
                    [&](fetching_operation<T>& op) {
                      request.fetched = op.landing();
                      context.amo(request, &op);
                    });
  }
}

}  // namespace far::rma
