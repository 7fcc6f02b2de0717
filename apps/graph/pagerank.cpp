#include "apps/graph/pagerank.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "far/graph/degrees.hpp"
#include "far/graph/vertex_engine.hpp"

namespace far::apps {
namespace {

/// The sums of an iteration over vertices.
struct sums {
  double change = 0;
  double dangling = 0;  ///< rank of vertices without outgoing arcs
  friend sums operator+(sums a, sums b) { return {a.change + b.change, a.dangling + b.dangling}; }
};

/// Adds in blocks: a single sum of a hundred million small terms would lose too many digits.
class long_sum {
 public:
  void add(double change, double dangling) {
    part_.change += change;
    part_.dangling += dangling;
    if (++added_ % 4096 == 0) all_ = all_ + std::exchange(part_, {});
  }
  /// Of all that was added since the last call.
  sums take() {
    const sums total = all_ + part_;
    *this = {};
    return total;
  }

 private:
  sums all_, part_;
  std::uint64_t added_ = 0;
};

/// A message is a part of the sender's rank.
struct ranking {
  struct value {
    double rank;
    double share;  ///< 1 / number of outgoing arcs; 0 if there are none
  };
  using message = double;
  using combine = std::plus<>;
  static constexpr bool every_vertex = true;

  double vertices;
  const pagerank_options* options;
  pagerank_result* result;
  long_sum counted = {};
  double base = 0;

  static message send(std::uint64_t, const value& v) { return v.rank * v.share; }
  bool apply(value& v, message sum, int) {
    const double rank = base + options->damping * sum;
    counted.add(std::abs(rank - v.rank), v.share == 0 ? rank : 0);
    v.rank = rank;
    return true;
  }
  bool begin_round(const far::world& world, int round) {
    const sums total = allreduce(world, counted.take());
    const double damping = options->damping;
    base = (1 - damping) / vertices + damping * total.dangling / vertices;
    result->iterations = round - 1;
    if (round == 1) return options->max_iterations > 0;
    result->change = total.change;
    if (options->on_iteration) options->on_iteration(result->iterations, result->change);
    return result->iterations < options->max_iterations && result->change >= options->tolerance;
  }
};

}  // namespace

pagerank_result pagerank(world& world, const local_graph& graph, const pagerank_options& options,
                         const engine_choice& choice) {
  pagerank_result result;
  if (graph.vertices == 0) return result;
  run_chosen(choice, [&]<class Way>(const Way& way) {
    const double n = static_cast<double>(graph.vertices);
    const ranking program{n, &options, &result};
    vertex_engine<ranking, Way> engine(world, graph, program, {1 / n, 0}, way);
    auto value = engine.values().begin();
    for (const std::uint64_t degree : out_degrees(world, graph)) {
      value->share = degree > 0 ? 1 / static_cast<double>(degree) : 0;
      engine.program().counted.add(0, degree > 0 ? 0 : 1 / n);
      ++value;
    }
    const std::uint64_t start_ns = world.now();
    engine.run();
    result.seconds_per_iteration =
        static_cast<double>(world.now() - start_ns) * 1e-9 / std::max(result.iterations, 1);
    for (const ranking::value& v : engine.values()) result.ranks.push_back(v.rank);
  });
  // A tolerance of 0 requests all iterations; no change can be below it.
  result.converged =
      result.iterations > 0 && (result.change < options.tolerance || result.change == 0);
  const auto sum = std::accumulate(result.ranks.begin(), result.ranks.end(), 0.0L);
  result.sum = allreduce(world, static_cast<double>(sum));
  return result;
}

}  // namespace far::apps
