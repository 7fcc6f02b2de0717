#include "apps/matmul/report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/common/output.hpp"
#include "apps/common/table.hpp"

namespace far::apps::matmul {

std::string as_json(const result& found) {
  nlohmann::ordered_json out;
  out["m"] = found.what.m;
  out["n"] = found.what.n;
  out["k"] = found.what.k;
  out["transposed"] = {found.what.transpose_a, found.what.transpose_b};
  out["ranks"] = found.ranks;
  out["grid"] = {found.grid.rows, found.grid.columns};
  for (const variant_result& v : found.variants) {
    out["variants"].push_back({{"variant", v.name},
                               {"seconds", v.seconds},
                               {"gflops", operations_of(found.what) / v.seconds * 1e-9},
                               {"verified", v.verdict}});
  }
  return out.dump(2) + "\n";
}

std::string as_text(const result& found) {
  table t;
  t.add_column("variant");
  t.add_column("time", align::right);
  t.add_column("Gflop/s", align::right);
  t.add_column("verified");
  for (const variant_result& v : found.variants) {
    t.add_row({v.name, duration_text(v.seconds),
               fmt::format("{:.2f}", operations_of(found.what) / v.seconds * 1e-9), v.verdict});
  }
  std::string out = t.text() + "\n";
  out += summary_line("product", in_words(found.what));
  out += summary_line("ranks",
                      fmt::format("{}, {} x {}", found.ranks, found.grid.rows, found.grid.columns));
  return out;
}

}  // namespace far::apps::matmul
