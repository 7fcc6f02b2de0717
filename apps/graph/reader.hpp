#pragma once
// Reads graph files part by part: SNAP edge lists (snap.hpp) and Matrix Market (matrix_market.hpp),
// distinguished by their first bytes, plain or packed with gzip or xz.
//
// Every rank creates a reader of its own part. Instead, one rank may unpack a packed file for all:
// that rank reads part {0, 1} and distributes the edges.

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "apps/common/input_file.hpp"
#include "apps/common/item_reader.hpp"
#include "apps/graph/matrix_market.hpp"
#include "apps/graph/reader_types.hpp"

namespace far::apps {

struct graph_reader_settings {
  name_callback on_name = {};  ///< names in this part; a name may come before or after its edges
  input_settings input = {};
};

/// Not thread-safe. Every error is an input_error; after an error the reader is unusable.
class graph_reader {
 public:
  graph_reader(std::string path, const input_plan& plan, file_part part,
               graph_reader_settings settings = {});

  /// Appends some of this part's edges, unchanged; returns false if there are no more.
  bool read(std::vector<edge>& edges);

  /// Set for a Matrix Market file. Available from the start, except for a stream: then only in part
  /// 0, after the head has been read.
  [[nodiscard]] const std::optional<matrix_header>& matrix() const { return matrix_.header(); }

  /// Edges read so far by this part. Pass the sum over all parts to check_entries.
  [[nodiscard]] std::uint64_t entries() const { return entries_; }

 private:
  enum class format : std::uint8_t { unknown, snap, matrix_market };

  void look_ahead();
  void take_head(item_chunk& chunk);
  [[nodiscard]] bool head_missing() const;
  [[noreturn]] void fail_without_head() const;

  graph_reader_settings settings_;
  input_plan plan_;
  item_reader lines_;
  format format_ = format::unknown;
  matrix_market_parser matrix_;
  std::uint64_t head_end_ = 0;  // the text before it is the head, and parsed already
  std::uint64_t entries_ = 0;
};

/// Throws input_error unless all parts together have as many entries as the header states.
void check_entries(const std::string& path, const std::optional<matrix_header>& header,
                   std::uint64_t entries);

/// A whole file, read by one rank.
struct whole_graph {
  std::vector<edge> edges;
  std::optional<matrix_header> matrix;
  std::unordered_map<std::int64_t, std::string> names;
};
[[nodiscard]] whole_graph read_whole_graph(const std::string& path);

}  // namespace far::apps
