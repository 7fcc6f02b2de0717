// Heat that spreads on a plate. Each rank computes the cells of its block of a distributed matrix;
// the cells next to it, which other ranks compute, are copied to its ghost cells before each step.
//
//   far run -n 4 example_heat

#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

#include <far/far.hpp>

int main() {
  far::run([](far::world& world) {
    constexpr std::uint64_t rows = 64;
    constexpr std::uint64_t columns = 96;
    far::nd_array_options<2> how;
    how.ghosts = {1, 1};
    far::matrix<double> now(world, {rows, columns}, how);
    far::matrix<double> next(world, {rows, columns}, how);

    // The upper edge is hot. Any rank may write any section.
    if (world.rank() == 0) {
      const std::vector<double> hot(columns, 100.0);
      now.put({{0, 0}, {1, columns}}, hot);
    }
    far::barrier(world);

    for (int step = 0; step < 200; ++step) {
      far::update_ghosts(now);
      const far::section<2> block = now.own_block();
      const auto old = now.local_with_ghosts();  // cell (i, j) is old(i + 1, j + 1)
      const auto result = next.local();
      for (std::uint64_t i = 0; i < block.extents[0]; ++i) {
        for (std::uint64_t j = 0; j < block.extents[1]; ++j) {
          const bool at_edge = block.begin[0] + i == 0 || block.begin[0] + i == rows - 1 ||
                               block.begin[1] + j == 0 || block.begin[1] + j == columns - 1;
          const double mean =
              (old(i, j + 1) + old(i + 2, j + 1) + old(i + 1, j) + old(i + 1, j + 2)) / 4;
          result(i, j) = at_edge ? old(i + 1, j + 1) : mean;
        }
      }
      std::swap(now, next);
    }

    const double heat = far::reduce(now, 0.0);
    if (world.rank() == 0) {
      std::printf("the cell (8, 48) has %.3f, all cells %.1f\n", now.get({8, 48}), heat);
    }
  });
}
