// far-graph bfs.

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/common/gather_lists.hpp"
#include "apps/graph/bfs.hpp"
#include "apps/graph/command_progress.hpp"
#include "apps/graph/computations.hpp"
#include "apps/graph/search_command.hpp"
#include "far/base/error.hpp"

namespace far::apps {
namespace {

class bfs_command : public search_command {
 public:
  [[nodiscard]] load_options needs() const override { return {.outgoing = true}; }

  void add_json(nlohmann::ordered_json& object) const override {
    object["reached"] = result_.reached;
    object["depth"] = result_.depth;
    add_rounds(object, result_.rounds);
    object["seconds_bfs"] = result_.seconds;
  }

  [[nodiscard]] std::string lines() const override {
    return lines_of(result_.reached, fmt::format("level {}", result_.depth), result_.rounds,
                    result_.seconds);
  }

  [[nodiscard]] value_text values(world&, const local_graph&) const override {
    return [this](std::size_t i) { return std::to_string(result_.levels[i]); };
  }

  /// By Graph500's rules: a parent is one level nearer to the source, and an arc leads from it.
  [[nodiscard]] std::string compare(world& world, const local_graph&,
                                    const oracle::graph& known) const override {
    const std::vector<std::uint64_t> levels = gather_lists(world, result_.levels);
    const std::vector<std::uint64_t> parents = gather_lists(world, result_.parents);
    if (world.rank() != 0) return {};
    const auto expected = oracle::levels(known, static_cast<std::uint32_t>(source()));
    std::vector<bool> has_arc(levels.size());  // from its parent
    for (const auto& [from, to] : known.arcs) has_arc[to] = has_arc[to] || parents[to] == from;
    for (std::size_t v = 0; v < levels.size(); ++v) {
      if (levels[v] != expected[v].value_or(not_reached)) {
        throw error(fmt::format("verification failed: vertex {} is at level {}, sequentially at {}",
                                known.ids[v], levels[v], expected[v].value_or(not_reached)));
      }
      if (levels[v] == 0 || levels[v] == not_reached) continue;
      if (!has_arc[v] || levels.at(parents[v]) + 1 != levels[v]) {
        throw error(
            fmt::format("verification failed: vertex {} has no edge from a vertex of level {}",
                        known.ids[v], levels[v] - 1));
      }
    }
    return "levels equal a sequential search's, and parents are a tree";
  }

 private:
  void search(world& world, const local_graph& graph) override {
    progress_bar bar("bfs");
    std::uint64_t reached = 0;
    const auto show =
        if_drawn(world, bar, std::function([&](std::uint64_t level, std::uint64_t active) {
                   reached += active;
                   bar.update(reached, graph.vertices, fmt::format("level {}", level));
                 }));
    result_ = bfs(world, graph, source(), show, engine());
  }

  bfs_result result_;
};

}  // namespace

std::unique_ptr<computation> make_bfs() { return std::make_unique<bfs_command>(); }

}  // namespace far::apps
