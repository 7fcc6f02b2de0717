#include "apps/mg/ghost_exchange.hpp"

#include <algorithm>

namespace far::apps::mg {

ghost_exchange::ghost_exchange(const block_grid& grid, int rank, const landing_places& places,
                               links& through)
    : grid_(grid),
      rank_(rank),
      places_(places),
      links_(through),
      states_(static_cast<std::size_t>(places.levels() * channel_count)) {}

void ghost_exchange::attach(int level, channel of, field& values) {
  const std::uint64_t number = at(level, of).number;
  for (int d = 0; d < direction_count; ++d) {
    if (!grid_.is_cut(directions[d])) continue;
    values.place_ghosts(directions[d], links_.landing() + places_.offset(level, of, d, number));
  }
  values.wrap();
}

void ghost_exchange::start(int level, channel of, const field& values) {
  state& s = at(level, of);
  ++s.number;
  s.under_way = true;
  for (int d = 0; d < direction_count; ++d) {
    if (!grid_.is_cut(directions[d])) continue;
    links_.expect(
        level, of, d, s.number, grid_.neighbor(rank_, directions[d]),
        static_cast<std::size_t>(values.ghosts(directions[d]).size()) * values.row_size());
  }
  for (int d = 0; d < direction_count; ++d) {
    if (!grid_.is_cut(directions[d])) continue;
    links_.send(level, of, opposite(d), s.number, grid_.neighbor(rank_, directions[d]),
                border_rows(values, d, s.packed[static_cast<std::size_t>(d)]));
  }
}

void ghost_exchange::finish(int level, channel of, field& values) {
  state& s = at(level, of);
  if (!s.under_way) return;
  links_.complete(level, of, s.number);
  s.under_way = false;
  attach(level, of, values);
}

std::span<const double> ghost_exchange::border_rows(const field& values, int d,
                                                    std::vector<double>& packed) const {
  const field::side border = values.border(directions[d]);
  const std::size_t row = values.row_size();
  const auto count = static_cast<std::size_t>(border.size());
  // Rows of one plane are adjacent.
  if (border.z.size() == 1) return {values.row(border.z.begin, border.y.begin) - 1, count * row};
  packed.resize(count * row);
  double* to = packed.data();
  for (int z = border.z.begin; z < border.z.end; ++z) {
    to = std::copy_n(values.row(z, border.y.begin) - 1, row, to);
  }
  return packed;
}

}  // namespace far::apps::mg
