// far-graph triangles.

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/common/gather_lists.hpp"
#include "apps/common/output.hpp"
#include "apps/graph/command_progress.hpp"
#include "apps/graph/computations.hpp"
#include "apps/graph/triangles.hpp"
#include "apps/graph/undirected_note.hpp"
#include "far/base/error.hpp"

namespace far::apps {
namespace {

class triangles_command : public computation {
 public:
  [[nodiscard]] load_options needs() const override { return {.outgoing = true}; }

  void run(world& world, const loaded_graph& loaded, const std::string&) override {
    directed_ = !loaded.graph.undirected;
    progress_bar bar("triangles");
    const auto show = if_drawn(
        world, bar,
        std::function([&](std::uint64_t done, std::uint64_t all) { bar.update(done, all); }));
    result_ = triangles(world, loaded.graph, show);
  }

  void add_json(nlohmann::ordered_json& object) const override {
    object["triangles"] = result_.count;
    object["directions_ignored"] = directed_;
    object["seconds_triangles"] = result_.seconds;
  }

  [[nodiscard]] std::string lines() const override {
    return undirected_note(directed_) + summary_line("triangles", std::to_string(result_.count)) +
           summary_line("counting took", duration_text(result_.seconds));
  }

  [[nodiscard]] value_text values(world&, const local_graph&) const override {
    return [this](std::size_t i) { return std::to_string(result_.through[i]); };
  }

  [[nodiscard]] std::string compare(world& world, const local_graph&,
                                    const oracle::graph& known) const override {
    const std::vector<std::uint64_t> through = gather_lists(world, result_.through);
    if (world.rank() != 0) return {};
    const auto expected = oracle::triangles(known);
    std::uint64_t corners = 0;
    for (std::size_t v = 0; v < through.size(); ++v) {
      corners += expected[v];
      if (through[v] == expected[v]) continue;
      throw error(fmt::format("verification failed: {} triangles have corner {}, sequentially {}",
                              through[v], known.ids[v], expected[v]));
    }
    if (corners / 3 != result_.count) {
      throw error(fmt::format("verification failed: {} triangles, sequentially {}", result_.count,
                              corners / 3));
    }
    return "triangles equal a sequential computation's";
  }

 private:
  bool directed_ = false;
  triangles_result result_;
};

}  // namespace

std::unique_ptr<computation> make_triangles() { return std::make_unique<triangles_command>(); }

}  // namespace far::apps
