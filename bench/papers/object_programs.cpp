#include "bench/papers/object_programs.hpp"

#include "apps/lu/lu.hpp"
#include "apps/water/water.hpp"

namespace far::bench {

double pair_ns_of(const water_size& size, double seconds) noexcept {
  const auto molecules = static_cast<double>(size.molecules);
  const double pairs = molecules * (molecules - 1) / 2;
  return seconds * 1e9 / (pairs * static_cast<double>(size.evaluations));
}

double flop_ns_of(const lu_size& size, double seconds) noexcept {
  const auto n = static_cast<double>(size.n);
  return seconds * 1e9 / (2 * n * n * n / 3);
}

water_run run_water(object_jobs& on, int machines, apps::object_protocol how,
                    const water_size& size, double pair_ns) {
  water_run found;
  const auto simulate = [&](std::uint64_t evaluations) {
    double seconds = 0;
    on.run_on(machines, "Water", [&](world& world) {
      const apps::water::command asked{.molecules = size.molecules,
                                       .steps = evaluations - 1,
                                       .protocol = how,
                                       .pair_ns = pair_ns};
      const apps::water::result done = apps::water::simulate(world, asked);
      if (world.rank() != 0) return;
      seconds = done.seconds;
      found.last = done.steps.back();
    });
    return seconds;
  };
  const double first = simulate(size.simulated);
  const double later = simulate(2 * size.simulated) - first;
  const double times = static_cast<double>(size.evaluations) / static_cast<double>(size.simulated);
  found.seconds = first + later * (times - 1);
  return found;
}

lu_run run_lu(object_jobs& on, int machines, apps::object_protocol how, const lu_size& size,
              double flop_ns) {
  lu_run found;
  on.run_on(machines, "LU", [&](world& world) {
    const apps::lu::command asked{
        .n = size.n, .block = size.block, .protocol = how, .flop_ns = flop_ns};
    const apps::lu::result done = apps::lu::factor_matrix(world, asked);
    if (world.rank() != 0) return;
    found = {done.seconds, done.log_determinant};
  });
  return found;
}

}  // namespace far::bench
