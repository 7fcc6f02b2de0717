#pragma once
// Named formulas of operations, for lists of them. Each structure has a table of these next to its
// formulas.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "far/model/formula.hpp"

namespace far::model {

/// Which operations may run concurrently on a structure, as its user has promised.
enum class level : std::uint8_t {
  concurrent,  ///< all
  writing,     ///< only those that change it
  reading,     ///< only those that read it
  local,       ///< none; only its host uses the structure
};
inline constexpr std::array all_levels{level::concurrent, level::writing, level::reading,
                                       level::local};

[[nodiscard]] constexpr std::string_view name_of(level what) noexcept {
  constexpr std::array<std::string_view, all_levels.size()> names{"concurrent", "writing",
                                                                  "reading", "local"};
  return names[static_cast<std::size_t>(what)];
}

/// The cost of an operation that a rank performs one-sided, without a call.
struct operation_cost {
  std::string_view operation;
  model::level level;
  formula cost;
};

}  // namespace far::model
