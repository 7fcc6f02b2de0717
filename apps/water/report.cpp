#include "apps/water/report.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/common/output.hpp"
#include "apps/common/table.hpp"

namespace far::apps::water {
namespace {

double seconds_per_step(const result& found) {
  return found.seconds /
         static_cast<double>(found.asked.steps + 1);  // forces are computed once more
}

}  // namespace

std::string as_json(const result& found) {
  const command& asked = found.asked;
  nlohmann::ordered_json out;
  out["molecules"] = asked.molecules;
  out["ranks"] = found.ranks;
  out["threads"] = asked.threads;
  out["protocol"] = name_of(asked.protocol);
  out["steps"] = nlohmann::ordered_json::array();
  for (const energies& e : found.steps) {
    out["steps"].push_back({{"kinetic", e.kinetic},
                            {"bonded", e.bonded},
                            {"pairs", e.pairs},
                            {"total", e.total()},
                            {"temperature", temperature_of(e, asked.molecules)}});
  }
  out["seconds"] = found.seconds;
  out["seconds_per_step"] = seconds_per_step(found);
  if (!found.verdict.empty()) out["verified"] = found.verdict;
  return out.dump(2) + "\n";
}

std::string as_text(const result& found) {
  table t;
  for (const char* header : {"step", "kinetic", "bonded", "pairs", "total", "temperature"}) {
    t.add_column(header, align::right);
  }
  for (std::size_t step = 0; step < found.steps.size(); ++step) {
    const energies& e = found.steps[step];
    t.add_row({std::to_string(step), fmt::format("{:.6f}", e.kinetic),
               fmt::format("{:.6f}", e.bonded), fmt::format("{:.6f}", e.pairs),
               fmt::format("{:.6f}", e.total()),
               fmt::format("{:.2f}", temperature_of(e, found.asked.molecules))});
  }
  std::string out = t.text() + "\n";
  out += summary_line("molecules", std::to_string(found.asked.molecules));
  out += summary_line("energies in", "kcal/mol");
  out += summary_line("time per step", duration_text(seconds_per_step(found)));
  if (!found.verdict.empty()) out += summary_line("verified", found.verdict);
  return out;
}

}  // namespace far::apps::water
