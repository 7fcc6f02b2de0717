// Uses doubles throughout. A vertex's contribution (rank / out-degree) is stored with its rank, so
// that the inner loop is one gather and one addition per edge. Contributions are double-buffered:
// an iteration reads the last one's and writes its own, so that it needs only one barrier. Threads
// have equal numbers of edges plus vertices.

#include "bench/baselines/csr_pagerank.hpp"

#include <algorithm>
#include <barrier>
#include <cmath>
#include <thread>

#include "bench/harness/measure.hpp"

namespace far::bench {
namespace {

constexpr double damping = 0.85;
constexpr double tolerance = 1e-10;
constexpr int max_iterations = 200;

// A thread's sums over its rows; one cache line each.
struct alignas(64) partial {
  double change = 0;
  double dangling = 0;
};

class computation {
 public:
  computation(const csr_graph& graph, unsigned threads)
      : graph_(graph), bounds_(split(graph, threads)), partials_(threads) {
    const std::uint32_t n = graph.vertices();
    const double first = 1.0 / n;
    ranks_.assign(n, first);
    for (auto& side : contributions_) side.resize(n);
    double dangling = 0;
    for (std::uint32_t v = 0; v < n; ++v) {
      contributions_[0][v] = contribution(v, first);
      if (graph.out_degree[v] == 0) dangling += first;
    }
    set_base(dangling);
  }

  pagerank_result run() {
    const auto threads = static_cast<std::ptrdiff_t>(partials_.size());
    std::barrier meeting(threads, [this]() noexcept { end_iteration(); });
    auto work = [&](std::size_t thread) {
      while (!done_) {
        iterate(thread);
        meeting.arrive_and_wait();
      }
    };
    const double start = now_ns();
    std::vector<std::jthread> others;
    for (std::size_t t = 1; t < partials_.size(); ++t) others.emplace_back(work, t);
    work(0);
    others.clear();  // joins
    return {std::move(ranks_), iterations_, (now_ns() - start) / iterations_};
  }

 private:
  // Thread t has rows bounds[t] .. bounds[t + 1] - 1.
  static std::vector<std::uint32_t> split(const csr_graph& graph, unsigned threads) {
    const std::uint64_t work = graph.sources.size() + graph.vertices();
    std::vector<std::uint32_t> bounds = {0};
    for (unsigned t = 1; t < threads; ++t) {
      std::uint32_t v = bounds.back();
      while (v < graph.vertices() && graph.begin[v] + v < work * t / threads) ++v;
      bounds.push_back(v);
    }
    bounds.push_back(graph.vertices());
    return bounds;
  }

  [[nodiscard]] double contribution(std::uint32_t v, double rank) const {
    const std::uint32_t degree = graph_.out_degree[v];
    return degree == 0 ? 0 : rank / degree;
  }

  void set_base(double dangling) { base_ = (1 - damping + damping * dangling) / graph_.vertices(); }

  void iterate(std::size_t thread) {
    const double* const from = contributions_[iterations_ % 2].data();
    double* const to = contributions_[(iterations_ + 1) % 2].data();
    const std::uint32_t* const sources = graph_.sources.data();
    partial mine;
    for (std::uint32_t v = bounds_[thread]; v < bounds_[thread + 1]; ++v) {
      double sum = 0;
      const std::uint64_t end = graph_.begin[v + 1];
      for (std::uint64_t i = graph_.begin[v]; i < end; ++i) sum += from[sources[i]];
      const double rank = base_ + damping * sum;
      mine.change += std::abs(rank - ranks_[v]);
      ranks_[v] = rank;
      to[v] = contribution(v, rank);
      if (graph_.out_degree[v] == 0) mine.dangling += rank;
    }
    partials_[thread] = mine;
  }

  // Runs while all threads wait.
  void end_iteration() {
    partial all;
    for (const partial& p : partials_) {
      all.change += p.change;
      all.dangling += p.dangling;
    }
    set_base(all.dangling);
    ++iterations_;
    done_ = all.change < tolerance || iterations_ == max_iterations;
  }

  const csr_graph& graph_;
  std::vector<std::uint32_t> bounds_;
  std::vector<partial> partials_;
  std::vector<double> ranks_;
  std::vector<double> contributions_[2];
  double base_ = 0;  // the rank of a vertex without in-edges
  int iterations_ = 0;
  bool done_ = false;
};

// Renumbers the vertices that occur to 0 .. count - 1, in order; returns the count.
std::uint32_t renumber(edge_list& edges) {
  std::uint32_t greatest = 0;
  for (const auto& [from, to] : edges) greatest = std::max({greatest, from, to});
  std::vector<std::uint32_t> places(std::size_t{greatest} + 1);
  for (const auto& [from, to] : edges) places[from] = places[to] = 1;
  std::uint32_t count = 0;
  for (std::uint32_t& place : places) {
    if (place != 0) place = count++;
  }
  for (auto& [from, to] : edges) {
    from = places[from];
    to = places[to];
  }
  return count;
}

}  // namespace

csr_graph make_csr(edge_list edges) {
  const std::uint32_t vertices = edges.empty() ? 0 : renumber(edges);
  return make_csr(std::move(edges), vertices);
}

csr_graph make_csr(edge_list edges, std::uint32_t vertices) {
  csr_graph graph;
  graph.out_degree.resize(vertices);
  graph.begin.resize(std::size_t{vertices} + 1);
  std::erase_if(edges, [](const auto& e) { return e.first == e.second; });
  for (auto& [from, to] : edges) std::swap(from, to);  // rows are targets
  std::ranges::sort(edges);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  graph.sources.reserve(edges.size());
  for (const auto& [to, from] : edges) {
    ++graph.begin[to + 1];
    ++graph.out_degree[from];
    graph.sources.push_back(from);
  }
  for (std::uint32_t v = 0; v < vertices; ++v) graph.begin[v + 1] += graph.begin[v];
  return graph;
}

pagerank_result csr_pagerank(const csr_graph& graph, unsigned threads) {
  return graph.vertices() == 0 ? pagerank_result{} : computation(graph, threads).run();
}

}  // namespace far::bench
