#pragma once
// Shared by tests: graphs as the bytes of files of every format, written by simple sequential code.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "apps/graph/test_arcs.hpp"
#include "apps/graph/test_graphs.hpp"

namespace far::apps::testing {

/// Random edges between vertices 0 .. vertices - 1, with small integers as weights; several have
/// the same ends.
inline std::vector<id_arc> random_weighted_edges(std::uint32_t seed, std::int64_t vertices,
                                                 int count) {
  std::mt19937 random(seed);
  std::vector<id_arc> edges;
  for (const edge& e : random_edges(seed, vertices, count)) {
    edges.push_back({e.from, e.to, static_cast<double>(random() % 9)});
  }
  return edges;
}

inline std::string as_lines(const std::vector<id_arc>& edges, bool weighted,
                            const std::string& before = {}, std::int64_t shift = 0) {
  std::string text;
  for (const id_arc& e : edges) {
    text += fmt::format("{}{} {}", before, e.from + shift, e.to + shift);
    text += weighted ? fmt::format(" {}\n", e.weight) : "\n";
  }
  return text;
}

inline std::string as_matrix(const std::vector<id_arc>& edges, std::int64_t vertices, bool weighted,
                             const std::string& symmetry = "general") {
  return fmt::format("%%MatrixMarket matrix coordinate {} {}\n{} {} {}\n",
                     weighted ? "real" : "pattern", symmetry, vertices, vertices, edges.size()) +
         as_lines(edges, weighted, {}, 1);
}

inline std::string as_dimacs(const std::vector<id_arc>& edges, std::int64_t vertices) {
  return fmt::format("c a graph\np sp {} {}\n", vertices, edges.size()) +
         as_lines(edges, true, "a ", 1);
}

/// The arcs must be those of an undirected graph, in both directions.
inline std::string as_metis(const std::vector<id_arc>& arcs, std::int64_t vertices, bool weighted,
                            bool vertex_weights) {
  std::string text = fmt::format("% a graph\n{} {} {}{}\n", vertices, arcs.size() / 2,
                                 vertex_weights ? "11" : "0", weighted ? "1" : "0");
  if (vertex_weights) text.insert(text.size() - 1, " 2");
  for (std::int64_t v = 0; v < vertices; ++v) {
    if (v % 5 == 2) text += "% a comment\n";
    if (vertex_weights) text += "7 1 2 ";
    for (const id_arc& a : arcs) {
      if (a.from != v) continue;
      text += fmt::format(" {}", a.to + 1);
      if (weighted) text += fmt::format(" {}", a.weight);
    }
    text += '\n';
  }
  return text;
}

template <class T>
void append_bytes(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// A .sg or .wsg of these arcs, whose rows have them in the given order.
inline std::string as_serialized(const std::vector<id_arc>& arcs, std::int64_t vertices,
                                 bool directed, bool weighted) {
  std::string bytes(1, directed ? '\1' : '\0');
  append_bytes(bytes, std::int64_t(arcs.size()));
  append_bytes(bytes, vertices);
  for (const bool incoming : {false, true}) {
    if (incoming && !directed) break;
    std::string entries;
    std::int64_t count = 0;
    for (std::int64_t v = 0; v < vertices; ++v) {
      append_bytes(bytes, count);
      for (const id_arc& a : arcs) {
        if ((incoming ? a.to : a.from) != v) continue;
        append_bytes(entries, static_cast<std::int32_t>(incoming ? a.from : a.to));
        if (weighted) append_bytes(entries, static_cast<std::int32_t>(a.weight));
        ++count;
      }
    }
    append_bytes(bytes, count);
    bytes += entries;
  }
  return bytes;
}

}  // namespace far::apps::testing
