#include "apps/lu/report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/common/output.hpp"

namespace far::apps::lu {
namespace {

double gflops(const result& found) {
  const auto n = static_cast<double>(found.asked.n);
  return 2.0 / 3 * n * n * n / found.seconds * 1e-9;
}

}  // namespace

std::string as_json(const result& found) {
  nlohmann::ordered_json out;
  out["n"] = found.asked.n;
  out["block"] = found.asked.block;
  out["ranks"] = found.ranks;
  out["threads"] = found.asked.threads;
  out["protocol"] = name_of(found.asked.protocol);
  out["log_determinant"] = found.log_determinant;
  out["seconds"] = found.seconds;
  out["gflops"] = gflops(found);
  if (found.asked.verify) out["residual"] = found.residual;
  return out.dump(2) + "\n";
}

std::string as_text(const result& found) {
  std::string out;
  out += summary_line("matrix", fmt::format("{0} x {0}", found.asked.n));
  out += summary_line("blocks", fmt::format("{0} x {0}", found.asked.block));
  out += summary_line("log |det A|", fmt::format("{:.12g}", found.log_determinant));
  out += summary_line("factoring took", duration_text(found.seconds));
  out += summary_line("Gflop/s", fmt::format("{:.2f}", gflops(found)));
  if (found.asked.verify) {
    out += summary_line("verified", fmt::format("|A - LU| / |A| is {:.1e}", found.residual));
  }
  return out;
}

}  // namespace far::apps::lu
