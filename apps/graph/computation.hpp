#pragma once
// What far-graph computes. Each computation is a class behind this interface, in its own file;
// computations.cpp lists the commands that they make.

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "apps/graph/load.hpp"
#include "apps/graph/oracle.hpp"
#include "far/far.hpp"

namespace CLI {
class App;
}

namespace far::apps {

/// The text of own vertex i's value.
using value_text = std::function<std::string(std::size_t i)>;

/// A computation with its options and, once it has run, its result. Each rank has its own.
class computation {
 public:
  computation() = default;
  computation(const computation&) = delete;
  computation& operator=(const computation&) = delete;
  virtual ~computation() = default;

  /// Adds its own options to its command. They set members, so it must outlive the parsing.
  virtual void add_options(CLI::App&) {}
  /// What must be loaded besides the arcs that lead into own vertices.
  [[nodiscard]] virtual load_options needs() const { return {}; }

  /// Collective: computes, and keeps the result. Shows progress on rank 0.
  /// `graph_name` is for messages. Errors: bad_argument for options that do not fit the graph.
  virtual void run(world& world, const loaded_graph& loaded, const std::string& graph_name) = 0;

  /// The result in JSON: adds keys to an object that other computations share.
  virtual void add_json(nlohmann::ordered_json& object) const = 0;
  /// The result as text: a table that comes before all lines, or nothing; and summary lines.
  [[nodiscard]] virtual std::string table() const { return {}; }
  [[nodiscard]] virtual std::string lines() const = 0;
  /// Collective: the values that --output writes. They refer to the result.
  [[nodiscard]] virtual value_text values(world& world, const local_graph& graph) const = 0;

  /// Collective: compares with a sequential computation on `known`, which is the same graph on rank
  /// 0, and empty elsewhere. Returns on rank 0 what has been found equal.
  /// Errors: far::error if the results differ.
  [[nodiscard]] virtual std::string compare(world& world, const local_graph& graph,
                                            const oracle::graph& known) const = 0;
};

/// What one command computes.
using computation_list = std::vector<std::unique_ptr<computation>>;

}  // namespace far::apps
