#include "bench/harness/report.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/common/table.hpp"

namespace far::bench {
namespace {

/// At least two digits: 0.0018, 0.18, 1.80, 180.
std::string digits(double ratio) {
  if (ratio >= 100) return fmt::format("{:.0f}", ratio);
  return ratio >= 0.1 ? fmt::format("{:.2f}", ratio) : fmt::format("{:.2g}", ratio);
}

std::string human_ratio(std::optional<double> value) { return value ? digits(*value) + "x" : ""; }

/// A part of a goal: its text, and whether it is met, if that is known.
struct judgement {
  std::string text;
  std::optional<bool> met;
  bool undecided = false;  ///< the goal is inside the ratio's interval
};

std::vector<judgement> judged(const row& r) {
  const auto at_most = [](std::optional<double> value, double max) -> std::optional<bool> {
    if (!value) return {};
    return *value <= max;
  };
  std::vector<judgement> result;
  if (const auto max = r.wanted.max_ratio) {
    judgement ratio{digits(*max) + "x limit", at_most(r.ratio(), *max)};
    if (r.paired && r.paired->low <= *max && *max < r.paired->high) {
      ratio.met.reset();
      ratio.undecided = true;
    }
    result.push_back(std::move(ratio));
  }
  if (const auto max = r.wanted.max_ns) {
    result.push_back({human_time(*max), at_most(r.ns, *max)});
  }
  if (const auto max = r.wanted.max_peer_ratio) {
    result.push_back({digits(*max) + "x best peer", at_most(r.peer_ratio(), *max)});
  }
  if (r.wanted.ahead_of_peers) {
    judgement ahead{"best peer", {}};
    if (!r.peers.empty()) ahead.met = *r.peer_ratio() < 1;
    result.push_back(std::move(ahead));
  }
  return result;
}

std::string human_goal(const row& r) {
  std::string text;
  for (const judgement& part : judged(r)) {
    if (!text.empty()) text += ", ";
    text += part.text;
    if (part.met) text += *part.met ? ": met" : ": MISSED";
    if (part.undecided) text += ": undecided";
  }
  return text;
}

}  // namespace

std::optional<double> row::ratio() const {
  if (paired) return paired->middle;
  if (!limit_ns) return {};
  return ns / *limit_ns;
}

std::optional<double> row::peer_ratio() const {
  const auto best = std::min_element(
      peers.begin(), peers.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (best == peers.end()) return {};
  return ns / best->second;
}

std::string human_time(double ns) {
  const char* unit = "ns";
  for (const char* larger : {"us", "ms", "s"}) {
    if (ns < 999.5) break;
    ns /= 1000;
    unit = larger;
  }
  const int decimals = ns < 10 ? 2 : ns < 100 ? 1 : 0;
  return fmt::format("{:.{}f} {}", ns, decimals, unit);
}

std::string human_rate(double ns) {
  double rate = 1e9 / ns;
  const char* unit = "";
  for (const char* larger : {"K", "M", "G"}) {
    if (rate < 999.5) break;
    rate /= 1000;
    unit = larger;
  }
  const int decimals = rate < 10 ? 2 : rate < 100 ? 1 : 0;
  return fmt::format("{:.{}f} {}/s", rate, decimals, unit);
}

std::string table_of(std::string_view benchmark, const report& result) {
  const auto& rows = result.rows;
  std::set<std::string> peers;
  for (const row& r : rows) {
    for (const auto& [peer, ns] : r.peers) peers.insert(peer);
  }
  const bool limits =
      std::ranges::any_of(rows, [](const row& r) { return r.limit_ns.has_value(); });
  const bool goals = std::ranges::any_of(rows, [](const row& r) { return !human_goal(r).empty(); });
  const bool notes = std::ranges::any_of(rows, [](const row& r) { return !r.note.empty(); });

  const bool predictions =
      std::ranges::any_of(rows, [](const row& r) { return r.predicted_ns.has_value(); });

  using apps::align;
  apps::table table;
  table.add_column(std::string(benchmark));
  table.add_column("far", align::right);
  if (limits) {
    table.add_column("limit", align::right);
    table.add_column("far/limit", align::right);
  }
  for (const std::string& peer : peers) table.add_column(peer, align::right);
  if (!peers.empty()) table.add_column("far/best peer", align::right);
  if (predictions) {
    table.add_column("predicted", align::right);
    table.add_column("far/predicted", align::right);
  }
  if (goals) table.add_column("at most");
  if (notes) table.add_column("note");

  for (const row& r : rows) {
    std::vector<std::string> cells = {r.name, human_time(r.ns)};
    if (limits) {
      cells.push_back(r.limit_ns ? human_time(*r.limit_ns) : "");
      cells.push_back(human_ratio(r.ratio()));
      if (r.paired)
        cells.back() += fmt::format(" [{}, {}]", digits(r.paired->low), digits(r.paired->high));
    }
    for (const std::string& peer : peers) {
      const auto found = r.peers.find(peer);
      cells.push_back(found == r.peers.end() ? "-" : human_time(found->second));
    }
    if (!peers.empty()) cells.push_back(human_ratio(r.peer_ratio()));
    if (predictions) {
      cells.push_back(r.predicted_ns ? human_time(*r.predicted_ns) : "");
      cells.push_back(r.predicted_ns ? human_ratio(r.ns / *r.predicted_ns) : "");
    }
    if (goals) cells.push_back(human_goal(r));
    if (notes) cells.push_back(r.note);
    table.add_row(std::move(cells));
  }

  std::string text = result.measured + "\n\n";
  if (!rows.empty()) text += table.text();
  for (const figure& f : result.figures) {
    if (!f.only_drawn) text += table_of(f) + "\n";
  }
  if (!result.claims.empty()) text += table_of(result.claims);
  for (const std::string& remark : result.remarks) text += remark + "\n";
  return text;
}

void append_json(nlohmann::ordered_json& list, std::string_view benchmark, const report& result) {
  for (const row& r : result.rows) {
    const auto limit = r.limit_ns ? nlohmann::ordered_json(*r.limit_ns) : nlohmann::ordered_json();
    const auto ratio = r.ratio() ? nlohmann::ordered_json(*r.ratio()) : nlohmann::ordered_json();
    list.push_back({{"name", r.name},
                    {"ns", r.ns},
                    {"limit_ns", limit},
                    {"ratio", ratio},
                    {"peers", nlohmann::ordered_json(r.peers)},
                    {"benchmark", benchmark}});
    for (const judgement& part : judged(r)) {
      const auto met = part.met ? nlohmann::ordered_json(*part.met) : nlohmann::ordered_json();
      list.back()["goals"].push_back({{"at_most", part.text}, {"met", met}});
    }
    if (r.predicted_ns) list.back()["predicted_ns"] = *r.predicted_ns;
    if (r.paired) {
      list.back()["ratio_low"] = r.paired->low;
      list.back()["ratio_high"] = r.paired->high;
    }
  }
  for (const figure& f : result.figures) {
    if (!f.only_drawn) append_json(list, benchmark, f);
  }
  append_json(list, benchmark, result.claims);
}

}  // namespace far::bench
