// far-graph sssp.

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/common/gather_lists.hpp"
#include "apps/common/output.hpp"
#include "apps/graph/command_progress.hpp"
#include "apps/graph/computations.hpp"
#include "apps/graph/search_command.hpp"
#include "apps/graph/sssp.hpp"
#include "far/base/error.hpp"

namespace far::apps {
namespace {

/// A distance as LDBC Graphalytics writes it.
std::string distance_text(double length) {
  return std::isfinite(length) ? fmt::format("{}", length) : "Infinity";
}

class sssp_command : public search_command {
 public:
  [[nodiscard]] load_options needs() const override {
    return {.weights = true, .allowed = weight_sign::not_negative, .outgoing = true};
  }

  void add_json(nlohmann::ordered_json& object) const override {
    object["weighted"] = weighted_;
    object["reached"] = result_.reached;
    object["farthest"] = result_.farthest;
    add_rounds(object, result_.rounds);
    object["seconds_sssp"] = result_.seconds;
  }

  [[nodiscard]] std::string lines() const override {
    return (weighted_ ? "" : summary_line("weights", "none in the graph: each edge has length 1")) +
           lines_of(result_.reached, fmt::format("distance {}", result_.farthest), result_.rounds,
                    result_.seconds);
  }

  [[nodiscard]] value_text values(world&, const local_graph&) const override {
    return [this](std::size_t i) { return distance_text(result_.distances[i]); };
  }

  [[nodiscard]] std::string compare(world& world, const local_graph&,
                                    const oracle::graph& known) const override {
    const std::vector<double> distances = gather_lists(world, result_.distances);
    if (world.rank() != 0) return {};
    const auto expected = oracle::distances(known, static_cast<std::uint32_t>(source()));
    for (std::size_t v = 0; v < distances.size(); ++v) {
      if (distances[v] == expected[v]) continue;
      throw error(
          fmt::format("verification failed: vertex {} is at distance {}, sequentially at {}",
                      known.ids[v], distances[v], expected[v]));
    }
    return "distances equal a sequential computation's";
  }

 private:
  void search(world& world, const local_graph& graph) override {
    weighted_ = graph.weighted;
    progress_bar bar("sssp, rounds");
    std::uint64_t rounds = 0;
    // Nobody knows how many rounds there will be, so there is a counter instead of a bar.
    const auto show = if_drawn(world, bar, std::function([&](std::uint64_t active) {
                                 bar.update(++rounds, 0, fmt::format("{} vertices", active));
                               }));
    result_ = sssp(world, graph, source(), show, engine());
  }

  bool weighted_ = false;
  sssp_result result_;
};

}  // namespace

std::unique_ptr<computation> make_sssp() { return std::make_unique<sssp_command>(); }

}  // namespace far::apps
