#include "apps/graph/report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/common/input_error.hpp"
#include "apps/common/output.hpp"

namespace far::apps {

std::string as_json(const report& r) {
  nlohmann::ordered_json out;
  out["vertices"] = r.vertices;
  out["edges"] = r.edges;
  for (const auto& one : r.computations) one->add_json(out);
  if (r.written) {
    out["output"] = r.output;
    out["vertices_written"] = r.written->vertices;
    out["bytes"] = r.written->bytes;
  }
  if (!r.verdict.empty()) out["verified"] = r.verdict;
  // Names may contain any bytes, also malformed UTF-8.
  return out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string as_text(const report& r) {
  std::string out;
  for (const auto& one : r.computations) {
    if (const std::string table = one->table(); !table.empty()) out += table + "\n";
  }
  out += summary_line("vertices", std::to_string(r.vertices));
  out += summary_line("edges", std::to_string(r.edges));
  for (const auto& one : r.computations) out += one->lines();
  if (r.written) {
    out += summary_line("written",
                        fmt::format("{}, {} bytes", shown_name(r.output), r.written->bytes));
    if (r.written->vertices > r.vertices) {
      out += summary_line("unused numbers",
                          fmt::format("{}, which are vertices without edges there; --renumber "
                                      "leaves none",
                                      r.written->vertices - r.vertices));
    }
    if (r.written->vertices < r.vertices) {
      out += summary_line("left out", fmt::format("{} vertices without edges, which an edge list "
                                                  "cannot have; a .sg can",
                                                  r.vertices - r.written->vertices));
    }
  }
  if (!r.verdict.empty()) out += summary_line("verified", r.verdict);
  return out;
}

}  // namespace far::apps
