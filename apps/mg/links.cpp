#include "apps/mg/links.hpp"

#include <algorithm>

namespace far::apps::mg {

landing_places::landing_places(const block_grid& grid, int n, int levels) {
  for (int level = 0; level < levels; ++level) {
    int planes = 0;
    int rows = 0;
    for (int rank = 0; rank < grid.size(); ++rank) {
      planes = std::max(planes, grid.planes(rank, level).size());
      rows = std::max(rows, grid.rows(rank, level).size());
    }
    level_sizes sizes{size_, {}, 0};
    for (int d = 0; d < direction_count; ++d) {
      sizes.before[d] = sizes.one_set;
      if (!grid.is_cut(directions[d])) continue;
      const int count = (directions[d].dz == 0 ? planes : 1) * (directions[d].dy == 0 ? rows : 1);
      sizes.one_set += static_cast<std::size_t>(count) * static_cast<std::size_t>((n >> level) + 2);
    }
    size_ += 2 * channel_count * sizes.one_set;
    sizes_.push_back(sizes);
  }
}

std::size_t landing_places::offset(int level, channel of, int direction,
                                   std::uint64_t number) const noexcept {
  const level_sizes& sizes = sizes_[static_cast<std::size_t>(level)];
  const std::size_t set = 2 * static_cast<std::size_t>(of) + static_cast<std::size_t>(number % 2);
  return sizes.begin + set * sizes.one_set + sizes.before[direction];
}

}  // namespace far::apps::mg
