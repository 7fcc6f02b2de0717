// far-graph pagerank.

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/common/command_line.hpp"
#include "apps/common/gather_lists.hpp"
#include "apps/common/output.hpp"
#include "apps/graph/command_progress.hpp"
#include "apps/graph/computations.hpp"
#include "apps/graph/engine_options.hpp"
#include "apps/graph/pagerank.hpp"
#include "apps/graph/top_list.hpp"
#include "far/base/error.hpp"

namespace far::apps {
namespace {

class pagerank_command : public computation {
 public:
  void add_options(CLI::App& app) override {
    app.add_option("--damping", options_.damping, "probability of following an edge")
        ->capture_default_str()
        ->check(number_between(0, 1));
    app.add_option("--tolerance", options_.tolerance,
                   "stop when an iteration changes the ranks by less")
        ->capture_default_str()
        ->check(number_between(0, 1e9));
    app.add_option("--iterations", options_.max_iterations, "max number of iterations")
        ->capture_default_str()
        ->check(number_between(1, 1e9));
    app.add_option("--top", shown_, "number of vertices of largest rank to print")
        ->capture_default_str()
        ->check(number_between(0, 1e9));
    add_engine_options(app, engine_);
  }

  void run(world& world, const loaded_graph& loaded, const std::string&) override {
    progress_bar bar("pagerank");
    options_.on_iteration =
        if_drawn(world, bar, std::function([&](int iteration, double change) {
                   bar.update(static_cast<std::uint64_t>(iteration),
                              static_cast<std::uint64_t>(options_.max_iterations),
                              fmt::format("change {:.1e}", change));
                 }));
    result_ = pagerank(world, loaded.graph, options_, engine_);
    options_.on_iteration = {};
    top_ = top_list_of(world, loaded, result_.ranks, shown_);
  }

  void add_json(nlohmann::ordered_json& object) const override {
    object["iterations"] = result_.iterations;
    object["converged"] = result_.converged;
    object["change"] = result_.change;
    object["sum"] = result_.sum;
    add_engine(object, engine_);
    object["seconds_per_iteration"] = result_.seconds_per_iteration;
    object["top"] = top_.json("rank");
  }

  [[nodiscard]] std::string table() const override { return top_.table("PageRank", "{:.6f}"); }

  [[nodiscard]] std::string lines() const override {
    std::string text = summary_line(
        "iterations", fmt::format("{}, last change {:.1e}", result_.iterations, result_.change));
    if (!result_.converged) {
      text += summary_line(
          "not converged",
          "the last change is not below --tolerance; raise --iterations, or lower --damping");
    }
    return text + summary_line("sum of ranks", fmt::format("{:.12f}", result_.sum)) +
           engine_line(engine_) +
           summary_line("time per iteration", duration_text(result_.seconds_per_iteration));
  }

  [[nodiscard]] value_text values(world&, const local_graph&) const override {
    return [this](std::size_t i) { return fmt::format("{}", result_.ranks[i]); };
  }

  [[nodiscard]] std::string compare(world& world, const local_graph&,
                                    const oracle::graph& known) const override {
    const std::vector<double> ranks = gather_lists(world, result_.ranks);
    if (world.rank() != 0) return {};
    const auto expected =
        oracle::pagerank(known, {options_.damping, options_.tolerance, options_.max_iterations});
    double difference = 0;
    for (std::size_t v = 0; v < ranks.size(); ++v) {
      difference += std::abs(ranks[v] - expected.ranks[v]);
    }
    constexpr double bound = 1e-9;
    if (!(difference <= bound)) {
      throw error(
          fmt::format("verification failed: the ranks differ from a sequential "
                      "computation's by {:.3g} in sum (at most {:.0e})",
                      difference, bound));
    }
    return fmt::format("ranks differ from a sequential computation's by {:.1e} in sum", difference);
  }

 private:
  pagerank_options options_;
  engine_choice engine_;
  std::size_t shown_ = 10;
  pagerank_result result_;
  top_list top_;
};

}  // namespace

std::unique_ptr<computation> make_pagerank() { return std::make_unique<pagerank_command>(); }

}  // namespace far::apps
