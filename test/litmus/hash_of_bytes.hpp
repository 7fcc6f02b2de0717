#pragma once
// The hash of a state that a search has seen.

#include <cstddef>
#include <functional>
#include <string_view>
#include <type_traits>

namespace far::litmus {

/// Equal states have equal bytes.
template <class State>
struct hash_of_bytes {
  static_assert(std::has_unique_object_representations_v<State>);
  std::size_t operator()(const State& s) const noexcept {
    return std::hash<std::string_view>{}({reinterpret_cast<const char*>(&s), sizeof s});
  }
};

}  // namespace far::litmus
