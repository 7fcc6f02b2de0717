// far-graph bc.

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/common/command_line.hpp"
#include "apps/common/gather_lists.hpp"
#include "apps/common/output.hpp"
#include "apps/graph/betweenness.hpp"
#include "apps/graph/command_progress.hpp"
#include "apps/graph/compare_values.hpp"
#include "apps/graph/computations.hpp"
#include "apps/graph/sample_sources.hpp"
#include "apps/graph/top_list.hpp"
#include "apps/graph/vertex_values.hpp"

namespace far::apps {
namespace {

class bc_command : public computation {
 public:
  void add_options(CLI::App& app) override {
    CLI::Option* const count =
        app.add_option("--sources", count_, "number of vertices to search from, chosen at random")
            ->capture_default_str()
            ->check(number_between(1, 1e18));
    CLI::Option* const seed = app.add_option("--sample-seed", seed_, "another choice of them")
                                  ->capture_default_str()
                                  ->check(number_between(0, 1e18));
    add_whole_number(
        app, "--source", [this](std::int64_t id) { source_id_ = id; },
        "instead: id of the only vertex to search from")
        ->excludes(count)
        ->excludes(seed);
    app.add_option("--top", shown_, "number of vertices of largest betweenness to print")
        ->capture_default_str()
        ->check(number_between(0, 1e9));
  }
  [[nodiscard]] load_options needs() const override { return {.outgoing = true}; }

  void run(world& world, const loaded_graph& loaded, const std::string& graph_name) override {
    const local_graph& graph = loaded.graph;
    if (source_id_) {
      sources_ = {vertex_with_id(world, graph, *source_id_, graph_name)};
    } else {
      sources_ = sample_sources(world, graph, count_, seed_);
    }
    find_ids(world, graph);
    progress_bar bar("bc");
    const auto show = if_drawn(world, bar, std::function([&](std::size_t done) {
                                 bar.update(done, sources_.size(), fmt::format("source {}", done));
                               }));
    result_ = betweenness(world, graph, sources_, show);
    top_ = top_list_of(world, loaded, result_.values, shown_);
  }

  void add_json(nlohmann::ordered_json& object) const override {
    object["sources"] = ids_;
    object["seconds_bc"] = result_.seconds;
    object["top"] = top_.json("betweenness");
  }

  [[nodiscard]] std::string table() const override { return top_.table("betweenness", "{:.6g}"); }

  [[nodiscard]] std::string lines() const override {
    return summary_line("sources", std::to_string(ids_.size())) +
           summary_line("searches took", duration_text(result_.seconds));
  }

  [[nodiscard]] value_text values(world&, const local_graph&) const override {
    return [this](std::size_t i) { return fmt::format("{}", result_.values[i]); };
  }

  [[nodiscard]] std::string compare(world& world, const local_graph&,
                                    const oracle::graph& known) const override {
    const std::vector<double> found = gather_lists(world, result_.values);
    if (world.rank() != 0) return {};
    const std::vector<std::uint32_t> sources(sources_.begin(), sources_.end());
    return compare_values(known, "betweenness value", found, oracle::dependencies(known, sources),
                          1e-9);
  }

 private:
  void find_ids(world& world, const local_graph& graph) {
    const std::uint64_t first = graph.first(world.rank());
    for (const std::uint64_t v : sources_) {
      const bool is_own = v >= first && v - first < graph.own();
      ids_.push_back(is_own ? graph.ids[v - first] : 0);
    }
    allreduce(world, ids_);
  }

  std::uint64_t count_ = 4;
  std::uint64_t seed_ = 1;
  std::optional<std::int64_t> source_id_;
  std::size_t shown_ = 10;
  std::vector<std::uint64_t> sources_;
  std::vector<std::int64_t> ids_;  // of the sources
  betweenness_result result_;
  top_list top_;
};

}  // namespace

std::unique_ptr<computation> make_bc() { return std::make_unique<bc_command>(); }

}  // namespace far::apps
