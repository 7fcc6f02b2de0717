#pragma once
// What graph files hold.

#include <compare>
#include <cstdint>
#include <functional>
#include <string_view>

namespace far::apps {

/// As read: ids are the file's own, and nothing is dropped yet.
struct edge {
  std::int64_t from = 0;
  std::int64_t to = 0;

  friend auto operator<=>(const edge&, const edge&) = default;
};

/// What the head of a Matrix Market file promises. Trivially copyable.
struct matrix_header {
  std::uint64_t vertices = 0;  ///< ids are 1..vertices, and all of them are in the graph
  std::uint64_t entries = 0;
  bool symmetric = false;  ///< each entry stands for both directions: an undirected graph
  int values = 0;          ///< numbers after the two ids, which the graph does not use
};

/// Called with what a `# vertex ID NAME` comment says; `name` is valid during the call only.
using name_callback = std::function<void(std::int64_t id, std::string_view name)>;

}  // namespace far::apps
