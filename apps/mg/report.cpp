#include "apps/mg/report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/common/output.hpp"
#include "apps/common/table.hpp"

namespace far::apps::mg {

std::string as_json(const result& found) {
  nlohmann::ordered_json out;
  out["class"] = std::string(1, found.solved.name);
  out["cells"] = found.solved.n();
  out["iterations"] = found.solved.iterations;
  out["ranks"] = found.ranks;
  out["blocks"] = {found.blocks_z, found.blocks_y};
  out["published_norm"] = found.solved.published_norm;
  for (const variant_result& v : found.variants) {
    out["variants"].push_back({{"variant", name_of(v.how)},
                               {"seconds", v.seconds},
                               {"norm", v.norm},
                               {"mflops", operations_per_second(found.solved, v.seconds) * 1e-6}});
  }
  if (!found.verdict.empty()) out["verified"] = found.verdict;
  return out.dump(2) + "\n";
}

std::string as_text(const result& found) {
  table t;
  t.add_column("variant");
  t.add_column("time", align::right);
  t.add_column("Gflop/s", align::right);
  t.add_column("norm of the residual", align::right);
  for (const variant_result& v : found.variants) {
    t.add_row({name_of(v.how), duration_text(v.seconds),
               fmt::format("{:.3f}", operations_per_second(found.solved, v.seconds) * 1e-9),
               fmt::format("{:.13e}", v.norm)});
  }
  std::string out = t.text() + "\n";
  const int n = found.solved.n();
  out += summary_line("class", fmt::format("{}: {} x {} x {} cells, {} iterations",
                                           found.solved.name, n, n, n, found.solved.iterations));
  out += summary_line(
      "ranks", fmt::format("{}, {} x {} blocks", found.ranks, found.blocks_z, found.blocks_y));
  out += summary_line("published norm", fmt::format("{:.13e}", found.solved.published_norm));
  if (!found.verdict.empty()) out += summary_line("verified", found.verdict);
  return out;
}

}  // namespace far::apps::mg
