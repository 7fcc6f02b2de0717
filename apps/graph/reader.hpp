#pragma once
// Reads graph files of text part by part: edge lists (snap.hpp), Matrix Market (matrix_market.hpp),
// DIMACS (dimacs.hpp) and METIS (metis.hpp), plain or packed with gzip or xz. The format is that of
// the file's name, else its first bytes show it.
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
#include "apps/graph/dimacs.hpp"
#include "apps/graph/format.hpp"
#include "apps/graph/matrix_market.hpp"
#include "apps/graph/metis.hpp"
#include "apps/graph/reader_types.hpp"

namespace far::apps {

struct graph_reader_settings {
  name_callback on_name = {};  ///< names in this part; a name may come before or after its edges
  input_settings input = {};
  graph_format format = graph_format::automatic;  ///< a text format
  bool weights = false;                           ///< whether to read weights
  weight_sign allowed = weight_sign::any;         ///< of these
};

/// Not thread-safe. Every error is an input_error; after an error the reader is unusable.
class graph_reader {
 public:
  graph_reader(std::string path, const input_plan& plan, file_part part,
               graph_reader_settings settings = {});

  /// Appends some of this part's edges, unchanged; and their weights to `weights`, if the settings
  /// ask for them and the file has them. Returns false if there are no more.
  bool read(std::vector<edge>& edges, std::vector<double>* weights = nullptr);

  /// Set if the format has a header. Available from the start, except for a stream: then only in
  /// part 0, after the head has been read.
  [[nodiscard]] const std::optional<graph_header>& header() const;

  /// Edges read so far by this part. Pass the sum over all parts to check_entries.
  [[nodiscard]] std::uint64_t entries() const { return entries_; }

  /// For METIS files, whose lines do not say which vertex they belong to: reads the part once more,
  /// and returns how many vertices' lines it has; and sets the first of them before `read`. A part
  /// that is not the whole file needs both. Plain files only.
  [[nodiscard]] std::uint64_t count_lists() const;
  void start_at(std::uint64_t vertex) { metis_.start_at(vertex); }
  /// The number of the vertex whose list would be next.
  [[nodiscard]] std::uint64_t next_vertex() const { return metis_.next_vertex(); }

  [[nodiscard]] graph_format format() const { return format_; }

 private:
  void look_ahead();
  void take_head(item_chunk& chunk);
  void parse(std::string_view text, std::vector<edge>& edges, std::vector<double>* weights);
  [[nodiscard]] bool head_missing() const;
  [[noreturn]] void fail_without_head() const;

  graph_reader_settings settings_;
  input_plan plan_;
  file_part part_;
  item_reader lines_;
  graph_format format_;
  matrix_market_parser matrix_;
  dimacs_parser dimacs_;
  metis_parser metis_;
  std::optional<bool> weighted_;  // of an edge list: whether its first edge has a weight
  std::uint64_t head_end_ = 0;    // the text before it is the head, and parsed already
  std::uint64_t entries_ = 0;
};

/// The plan by which the parts read a file of this format: METIS files cannot be read in stripes.
[[nodiscard]] input_plan plan_for(graph_format format, input_plan plan);

/// Throws input_error unless all parts together have as many entries as the header states.
void check_entries(const std::string& path, const std::optional<graph_header>& header,
                   std::uint64_t entries);

/// Throws input_error unless all parts of a METIS file have a line for each vertex.
void check_lists(const std::string& path, const std::optional<graph_header>& header,
                 std::uint64_t lists);

/// A whole file of text, read by one rank.
struct whole_graph {
  std::vector<edge> edges;
  std::vector<double> weights;  ///< one per edge, if they were wanted and the file has them
  std::optional<graph_header> header;
  std::unordered_map<std::int64_t, std::string> names;
};
[[nodiscard]] whole_graph read_whole_graph(const std::string& path, graph_format format = {},
                                           bool weights = false);

}  // namespace far::apps
