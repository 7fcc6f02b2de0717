#pragma once
// The cost of a container's operation, as a sum of component costs.
//
// Source: B. Brock et al., RDMA vs. RPC for implementing distributed data structures, 2019,
// section III: component costs and the tables of formulas.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "far/base/language.hpp"

namespace far::model {

/// One access of a rank to the memory of another, or a call. Each is blocking.
enum class component : std::uint8_t {
  put,            ///< W
  get,            ///< R
  fetch_add,      ///< A_fao, of any word
  hot_fetch_add,  ///< A_hot, of a word that all ranks add to
  compare_swap,   ///< A_cas, one try
  turn,           ///< A_cas*: tries until it is this rank's turn
  message,        ///< M: a message each way, with the handler's work
  local,          ///< l: work in this rank's own memory
};
inline constexpr std::size_t components = 8;

[[nodiscard]] constexpr std::string_view symbol_of(component what) noexcept {
  constexpr std::array<std::string_view, components> symbols{"W",     "R",      "A_fao", "A_hot",
                                                             "A_cas", "A_cas*", "M",     "l"};
  return symbols[static_cast<std::size_t>(what)];
}

/// The name in files: "fetch_add".
[[nodiscard]] constexpr std::string_view name_of(component what) noexcept {
  constexpr std::array<std::string_view, components> names{
      "put", "get", "fetch_add", "hot_fetch_add", "compare_swap", "turn", "message", "local"};
  return names[static_cast<std::size_t>(what)];
}

/// How often each component occurs in an operation.
class formula {
 public:
  constexpr formula() = default;
  constexpr formula(component what) noexcept {  // NOLINT: `A_cas + W` reads as in the paper
    times_[static_cast<std::size_t>(what)] = 1;
  }

  [[nodiscard]] constexpr int times(component what) const noexcept {
    return times_[static_cast<std::size_t>(what)];
  }
  constexpr formula& operator+=(const formula& other) noexcept {
    for (std::size_t i = 0; i < components; ++i) times_[i] += other.times_[i];
    return *this;
  }
  friend constexpr formula operator+(formula a, const formula& b) noexcept { return a += b; }
  friend constexpr formula operator*(int n, formula a) noexcept {
    for (int& times : a.times_) times *= n;
    return a;
  }
  friend constexpr bool operator==(const formula&, const formula&) = default;

 private:
  std::array<int, components> times_{};
};

/// "W + A_fao + 2 A_cas", in the order of the components; "0" for the empty formula.
[[nodiscard]] std::string to_string(const formula& what);

// The components, under their names in formulas.
inline constexpr formula W = component::put;
inline constexpr formula R = component::get;
inline constexpr formula A_fao = component::fetch_add;
inline constexpr formula A_hot = component::hot_fetch_add;
inline constexpr formula A_cas = component::compare_swap;
inline constexpr formula A_turn = component::turn;
inline constexpr formula M = component::message;
inline constexpr formula l = component::local;

/// Nanoseconds that each component takes between two ranks at some distance.
struct component_costs {
  std::array<double, components> ns{};

  [[nodiscard]] constexpr double of(component what) const noexcept {
    return ns[static_cast<std::size_t>(what)];
  }
  [[nodiscard]] constexpr double& of(component what) noexcept {
    return ns[static_cast<std::size_t>(what)];
  }
};

/// The cost of an operation in nanoseconds.
[[nodiscard]] constexpr double price(const formula& what, const component_costs& costs) noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < components; ++i) {
    sum += what.times(static_cast<component>(i)) * costs.ns[i];
  }
  return sum;
}

}  // namespace far::model
