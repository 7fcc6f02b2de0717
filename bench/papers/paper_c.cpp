// Figures 1 and 12 to 18 of darray on a simulated machine, and whether its claims hold there (rows
// C9 to C11).

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/harness/registry.hpp"
#include "bench/papers/array_claims.hpp"
#include "bench/papers/array_figures.hpp"
#include "bench/papers/graph_figures.hpp"
#include "bench/papers/simulated.hpp"
#include "bench/papers/store_figures.hpp"
#include "far/base/error.hpp"
#include "far/fabric/sim/profile.hpp"
#include "far/far.hpp"

namespace far::bench {
namespace {

constexpr const char* usual_profile = "cx4-100g";

report measure_paper_c(const settings& asked) {
  check_simulated("paper-c", asked, "far bench array and array-hosts measure arrays");
  const std::string profile = asked.profile.empty() ? usual_profile : asked.profile;
  const fabric::sim::profile machine = fabric::sim::find_profile(profile);
  if (machine.array_hit == 0 || machine.array_apply == 0 || machine.array_pinned == 0) {
    throw bad_argument(fmt::format(
        "--profile {}: it lacks the costs of accesses to cached arrays (array_hit, array_apply, "
        "array_pinned)",
        profile));
  }
  const array_places at = array_places_of(ascending(asked.ranks), asked.quick);
  const graph_places graphs = graph_places_of(at.nodes, asked.quick);
  const store_places stores = store_places_of(at.nodes, asked.quick);
  array_jobs on(profile, array_jobs_of(at) + graph_jobs_of(graphs) + store_jobs_of(stores));
  report result;
  result.measured = fmt::format(
      "paper-c: figures 1 and 12 to 18 of \"DArray: a high performance RDMA-based distributed "
      "array\" on a\nsimulated {}, one rank a node. In order: each thread accesses all words, "
      "from its own share on. far::array:\nwithout a cache (the paper's BCL). lock, get, put: "
      "exclusive (GAM). The paper's path: a hit takes {:.1f} times as\nlong, for a flag and two "
      "counts (assumed). The simulator charges {:g} ns for a hit, {:g} for an apply and {:g}\nfor "
      "a pinned access. Limit: the longer of a hit's time and the wire's.",
      profile, counted_user::hits, static_cast<double>(machine.array_hit) / 1000,
      static_cast<double>(machine.array_apply) / 1000,
      static_cast<double>(machine.array_pinned) / 1000);
  array_results all = measure_arrays(on, at);
  result.claims = array_claims(all);
  result.rows = array_goals(all, at, machine);
  graph_results of_graphs = measure_graphs(on, graphs);
  std::ranges::move(graph_claims(of_graphs), std::back_inserter(result.claims));
  store_results of_stores = measure_stores(on, stores);
  std::ranges::move(store_claims(of_stores), std::back_inserter(result.claims));
  result.figures.push_back(std::move(all.first));
  std::ranges::move(all.by_threads, std::back_inserter(result.figures));
  std::ranges::move(all.by_nodes, std::back_inserter(result.figures));
  result.figures.push_back(std::move(all.updates));
  result.figures.push_back(std::move(all.update_times));
  result.figures.push_back(std::move(all.pins));
  std::ranges::move(of_graphs.pagerank, std::back_inserter(result.figures));
  std::ranges::move(of_graphs.components, std::back_inserter(result.figures));
  std::ranges::move(of_stores.by_nodes, std::back_inserter(result.figures));
  std::ranges::move(of_stores.by_threads, std::back_inserter(result.figures));
  std::ranges::move(all.random, std::back_inserter(result.figures));
  return result;
}

const benchmark registered("paper-c", "the figures of darray, simulated, and its claims",
                           measure_paper_c);

}  // namespace
}  // namespace far::bench
