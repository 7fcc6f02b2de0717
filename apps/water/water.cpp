#include "apps/water/water.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "apps/common/progress.hpp"
#include "apps/water/ensemble.hpp"
#include "apps/water/oracle.hpp"

namespace far::apps::water {
namespace {

constexpr double tolerance = 1e-9;

/// Returns a line that confirms the energies. Errors: far::error at the first difference.
std::string verify(const command& asked, const std::vector<energies>& found) {
  progress_bar bar("verifying");
  const auto expected =
      oracle::simulate(asked.molecules, asked.steps, asked.seed,
                       [&](std::uint64_t step) { bar.update(step, asked.steps); });
  double worst = 0;
  for (std::size_t step = 0; step < expected.size(); ++step) {
    const energies& a = found.at(step);
    const energies& b = expected[step];
    const double size = std::max({b.kinetic, std::abs(b.bonded), std::abs(b.pairs)});
    const double difference =
        std::max({std::abs(a.kinetic - b.kinetic), std::abs(a.bonded - b.bonded),
                  std::abs(a.pairs - b.pairs)});
    if (!(difference <= tolerance * size)) {
      throw error(fmt::format(
          "verification failed: after {} steps the energies are {} + {} + {}, sequentially {} + {} "
          "+ {}",
          step, a.kinetic, a.bonded, a.pairs, b.kinetic, b.bonded, b.pairs));
    }
    worst = std::max(worst, difference / size);
  }
  return fmt::format("all energies equal a sequential computation's within {:.1e}", worst);
}

}  // namespace

result simulate(world& world, const command& asked) {
  result found;
  found.asked = asked;
  found.ranks = world.size();
  {
    object_space space(world, options_of(asked.protocol));
    space.run(asked.threads, [&](object_view& main) {
      const auto workers = static_cast<std::uint64_t>(world.size() * asked.threads);
      const auto job =
          main.make<ensemble>(ensemble{.molecules = asked.molecules,
                                       .steps = asked.steps,
                                       .seed = asked.seed,
                                       .pair_ns = asked.pair_ns,
                                       .all = main.make_array<molecule>(asked.molecules),
                                       .shares = main.make_array<ref<share>>(workers),
                                       .begin_ns = 0,
                                       .end_ns = 0});
      run_workers(main, asked.threads, job, [](worker<ensemble>& self) { run_share(self); });

      const ensemble done = main.read(job);
      found.seconds = static_cast<double>(done.end_ns - done.begin_ns) * 1e-9;
      found.steps.resize(asked.steps + 1);
      for (std::uint64_t w = 0; w < workers; ++w) {
        const auto steps = main.read(main.read(done.shares, w)).steps;
        for (std::uint64_t i = 0; i <= asked.steps; ++i) found.steps[i] += main.read(steps, i);
      }
    });
  }
  if (asked.verify && world.rank() == 0) found.verdict = verify(asked, found.steps);
  return found;
}

}  // namespace far::apps::water
