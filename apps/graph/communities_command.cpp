// far-graph communities.

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/common/command_line.hpp"
#include "apps/common/gather_lists.hpp"
#include "apps/common/output.hpp"
#include "apps/graph/command_progress.hpp"
#include "apps/graph/communities.hpp"
#include "apps/graph/computations.hpp"
#include "apps/graph/vertex_values.hpp"
#include "far/base/error.hpp"

namespace far::apps {
namespace {

class communities_command : public computation {
 public:
  void add_options(CLI::App& app) override {
    app.add_option("--iterations", max_iterations_, "max number of iterations")
        ->capture_default_str()
        ->check(number_between(0, 1e9));
  }
  [[nodiscard]] load_options needs() const override { return {.outgoing = true}; }

  void run(world& world, const loaded_graph& loaded, const std::string&) override {
    progress_bar bar("communities");
    const auto show = if_drawn(world, bar, std::function([&](int iteration, std::uint64_t changed) {
                                 bar.update(static_cast<std::uint64_t>(iteration),
                                            static_cast<std::uint64_t>(max_iterations_),
                                            fmt::format("{} labels changed", changed));
                               }));
    result_ = communities(world, loaded.graph, max_iterations_, show);
  }

  void add_json(nlohmann::ordered_json& object) const override {
    object["communities"] = result_.count;
    object["iterations"] = result_.iterations;
    object["seconds_communities"] = result_.seconds;
  }

  [[nodiscard]] std::string lines() const override {
    return summary_line("communities",
                        fmt::format("{}, after {} iterations", result_.count, result_.iterations)) +
           summary_line("propagation took", duration_text(result_.seconds));
  }

  [[nodiscard]] value_text values(world& world, const local_graph& graph) const override {
    return id_text_of(world, graph, result_.labels);
  }

  [[nodiscard]] std::string compare(world& world, const local_graph& graph,
                                    const oracle::graph& known) const override {
    const std::vector<std::uint64_t> labels = gather_lists(world, result_.labels);
    if (world.rank() != 0) return {};
    const auto expected = oracle::communities(known, graph.undirected, max_iterations_);
    for (std::size_t v = 0; v < labels.size(); ++v) {
      if (labels[v] == expected[v]) continue;
      throw error(fmt::format("verification failed: vertex {} has label {}, sequentially {}",
                              known.ids[v], known.ids.at(labels[v]), known.ids[expected[v]]));
    }
    return "communities equal a sequential computation's";
  }

 private:
  int max_iterations_ = 10;
  communities_result result_;
};

}  // namespace

std::unique_ptr<computation> make_communities() { return std::make_unique<communities_command>(); }

}  // namespace far::apps
