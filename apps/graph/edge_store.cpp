#include "apps/graph/edge_store.hpp"

namespace far::apps {
namespace {

narrow_edge as(const edge& e, const narrow_edge*) {
  return {static_cast<std::uint32_t>(e.from), static_cast<std::uint32_t>(e.to)};
}

edge as(const edge& e, const edge*) { return e; }

template <class Edge>
std::uint64_t bytes_of(const std::vector<edge_block<Edge>>& blocks) {
  std::uint64_t bytes = 0;
  for (const auto& block : blocks) {
    bytes += block.edges.capacity() * sizeof(Edge) + block.weights.capacity() * sizeof(double);
  }
  return bytes;
}

}  // namespace

void edge_store::append(std::span<const edge> edges, std::span<const double> weights) {
  if (edges.empty()) return;
  std::int64_t low = edges.front().from;
  std::int64_t high = low;
  for (const edge& e : edges) {
    low = std::min({low, e.from, e.to});
    high = std::max({high, e.from, e.to});
  }
  min_ = std::min(min_, low);
  max_ = std::max(max_, high);
  size_ += edges.size();
  weighted_ = weighted_ || !weights.empty();
  if (low >= 0 && high <= std::numeric_limits<std::uint32_t>::max()) {
    append_to(narrow_, edges, weights);
  } else {
    append_to(wide_, edges, weights);
  }
}

template <class Edge>
void edge_store::append_to(std::vector<edge_block<Edge>>& blocks, std::span<const edge> edges,
                           std::span<const double> weights) {
  while (!edges.empty()) {
    if (blocks.empty() || blocks.back().edges.size() == edges_per_block) {
      // The first block grows as needed: small graphs are common in tests. The others are full.
      edge_block<Edge> block;
      if (!blocks.empty()) {
        block.edges.reserve(edges_per_block);
        if (!weights.empty()) block.weights.reserve(edges_per_block);
      }
      blocks.push_back(std::move(block));
    }
    edge_block<Edge>& last = blocks.back();
    const std::size_t count = std::min(edges.size(), edges_per_block - last.edges.size());
    const std::size_t before = last.edges.size();
    last.edges.resize(before + count);
    for (std::size_t i = 0; i < count; ++i) {
      last.edges[before + i] = as(edges[i], static_cast<const Edge*>(nullptr));
    }
    if (!weights.empty()) {
      last.weights.insert(last.weights.end(), weights.begin(),
                          weights.begin() + static_cast<std::ptrdiff_t>(count));
      weights = weights.subspan(count);
    }
    edges = edges.subspan(count);
  }
}

void edge_store::release(std::size_t index) {
  if (index < narrow_.size()) {
    narrow_[index] = {};
  } else {
    wide_[index - narrow_.size()] = {};
  }
}

std::uint64_t edge_store::bytes() const { return bytes_of(narrow_) + bytes_of(wide_); }

}  // namespace far::apps
