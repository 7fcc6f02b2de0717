// The costs of the component operations of data structures, with all ranks issuing (rdma-vs-rpc,
// section III.A, Fig. 3; row A1): the same program on mapped memory, and simulated by `far sim`.

#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "apps/common/progress.hpp"
#include "bench/harness/registry.hpp"
#include "bench/papers/component_loops.hpp"
#include "far/base/environment.hpp"
#include "far/far.hpp"

namespace far::bench {
namespace {

constexpr int batch = 50;        // operations of a rank between two checks of the interval
constexpr int min_batches = 20;  // 1,000 operations
constexpr int max_batches = 400;
constexpr double wanted_interval = 0.02;

/// The cost of one operation: mean over ranks and batches, and half its 95 % interval.
struct estimate {
  double ns = 0;
  double interval = 0;  ///< as a fraction of ns
};

/// Repeats the operation until the interval is narrow. All ranks return the same.
estimate measure(world& world, const std::function<void()>& once) {
  fabric::fabric& fabric = world.fabric();
  double sum = 0;
  double squares = 0;
  estimate result;
  for (int i = 0; i < batch; ++i) once();  // not counted
  for (int batches = 1; batches <= max_batches; ++batches) {
    barrier(world);
    const std::uint64_t begin = fabric.now();
    for (int i = 0; i < batch; ++i) once();
    const auto took = static_cast<double>(fabric.now() - begin) / batch;
    const double mean = allreduce(world, took, std::plus<>()) / world.size();
    sum += mean;
    squares += mean * mean;
    result.ns = sum / batches;
    const double variance = std::max(0.0, squares / batches - result.ns * result.ns);
    result.interval = 1.96 * std::sqrt(variance / batches) / result.ns;
    if (batches >= min_batches && result.interval < wanted_interval) break;
  }
  return result;
}

struct component {
  const char* name;
  void (component_loops::*once)();
  double cori_ns;  ///< Table I of the paper, on 64 nodes of 32 ranks; 0: not in the table
};

constexpr component components[] = {
    {"put", &component_loops::put, 3000},
    {"get", &component_loops::get, 3700},
    {"fetch-and-add, random words", &component_loops::fetch_add, 3900},
    {"fetch-and-add, one word a rank", &component_loops::fetch_add_one_word, 0},
    {"compare-and-swap", &component_loops::compare_swap, 3800},
    {"compare-and-swap until it wins", &component_loops::persistent_compare_swap, 0},
    {"message and reply", &component_loops::message, 0},
};

report measure_components() {
  report result;
  std::vector<estimate> estimates;
  const bool cori = base::environment_text("FAR_SIM_PROFILE") == "cori-aries";
  const program body = [&](world& world) {
    apps::progress_settings drawing;
    if (world.rank() != 0) drawing.columns = 0;
    apps::progress_bar bar("components", drawing);
    component_loops loops(world);
    std::size_t step = 0;
    for (const component& c : components) {
      bar.update(step++, std::size(components), c.name);
      const estimate e = measure(world, [&] { (loops.*c.once)(); });
      if (world.rank() == 0) estimates.push_back(e);
    }
    if (world.rank() == 0) {
      result.measured = fmt::format(
          "components: {} ranks, each at random places of random ranks, one operation at a time; "
          "{}.",
          world.size(), world.fabric().name());
    }
  };
  if (fabric::in_job()) {
    run(body);
  } else {
    run({.ranks = 2, .mode = job_mode::threads}, body);
  }
  for (std::size_t i = 0; i < estimates.size(); ++i) {
    const component& c = components[i];
    row line{c.name, estimates[i].ns,
             {},     {},
             {},     fmt::format("+-{:.1f} %", 100 * estimates[i].interval)};
    if (cori && c.cori_ns > 0) line.peers["paper"] = c.cori_ns;
    result.rows.push_back(std::move(line));
  }
  return result;
}

const benchmark registered("components",
                           "operations that structures are made of, every rank issuing",
                           measure_components);

}  // namespace
}  // namespace far::bench
