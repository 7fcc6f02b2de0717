// Exchanges of ghost rows on every fabric, back to back, of blocks in both dimensions.

#include "apps/mg/ghost_exchange.hpp"

#include "apps/mg/one_sided_links.hpp"
#include "test/support/jobs.hpp"

namespace far::apps::mg {
namespace {

constexpr int edge = 8;

class mg_ghost_exchange_test : public far::test::on_ranks {
 protected:
  mg_ghost_exchange_test() { allowed = far::test::run_size::any; }
};

/// What the cells of a row hold in an exchange.
double value_of(int z, int y, std::uint64_t exchange) {
  const int wrapped = (z + edge) % edge * edge + (y + edge) % edge;
  return static_cast<double>(exchange) * 1000 + wrapped;
}

// A rank reads its ghosts late, when its neighbors may already have sent the next ones.
TEST_P(mg_ghost_exchange_test, neighbors_are_never_too_early) {
  seeds = 20;
  run([&](far::world& world) {
    const block_grid grid(edge, world.size());
    const landing_places places(grid, edge, 1);
    one_sided_links ends(world, places);
    ghost_exchange ghosts(grid, world.rank(), places, ends);
    const range planes = grid.planes(world.rank(), 0);
    const range rows = grid.rows(world.rank(), 0);
    field values(planes.size(), rows.size(), edge, grid.blocks_z() > 1, grid.blocks_y() > 1);
    const auto cell = allocate<std::uint64_t>(world);
    barrier(world);
    int wrong = 0;
    for (std::uint64_t exchange = 1; exchange <= 6; ++exchange) {
      for (int z = 0; z < planes.size(); ++z) {
        for (int y = 0; y < rows.size(); ++y) {
          for (int x = -1; x <= edge; ++x) {
            values.row(z, y)[x] = value_of(planes.begin + z, rows.begin + y, exchange);
          }
        }
      }
      ghosts.start(0, channel::residual, values);
      ghosts.finish(0, channel::residual, values);
      for (int i = 0; i < 3; ++i) {  // let others run
        (void)get(world, cell.on((world.rank() + i) % world.size()));
        (void)world.progress();
      }
      for (int z = -1; z <= planes.size(); ++z) {
        for (int y = -1; y <= rows.size(); ++y) {
          const double expected = value_of(planes.begin + z, rows.begin + y, exchange);
          for (const int x : {-1, 0, edge}) wrong += values.row(z, y)[x] == expected ? 0 : 1;
        }
      }
    }
    EXPECT_EQ(wrong, 0);
    barrier(world);
    deallocate(world, cell);
  });
}

INSTANTIATE_FAR_MODES_ON(mg_ghost_exchange_test, 1, 2, 3, 4, 6, 8);

}  // namespace
}  // namespace far::apps::mg
