#pragma once
// What a structure does when it is used by one process at a time: the sequential specification
// that a concurrent history is measured by.
//
//   struct counter_specification {
//     using state = std::uint64_t;
//     using operation = ...;                      // what is asked, its operands included
//     using result = ...;                         // what is answered; comparable by ==
//
//     state initial() const;                      // comparable by ==
//     std::optional<result> apply(state&, const operation&) const;
//     std::uint64_t hash(const state&) const;     // equal states, equal hashes
//     std::string text(const operation&, const std::optional<result>&) const;
//     std::string text(const state&) const;       // both for people
//   };
//
// `apply` gives nothing where the operation cannot take place but has to wait, as for a lock that
// is held; the state it leaves then counts for nothing. Where more than one answer is right, a
// specification has one function more, which takes the place of `apply` in the check:
//
//     bool accepts(state&, const operation&, const std::optional<result>& seen) const;
//
// It changes the state as an operation that answered `seen` does, and says whether one may. With
// nothing seen (nobody knows the answer) it does what changes most: that the operation has no
// effect at all is always tried too.
//
// And two may help the search:
//
//     bool is_neutral(const operation&, const result&) const;
//
// says that the operation, where it may answer this, always leaves the state as it was. (A read
// does. A write does not, though it may find its value there already.)
//
//     std::vector<window> windows(std::span<const call>) const;
//
// gives each call a second time (windows.hpp), or none of the calls any.

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

/// Takes the operation in `state`: whether it may come there with what was seen of its result.
/// If not, the state is left in disorder.
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
