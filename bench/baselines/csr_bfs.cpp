#include "bench/baselines/csr_bfs.hpp"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <thread>
#include <vector>

#include "bench/harness/measure.hpp"

namespace far::bench {
namespace {

constexpr std::size_t part = 256;  // of the frontier, which a thread takes at once

class search {
 public:
  search(const csr_graph& graph, std::uint32_t source, unsigned threads)
      : graph_(graph), reached_(graph.vertices()), frontier_{source}, next_(threads) {
    reached_[source] = 1;
  }

  bfs_result run() {
    std::barrier meeting(static_cast<std::ptrdiff_t>(next_.size()), [this]() noexcept { turn(); });
    auto work = [&](std::size_t thread) {
      while (!frontier_.empty()) {
        expand(next_[thread]);
        meeting.arrive_and_wait();
      }
    };
    const double start = now_ns();
    std::vector<std::jthread> others;
    for (std::size_t t = 1; t < next_.size(); ++t) others.emplace_back(work, t);
    work(0);
    others.clear();  // joins
    result_.ns = now_ns() - start;
    return result_;
  }

 private:
  void expand(std::vector<std::uint32_t>& found) {
    for (std::size_t begin; (begin = taken_.fetch_add(part)) < frontier_.size();) {
      const std::size_t end = std::min(begin + part, frontier_.size());
      for (std::size_t i = begin; i < end; ++i) {
        const std::uint32_t v = frontier_[i];
        for (std::uint64_t e = graph_.begin[v]; e < graph_.begin[v + 1]; ++e) {
          if (take(graph_.sources[e])) found.push_back(graph_.sources[e]);
        }
      }
    }
  }

  // Whether this thread is the first to reach the vertex.
  bool take(std::uint32_t v) {
    const std::atomic_ref<std::uint8_t> mark(reached_[v]);
    if (mark.load(std::memory_order_relaxed) != 0) return false;
    return mark.exchange(1, std::memory_order_relaxed) == 0;
  }

  // Runs while all threads wait.
  void turn() {
    result_.reached += frontier_.size();
    frontier_.clear();
    for (auto& list : next_) {
      frontier_.insert(frontier_.end(), list.begin(), list.end());
      list.clear();
    }
    if (!frontier_.empty()) ++result_.depth;
    taken_ = 0;
  }

  const csr_graph& graph_;
  std::vector<std::uint8_t> reached_;
  std::vector<std::uint32_t> frontier_;
  std::vector<std::vector<std::uint32_t>> next_;  // by thread
  std::atomic<std::size_t> taken_ = 0;            // of the frontier
  bfs_result result_;
};

}  // namespace

bfs_result csr_bfs(const csr_graph& graph, std::uint32_t source, unsigned threads) {
  return search(graph, source, threads).run();
}

}  // namespace far::bench
