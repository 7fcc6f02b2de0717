// far-graph cores.

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/common/gather_lists.hpp"
#include "apps/common/output.hpp"
#include "apps/graph/command_progress.hpp"
#include "apps/graph/computations.hpp"
#include "apps/graph/cores.hpp"
#include "apps/graph/undirected_note.hpp"
#include "far/base/error.hpp"

namespace far::apps {
namespace {

class cores_command : public computation {
 public:
  [[nodiscard]] load_options needs() const override { return {.outgoing = true}; }

  void run(world& world, const loaded_graph& loaded, const std::string&) override {
    directed_ = !loaded.graph.undirected;
    progress_bar bar("cores, rounds");
    std::uint64_t rounds = 0;
    const auto show = if_drawn(world, bar, std::function([&](std::uint64_t changed) {
                                 bar.update(++rounds, 0, fmt::format("{} bounds fell", changed));
                               }));
    result_ = cores(world, loaded.graph, show);
  }

  void add_json(nlohmann::ordered_json& object) const override {
    object["largest_core"] = result_.largest;
    object["vertices_in_largest_core"] = result_.vertices;
    object["rounds"] = result_.rounds;
    object["directions_ignored"] = directed_;
    object["seconds_cores"] = result_.seconds;
  }

  [[nodiscard]] std::string lines() const override {
    return undirected_note(directed_) +
           summary_line("largest core",
                        fmt::format("{}, of {} vertices", result_.largest, result_.vertices)) +
           summary_line("rounds", fmt::format("{} between ranks", result_.rounds)) +
           summary_line("cores took", duration_text(result_.seconds));
  }

  [[nodiscard]] value_text values(world&, const local_graph&) const override {
    return [this](std::size_t i) { return std::to_string(result_.cores[i]); };
  }

  [[nodiscard]] std::string compare(world& world, const local_graph&,
                                    const oracle::graph& known) const override {
    const std::vector<std::uint64_t> found = gather_lists(world, result_.cores);
    if (world.rank() != 0) return {};
    const auto expected = oracle::cores(known);
    for (std::size_t v = 0; v < found.size(); ++v) {
      if (found[v] == expected[v]) continue;
      throw error(fmt::format("verification failed: vertex {} has core number {}, sequentially {}",
                              known.ids[v], found[v], expected[v]));
    }
    return "core numbers equal a sequential computation's";
  }

 private:
  bool directed_ = false;
  cores_result result_;
};

}  // namespace

std::unique_ptr<computation> make_cores() { return std::make_unique<cores_command>(); }

}  // namespace far::apps
