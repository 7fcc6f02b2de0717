#include "apps/graph/report.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/common/input_error.hpp"
#include "apps/common/output.hpp"
#include "apps/common/table.hpp"

namespace far::apps {
namespace {

std::string top_table(const report& r) {
  const bool named = std::any_of(r.names.begin(), r.names.end(),
                                 [](const std::string& name) { return !name.empty(); });
  table t;
  t.add_column("", align::right);
  t.add_column("PageRank", align::right);
  t.add_column(named ? "vertex" : "id", named ? align::left : align::right);
  if (named) t.add_column("id", align::right);
  for (std::size_t i = 0; i < r.top.size(); ++i) {
    std::vector<std::string> row{std::to_string(i + 1), fmt::format("{:.6f}", r.top[i].rank)};
    if (named) row.push_back(r.names[i]);
    row.push_back(std::to_string(r.top[i].id));
    t.add_row(std::move(row));
  }
  return t.text();
}

}  // namespace

std::string as_json(const report& r) {
  nlohmann::ordered_json out;
  out["vertices"] = r.vertices;
  out["edges"] = r.edges;
  if (r.components) {
    out["components"] = r.components->count;
    out["largest"] = r.components->largest;
    out["seconds_components"] = r.components->seconds;
  }
  if (r.pagerank) {
    out["iterations"] = r.pagerank->iterations;
    out["converged"] = r.pagerank->converged;
    out["change"] = r.pagerank->change;
    out["sum"] = r.pagerank->sum;
    out["seconds_per_iteration"] = r.pagerank->seconds_per_iteration;
    out["top"] = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < r.top.size(); ++i) {
      nlohmann::ordered_json one{{"id", r.top[i].id}, {"rank", r.top[i].rank}};
      if (!r.names[i].empty()) one["name"] = r.names[i];
      out["top"].push_back(std::move(one));
    }
  }
  if (r.bfs) {
    out["reached"] = r.bfs->reached;
    out["depth"] = r.bfs->depth;
    out["rounds_pulled"] = r.bfs->rounds.pulled;
    out["rounds_pushed"] = r.bfs->rounds.pushed;
    out["seconds_bfs"] = r.bfs->seconds;
  }
  if (r.sssp) {
    out["weighted"] = r.weighted;
    out["reached"] = r.sssp->reached;
    out["farthest"] = r.sssp->farthest;
    out["rounds_pulled"] = r.sssp->rounds.pulled;
    out["rounds_pushed"] = r.sssp->rounds.pushed;
    out["seconds_sssp"] = r.sssp->seconds;
  }
  if (r.communities) {
    out["communities"] = r.communities->count;
    out["iterations"] = r.communities->iterations;
    out["seconds_communities"] = r.communities->seconds;
  }
  if (r.written) {
    out["output"] = r.output;
    out["vertices_written"] = r.written->vertices;
    out["bytes"] = r.written->bytes;
  }
  if (!r.verdict.empty()) out["verified"] = r.verdict;
  // Names may contain any bytes, also malformed UTF-8.
  return out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string as_text(const report& r) {
  std::string out;
  if (r.pagerank && !r.top.empty()) out += top_table(r) + "\n";
  const auto line = [&](std::string_view what, const std::string& value) {
    out += summary_line(what, value);
  };
  line("vertices", std::to_string(r.vertices));
  line("edges", std::to_string(r.edges));
  if (r.components) {
    line("components",
         fmt::format("{}, the largest of {} vertices", r.components->count, r.components->largest));
    line("components took", duration_text(r.components->seconds));
  }
  if (r.pagerank) {
    line("iterations",
         fmt::format("{}, last change {:.1e}", r.pagerank->iterations, r.pagerank->change));
    if (!r.pagerank->converged) {
      line("not converged",
           "the last change is not below --tolerance; raise --iterations, or lower --damping");
    }
    line("sum of ranks", fmt::format("{:.12f}", r.pagerank->sum));
    line("time per iteration", duration_text(r.pagerank->seconds_per_iteration));
  }
  if (r.bfs) {
    line("reached", fmt::format("{} vertices, the last at level {}", r.bfs->reached, r.bfs->depth));
    line("rounds", fmt::format("{} pulled, {} pushed", r.bfs->rounds.pulled, r.bfs->rounds.pushed));
    line("search took", duration_text(r.bfs->seconds));
  }
  if (r.sssp) {
    if (!r.weighted) line("weights", "none in the graph: each edge has length 1");
    line("reached",
         fmt::format("{} vertices, the last at distance {}", r.sssp->reached, r.sssp->farthest));
    line("rounds",
         fmt::format("{} pulled, {} pushed", r.sssp->rounds.pulled, r.sssp->rounds.pushed));
    line("search took", duration_text(r.sssp->seconds));
  }
  if (r.communities) {
    line("communities",
         fmt::format("{}, after {} iterations", r.communities->count, r.communities->iterations));
    line("propagation took", duration_text(r.communities->seconds));
  }
  if (r.written) {
    line("written", fmt::format("{}, {} bytes", shown_name(r.output), r.written->bytes));
    if (r.written->vertices > r.vertices) {
      line("unused numbers",
           fmt::format("{}, which are vertices without edges there; --renumber leaves none",
                       r.written->vertices - r.vertices));
    }
  }
  if (!r.verdict.empty()) line("verified", r.verdict);
  return out;
}

}  // namespace far::apps
