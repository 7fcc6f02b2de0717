#pragma once
// Formulas of operations by name, for those who list them: each structure has a table of these
// beside its formulas.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "far/model/formula.hpp"

namespace far::model {

/// What may happen to a structure at the same time, as its user has promised.
enum class level : std::uint8_t {
  concurrent,  ///< anything
  writing,     ///< changes only
  reading,     ///< looks only
  local,       ///< nothing, and the operation is its host's
};
inline constexpr std::array all_levels{level::concurrent, level::writing, level::reading,
                                       level::local};

[[nodiscard]] constexpr std::string_view name_of(level what) noexcept {
  constexpr std::array<std::string_view, all_levels.size()> names{"concurrent", "writing",
                                                                  "reading", "local"};
  return names[static_cast<std::size_t>(what)];
}

/// Of an operation that a rank performs by itself, without a call.
struct operation_cost {
  std::string_view operation;
  model::level level;
  formula cost;
};

}  // namespace far::model
