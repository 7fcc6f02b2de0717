// far-graph clustering.

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/common/gather_lists.hpp"
#include "apps/common/output.hpp"
#include "apps/graph/clustering.hpp"
#include "apps/graph/command_progress.hpp"
#include "apps/graph/compare_values.hpp"
#include "apps/graph/computations.hpp"

namespace far::apps {
namespace {

class clustering_command : public computation {
 public:
  [[nodiscard]] load_options needs() const override { return {.outgoing = true}; }

  void run(world& world, const loaded_graph& loaded, const std::string&) override {
    progress_bar bar("clustering");
    const auto show = if_drawn(
        world, bar,
        std::function([&](std::uint64_t done, std::uint64_t all) { bar.update(done, all); }));
    result_ = clustering(world, loaded.graph, show);
  }

  void add_json(nlohmann::ordered_json& object) const override {
    object["mean"] = result_.mean;
    object["seconds_clustering"] = result_.seconds;
  }

  [[nodiscard]] std::string lines() const override {
    return summary_line("mean coefficient", fmt::format("{:.9f}", result_.mean)) +
           summary_line("clustering took", duration_text(result_.seconds));
  }

  [[nodiscard]] value_text values(world&, const local_graph&) const override {
    return [this](std::size_t i) { return fmt::format("{}", result_.coefficients[i]); };
  }

  [[nodiscard]] std::string compare(world& world, const local_graph&,
                                    const oracle::graph& known) const override {
    const std::vector<double> found = gather_lists(world, result_.coefficients);
    if (world.rank() != 0) return {};
    return compare_values(known, "coefficient", found, oracle::clustering(known), 1e-12);
  }

 private:
  clustering_result result_;
};

}  // namespace

std::unique_ptr<computation> make_clustering() { return std::make_unique<clustering_command>(); }

}  // namespace far::apps
