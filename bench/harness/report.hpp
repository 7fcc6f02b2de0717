#pragma once
// What a benchmark gives back, and how it is shown: a table for people, rows of JSON for programs.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "bench/harness/figure.hpp"
#include "bench/harness/statistics.hpp"

namespace far::bench {

/// What a row has to hold; empty where it is there for information.
struct goal {
  std::optional<double> most_ratio = {};  ///< to the limit
  std::optional<double> most_ns = {};
  bool ahead_of_peers = false;                 ///< of the best of them
  std::optional<double> most_peer_ratio = {};  ///< to the best of them
};

/// One line of the result: an operation and what it is compared with. All times are medians, of
/// one operation.
struct row {
  std::string name;                          ///< "put 8 bytes"
  double ns = 0;                             ///< libfar's
  std::optional<double> limit_ns = {};       ///< the same work by hand on the bare machine
  std::map<std::string, double> peers = {};  ///< what a user would otherwise pick
  goal wanted = {};
  std::string note = {};
  std::optional<double> predicted_ns = {};  ///< what the model says
  /// Of the time to the limit's, where both were measured in the same rounds. A goal within it is
  /// neither met nor missed.
  std::optional<interval> paired = {};

  /// Time against the limit's; 1 is as fast as by hand. Of paired times the median of ratios.
  [[nodiscard]] std::optional<double> ratio() const;
  /// Time against that of the fastest peer.
  [[nodiscard]] std::optional<double> peer_ratio() const;
};

struct report {
  std::string measured;  ///< one line or more: what was done, and what the limit is
  std::vector<row> rows = {};
  std::vector<std::string> remarks = {};  ///< "MPICH is not installed (Debian: ...)"
  std::vector<figure> figures = {};
  std::vector<claim> claims = {};
};

/// 3.8 ns, 12.5 us, 1.25 ms, 2.00 s.
[[nodiscard]] std::string human_time(double ns);

/// How often a second, of what takes so long: 950 /s, 12.5 K/s, 1.25 M/s.
[[nodiscard]] std::string human_rate(double ns);

/// The table with its heading and remarks; columns that no row fills are left out.
[[nodiscard]] std::string table_of(std::string_view benchmark, const report& result);

/// Adds {name, ns, limit_ns, ratio, peers, benchmark} of each row, and predicted_ns where there is
/// one; limit_ns and ratio are null where there is no limit. Of paired ratios ratio_low and
/// ratio_high too. And what figures and claims add.
void append_json(nlohmann::ordered_json& list, std::string_view benchmark, const report& result);

}  // namespace far::bench
