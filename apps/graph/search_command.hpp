#pragma once
// What bfs and sssp share: they go along arcs from one vertex.

#include <cstdint>
#include <string>

#include "apps/graph/computation.hpp"
#include "apps/graph/engine_choice.hpp"
#include "far/graph/vertex_engine.hpp"

namespace far::apps {

class search_command : public computation {
 public:
  void add_options(CLI::App& app) override;
  void run(world& world, const loaded_graph& loaded, const std::string& graph_name) final;

 protected:
  /// Collective: the search itself, from source().
  virtual void search(world& world, const local_graph& graph) = 0;
  [[nodiscard]] std::uint64_t source() const { return source_; }
  [[nodiscard]] const engine_choice& engine() const { return engine_; }

  /// `last`: where the last vertex was reached.
  [[nodiscard]] std::string lines_of(std::uint64_t reached, const std::string& last,
                                     const engine_rounds& rounds, double seconds) const;
  void add_rounds(nlohmann::ordered_json& object, const engine_rounds& rounds) const;

 private:
  std::int64_t source_id_ = 0;
  std::uint64_t source_ = 0;  // vertex with that id
  engine_choice engine_;
};

}  // namespace far::apps
