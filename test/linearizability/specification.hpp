#pragma once
// The sequential specification of a structure: what it does when one process at a time uses it. A
// concurrent history is checked against it.
//
//   struct counter_specification {
//     using state = std::uint64_t;
//     using operation = ...;                      // the call, including its operands
//     using result = ...;                         // its result; comparable by ==
//
//     state initial() const;                      // comparable by ==
//     std::optional<result> apply(state&, const operation&) const;
//     std::uint64_t hash(const state&) const;     // equal states, equal hashes
//     std::string text(const operation&, const std::optional<result>&) const;
//     std::string text(const state&) const;       // both for messages
//   };
//
// `apply` returns nothing where the operation cannot take place but must wait, as for a lock that
// is held; the state it leaves is then ignored. If more than one result is right, a specification
// has a further function, which the check uses instead of `apply`:
//
//     bool accepts(state&, const operation&, const std::optional<result>& seen) const;
//
// It changes the state as an operation with the result `seen` does, and returns whether that result
// is allowed. If nothing was seen (the result is unknown), it makes the largest possible change;
// the case that the operation has no effect is always tried, too.
//
// Two more functions may help the search:
//
//     bool is_neutral(const operation&, const result&) const;
//
// returns whether the operation, if it may have this result, always leaves the state unchanged. (A
// read does. A write does not, even though it may find its value there already.)
//
//     std::vector<window> windows(std::span<const call>) const;
//
// returns a second time for each call (windows.hpp), or nothing for all calls.

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "test/linearizability/history.hpp"
#include "test/linearizability/windows.hpp"

namespace far::linearizability {

template <class S>
concept specification =
    requires(const S& s, typename S::state& state, const typename S::operation& operation,
             const std::optional<typename S::result>& seen) {
      { s.initial() } -> std::same_as<typename S::state>;
      { s.apply(state, operation) } -> std::same_as<std::optional<typename S::result>>;
      { s.hash(state) } -> std::same_as<std::uint64_t>;
      { s.text(operation, seen) } -> std::same_as<std::string>;
      { s.text(state) } -> std::same_as<std::string>;
    } &&
    std::equality_comparable<typename S::state> && std::equality_comparable<typename S::result>;

template <class S>
using call_of = call<typename S::operation, typename S::result>;
template <class S>
using history_of = history<typename S::operation, typename S::result>;

/// Performs the operation in `state`. Returns whether it may take place there with the result that
/// was seen, if any. If not, the state is left undefined.
template <specification S>
[[nodiscard]] bool takes_place(const S& spec, typename S::state& state,
                               const typename S::operation& operation,
                               const std::optional<typename S::result>& seen) {
  if constexpr (requires { spec.accepts(state, operation, seen); }) {
    return spec.accepts(state, operation, seen);
  } else {
    const std::optional<typename S::result> result = spec.apply(state, operation);
    return result && (!seen || *result == *seen);
  }
}

template <specification S>
[[nodiscard]] bool is_neutral(const S& spec, const typename S::operation& operation,
                              const std::optional<typename S::result>& seen) {
  if constexpr (requires { spec.is_neutral(operation, *seen); }) {
    return seen && spec.is_neutral(operation, *seen);
  } else {
    return false;
  }
}

template <specification S>
[[nodiscard]] std::vector<window> windows_of(const S& spec, std::span<const call_of<S>> calls) {
  if constexpr (requires { spec.windows(calls); }) {
    return spec.windows(calls);
  } else {
    return {};
  }
}

}  // namespace far::linearizability
