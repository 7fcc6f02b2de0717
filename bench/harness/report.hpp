#pragma once
// A benchmark's result and its output: a table for people, rows of JSON for programs.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "bench/harness/figure.hpp"
#include "bench/harness/statistics.hpp"

namespace far::bench {

/// The goal of a row; empty for a row that is only information.
struct goal {
  std::optional<double> max_ratio = {};  ///< ratio to the limit
  std::optional<double> max_ns = {};
  bool ahead_of_peers = false;                ///< faster than the best peer
  std::optional<double> max_peer_ratio = {};  ///< ratio to the best peer
};

/// One line of the result: an operation and its comparisons. All times are medians, of one
/// operation.
struct row {
  std::string name;                          ///< "put 8 bytes"
  double ns = 0;                             ///< libfar's time
  std::optional<double> limit_ns = {};       ///< the baseline: the same work, hand-written
  std::map<std::string, double> peers = {};  ///< alternatives that a user could choose
  goal wanted = {};
  std::string note = {};
  std::optional<double> predicted_ns = {};  ///< the model's prediction
  /// The ratio of the time to the limit, if both were measured in the same rounds. A goal inside
  /// the interval is neither met nor missed.
  std::optional<interval> paired = {};

  /// Ratio of the time to the limit; 1 is as fast as the baseline. For paired times, the median of
  /// the ratios.
  [[nodiscard]] std::optional<double> ratio() const;
  /// Ratio of the time to that of the fastest peer.
  [[nodiscard]] std::optional<double> peer_ratio() const;
};

struct report {
  std::string measured;  ///< one or more lines: what was measured, and what the limit is
  std::vector<row> rows = {};
  std::vector<std::string> remarks = {};  ///< "MPICH is not installed (Debian: ...)"
  std::vector<figure> figures = {};
  std::vector<claim> claims = {};
};

/// 3.8 ns, 12.5 us, 1.25 ms, 2.00 s.
[[nodiscard]] std::string human_time(double ns);

/// The rate of operations that take `ns` each: 950 /s, 12.5 K/s, 1.25 M/s.
[[nodiscard]] std::string human_rate(double ns);

/// The table with its heading and remarks, without empty columns.
[[nodiscard]] std::string table_of(std::string_view benchmark, const report& result);

/// Adds {name, ns, limit_ns, ratio, peers, benchmark} for each row. limit_ns and ratio are null if
/// there is no limit. Also adds predicted_ns if there is a prediction, ratio_low and ratio_high for
/// paired ratios, and the points of figures and the claims.
void append_json(nlohmann::ordered_json& list, std::string_view benchmark, const report& result);

}  // namespace far::bench
