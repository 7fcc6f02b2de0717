#include "apps/lu/lu.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "apps/lu/grid.hpp"
#include "apps/lu/matrix.hpp"

namespace far::apps::lu {
namespace {

constexpr double tolerance = 1e-10;

/// Room for each rank's blocks, and for the copies that it uses at a time.
object_space_options options_for(const command& asked, const grid& places, std::uint64_t workers) {
  object_space_options options = options_of(asked.protocol);
  constexpr std::uint64_t unit = 65536;  // blocks do not cross borders of this
  constexpr std::uint64_t others = std::uint64_t{8} << 20;
  const std::uint64_t bytes = asked.block * asked.block * sizeof(double) + 32;
  const auto room = [&](std::uint64_t blocks) { return (blocks / (unit / bytes) + 1) * unit; };
  const std::uint64_t list = places.blocks() * places.blocks() * sizeof(block);
  const auto threads = static_cast<std::uint64_t>(asked.threads);
  options.heap_bytes = room(places.blocks_of_worker() * threads) + 2 * list + workers * 64 + others;
  options.cache_bytes = 2 * room(2 * places.blocks() * threads) + 2 * list + others;
  return options;
}

}  // namespace

result factor_matrix(world& world, const command& asked) {
  result found;
  found.asked = asked;
  found.ranks = world.size();
  const auto workers = static_cast<std::uint64_t>(world.size() * asked.threads);
  const grid places(asked.n, asked.block, workers);
  object_space space(world, options_for(asked, places, workers));
  space.run(asked.threads, [&](object_view& main) {
    const auto job = main.make<matrix>(
        matrix{.n = asked.n,
               .block_extent = asked.block,
               .seed = asked.seed,
               .flop_ns = asked.flop_ns,
               .verify = asked.verify ? 1U : 0U,
               .blocks = main.make_array<block>(places.blocks() * places.blocks()),
               .sums = main.make_array<double>(2 * workers),
               .begin_ns = 0,
               .end_ns = 0});
    run_workers(main, asked.threads, job, [](worker<matrix>& self) { run_worker(self); });

    const matrix done = main.read(job);
    found.seconds = static_cast<double>(done.end_ns - done.begin_ns) * 1e-9;
    for (std::uint64_t k = 0; k < places.blocks(); ++k) {
      main.safe_point();
      const auto diagonal = main.read_from(main.read(done.blocks, places.index(k, k)), 0);
      const std::uint64_t extent = places.extent(k);
      for (std::uint64_t i = 0; i < extent; ++i) {
        found.log_determinant += std::log(std::abs(diagonal[i * extent + i]));
      }
    }
    if (!asked.verify) return;
    double difference = 0;
    double original = 0;
    for (std::uint64_t w = 0; w < workers; ++w) {
      difference += main.read(done.sums, w);
      original += main.read(done.sums, workers + w);
    }
    found.residual = std::sqrt(difference / original);
    if (!(found.residual < tolerance)) {
      throw error(fmt::format("verification failed: |A - LU| / |A| is {:.3g}, not below {:g}",
                              found.residual, tolerance));
    }
  });
  return found;
}

}  // namespace far::apps::lu
