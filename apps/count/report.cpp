#include "apps/count/report.hpp"

#include <nlohmann/json.hpp>

#include "apps/common/output.hpp"
#include "apps/common/printable.hpp"
#include "apps/common/table.hpp"

namespace far::apps {
namespace {

constexpr std::size_t widest_item = 60;

}  // namespace

std::string as_json(const count_result& result) {
  nlohmann::ordered_json out;
  out["total"] = result.total;
  out["distinct"] = result.distinct;
  out["top"] = nlohmann::ordered_json::array();
  for (const counted_item& c : result.top) {
    out["top"].push_back({{"item", c.item}, {"count", c.count}});
  }
  out["seconds"] = result.seconds;
  if (!result.verdict.empty()) out["verified"] = result.verdict;
  // Words may contain any bytes, also malformed UTF-8.
  return out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string as_text(const count_result& result, item_kind items) {
  const bool words = items == item_kind::words;
  std::string out;
  if (!result.top.empty()) {
    table t;
    t.add_column("", align::right);
    t.add_column("count", align::right);
    t.add_column(words ? "word" : "k-mer");
    for (std::size_t i = 0; i < result.top.size(); ++i) {
      const counted_item& c = result.top[i];
      t.add_row({std::to_string(i + 1), std::to_string(c.count), printable(c.item, widest_item)});
    }
    out += t.text() + "\n";
  }
  out += summary_line(words ? "words" : "k-mers", std::to_string(result.total));
  out += summary_line("distinct", std::to_string(result.distinct));
  out += summary_line("counting took", duration_text(result.seconds));
  if (!result.verdict.empty()) out += summary_line("verified", result.verdict);
  return out;
}

}  // namespace far::apps
