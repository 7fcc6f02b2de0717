// far-graph components.

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/common/gather_lists.hpp"
#include "apps/common/output.hpp"
#include "apps/graph/components.hpp"
#include "apps/graph/computations.hpp"
#include "apps/graph/vertex_values.hpp"
#include "far/base/error.hpp"

namespace far::apps {
namespace {

class components_command : public computation {
 public:
  void run(world& world, const loaded_graph& loaded, const std::string&) override {
    result_ = components(world, loaded.graph);
  }

  void add_json(nlohmann::ordered_json& object) const override {
    object["components"] = result_.count;
    object["largest"] = result_.largest;
    object["seconds_components"] = result_.seconds;
  }

  [[nodiscard]] std::string lines() const override {
    return summary_line("components", fmt::format("{}, the largest of {} vertices", result_.count,
                                                  result_.largest)) +
           summary_line("components took", duration_text(result_.seconds));
  }

  [[nodiscard]] value_text values(world& world, const local_graph& graph) const override {
    return id_text_of(world, graph, result_.labels);
  }

  [[nodiscard]] std::string compare(world& world, const local_graph&,
                                    const oracle::graph& known) const override {
    const std::vector<std::uint64_t> labels = gather_lists(world, result_.labels);
    if (world.rank() != 0) return {};
    const auto expected = oracle::components(known);
    for (std::size_t v = 0; v < labels.size(); ++v) {
      if (known.ids[labels[v]] == expected.labels[v]) continue;
      throw error(
          fmt::format("verification failed: vertex {} is in the component of {}, "
                      "sequentially in that of {}",
                      known.ids[v], known.ids[labels[v]], expected.labels[v]));
    }
    return "components equal a sequential computation's";
  }

 private:
  components_result result_;
};

}  // namespace

std::unique_ptr<computation> make_components() { return std::make_unique<components_command>(); }

}  // namespace far::apps
