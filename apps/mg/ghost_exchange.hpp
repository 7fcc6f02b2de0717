#pragma once
// Fills the ghost rows of a field from the blocks around it.

#include <array>
#include <cstdint>
#include <vector>

#include "apps/mg/blocks.hpp"
#include "apps/mg/field.hpp"
#include "apps/mg/links.hpp"

namespace far::apps::mg {

/// The exchanges of one rank, for all cut levels. An exchange begins as soon as the rows at the
/// block's borders are computed, and its end is awaited where the ghosts are needed.
///
/// Invariants: of each level and channel at most one exchange is under way. Between start and
/// finish the field's border rows do not change, and its ghosts are not read; from finish to the
/// next start they may be.
class ghost_exchange {
 public:
  ghost_exchange(const block_grid& grid, int rank, const landing_places& places, links& through);

  /// Lets a field's ghosts begin in the landing place of the last exchange, as it was left.
  void attach(int level, channel of, field& values);
  /// Sends the rows at the borders.
  void start(int level, channel of, const field& values);
  /// Waits for the ghosts, if an exchange is under way.
  void finish(int level, channel of, field& values);

 private:
  struct state {
    std::uint64_t number = 0;
    bool under_way = false;
    std::array<std::vector<double>, direction_count> packed;  // borders whose rows lie apart
  };
  [[nodiscard]] state& at(int level, channel of) {
    return states_[static_cast<std::size_t>(level * channel_count + static_cast<int>(of))];
  }
  [[nodiscard]] std::span<const double> border_rows(const field& values, int d,
                                                    std::vector<double>& packed) const;

  block_grid grid_;
  int rank_;
  landing_places places_;
  links& links_;
  std::vector<state> states_;
};

}  // namespace far::apps::mg
