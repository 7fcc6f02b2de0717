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

/// What the head of a file promises. Trivially copyable.
struct graph_header {
  std::uint64_t vertices = 0;  ///< ids are first_id, first_id + 1, ..., all of them in the graph
  std::uint64_t entries = 0;   ///< edges that the file has
  bool symmetric = false;      ///< each entry is an edge in both directions: an undirected graph
  int values = 0;              ///< how many numbers follow the two ids of an entry
  bool skew = false;           ///< the other direction of an entry has the negative value
  bool listed_twice = false;   ///< an undirected graph whose file has both directions of each edge
  std::int64_t first_id = 1;

  /// Whether entries have one value, which is the weight of an edge; complex ones have two.
  [[nodiscard]] bool weighted() const { return values == 1; }
};

/// Which weights a reader accepts. Those of METIS and DIMACS files are never negative.
enum class weight_sign : std::uint8_t { any, not_negative };

/// Called for a `# vertex ID NAME` comment; `name` is valid only during the call.
using name_callback = std::function<void(std::int64_t id, std::string_view name)>;

}  // namespace far::apps
