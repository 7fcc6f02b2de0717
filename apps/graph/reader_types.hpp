#pragma once
// The contents of graph files.

#include <compare>
#include <cstdint>
#include <functional>
#include <string_view>

namespace far::apps {

/// An edge as read, with the file's ids; loops and duplicates are not dropped yet.
struct edge {
  std::int64_t from = 0;
  std::int64_t to = 0;

  friend auto operator<=>(const edge&, const edge&) = default;
};

/// The head of a Matrix Market file. Trivially copyable.
struct matrix_header {
  std::uint64_t vertices = 0;  ///< the ids are 1..vertices, all of them in the graph
  std::uint64_t entries = 0;
  bool symmetric = false;  ///< each entry is an edge in both directions: an undirected graph
  int values = 0;          ///< how many numbers follow the two ids; the graph ignores them
};

/// Called for a `# vertex ID NAME` comment; `name` is valid only during the call.
using name_callback = std::function<void(std::int64_t id, std::string_view name)>;

}  // namespace far::apps
