#pragma once
// The oriented rows of ghosts, fetched from their owners a few at a time.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "apps/graph/ghost_lookup.hpp"
#include "apps/graph/local_graph.hpp"
#include "apps/graph/oriented_rows.hpp"
#include "far/far.hpp"

namespace far::apps {

/// Own rows in memory that other ranks read. Construction and destruction are collective; between
/// them, each rank fetches on its own.
class ghost_rows {
 public:
  /// Called with the place of a ghost, the places of those of its row's targets that are columns of
  /// this rank, and their arcs, if the rows have any. The order of the targets says nothing.
  using visitor = std::function<void(std::uint32_t place, std::span<const std::uint32_t> targets,
                                     std::span<const std::uint8_t> arcs)>;

  /// `graph` and `rows` must outlive this.
  /// Cost: two ghost exchanges. Memory: 8 bytes per edge of `rows`, on all ranks as many as on the
  /// one with most edges.
  ghost_rows(world& world, const local_graph& graph, const oriented_rows& rows);
  ~ghost_rows();
  ghost_rows(const ghost_rows&) = delete;
  ghost_rows& operator=(const ghost_rows&) = delete;

  /// Visits each ghost to which an edge leads, once.
  /// Cost: 8 bytes per target of their rows, in gets of about `batch_entries` together, of which
  /// one is in flight while another is visited. Memory: two such batches. Errors: rank_failed.
  void visit(const visitor& visit);

 private:
  /// A target as others read it: twice its number, plus 1 if there are arcs both ways.
  using entry = std::uint64_t;
  static constexpr std::uint64_t batch_entries = std::uint64_t{1} << 16;
  /// Two rows whose distance at their owner is at most this are one piece of a get.
  static constexpr std::uint64_t max_gap = 64;

  struct row {
    std::uint32_t ghost;
    int owner;
    std::uint64_t begin, end;  ///< in what its owner has published
  };
  struct batch {
    std::vector<row> rows;
    std::vector<std::uint64_t> places;  ///< where each row begins in entries
    std::vector<entry> entries;
    std::optional<future<void>> arrival;
  };

  void publish();
  void find_wanted();
  [[nodiscard]] batch fetch(std::size_t& next) const;
  [[nodiscard]] std::optional<std::uint32_t> column_of(std::uint64_t number) const;

  world* world_;
  const local_graph* graph_;
  const oriented_rows* rows_;
  ghost_lookup lookup_;
  ptr<entry> published_;
  std::vector<row> wanted_;
  collective_scope scope_;
};

}  // namespace far::apps
