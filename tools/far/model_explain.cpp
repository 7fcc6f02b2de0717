// far model explain: an operation's formula, and its price with the known costs.

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/common/table.hpp"
#include "bench/harness/report.hpp"
#include "far/base/error.hpp"
#include "far/containers/map/map_costs.hpp"
#include "far/containers/queue/queue_costs.hpp"
#include "far/far.hpp"
#include "tools/far/model.hpp"

namespace far::tools {
namespace {

using model::level;
using model::operation_cost;
using nlohmann::ordered_json;

struct explain_options {
  std::string structure;
  std::string operation;
  std::string distance;
  std::string fabric = "shm";
  std::string profile;
  std::array<bool, model::all_levels.size()> levels{};
  bool json = false;
};

constexpr const char* model_explain_footer = R"(
Prints the formula of an operation, the costs of its components, and the predicted
time: one-sided, and as a call to the rank that holds the data. The costs are
measured (far model calibrate), or else built in. Without operands it lists all
operations. docs/model.md explains how to read it.)";

struct structure {
  std::string_view name;
  std::span<const operation_cost> operations;
  std::optional<model::formula> call;  ///< empty if the structure has no calls
};

const std::array<structure, 3> structures{{
    {"hash_map", containers::map_costs::operations, containers::map_costs::call},
    {"queue", containers::queue_costs::operations, containers::queue_costs::call},
    {"checksum_queue", containers::checksum_costs::operations, {}},
}};

/// "a, b, c", without duplicates.
template <class Range, class Name>
std::string list_of(const Range& range, const Name& name) {
  std::vector<std::string> names;
  for (const auto& one : range) {
    std::string text(name(one));
    if (std::ranges::find(names, text) == names.end()) names.push_back(std::move(text));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

const structure& find_structure(const std::string& name) {
  const auto found = std::ranges::find(structures, name, &structure::name);
  if (found != structures.end()) return *found;
  throw bad_argument(fmt::format("there is no structure '{}'; there are: {}", name,
                                 list_of(structures, [](const structure& s) { return s.name; })));
}

std::optional<level> level_of(const explain_options& options) {
  std::optional<level> result;
  for (const level l : model::all_levels) {
    if (!options.levels[static_cast<std::size_t>(l)]) continue;
    if (result) {
      throw bad_argument(
          fmt::format("--{} and --{} exclude each other", name_of(*result), name_of(l)));
    }
    result = l;
  }
  return result;
}

/// Finds the operation with the wanted level; without a wanted level, the first one.
const operation_cost& find_operation(const structure& of, const std::string& name,
                                     std::optional<level> wanted) {
  std::vector<const operation_cost*> same;
  for (const operation_cost& known : of.operations) {
    if (known.operation != name) continue;
    if (!wanted || known.level == *wanted) return known;
    same.push_back(&known);
  }
  if (same.empty()) {
    throw bad_argument(fmt::format(
        "{} has no operation '{}'; there are: {}", of.name, name,
        list_of(of.operations, [](const operation_cost& known) { return known.operation; })));
  }
  throw bad_argument(
      fmt::format("{} of {} has no level {}; there is: {}", name, of.name, name_of(*wanted),
                  list_of(same, [](const auto* known) { return name_of(known->level); })));
}

std::string fabric_of(const explain_options& options) {
  if (options.fabric != "sim" && !options.profile.empty()) {
    throw bad_argument("--profile: is for --fabric sim");
  }
  if (options.fabric == "threads") return "shm";
  if (options.fabric != "sim") return options.fabric;
  return fmt::format("sim/{}", options.profile.empty() ? usual_profile : options.profile);
}

/// Errors: bad_argument for a fabric without known costs, and for a faulty file.
model::known_costs known_costs_of(const std::string& fabric) {
  const std::string path = model::costs_file_path();
  std::vector<std::string> names;
  for (const auto& [name, costs] : model::read_costs(path)) names.push_back(name);
  for (const std::string_view name : model::built_in_fabrics()) names.emplace_back(name);
  if (std::ranges::find(names, fabric) == names.end()) {
    throw bad_argument(fmt::format("there are no costs of a fabric '{}'; there are: {}", fabric,
                                   list_of(names, [](const std::string& name) { return name; })));
  }
  return {fabric, path};
}

/// The farthest known distance, unless the options name one.
model::distance distance_of(const explain_options& options, const model::known_costs& known,
                            const std::string& fabric) {
  std::vector<model::distance> there;
  for (const model::distance d : model::all_distances) {
    if (known.knows(d)) there.push_back(d);
  }
  if (options.distance.empty()) return there.back();
  for (const model::distance d : there) {
    if (options.distance == name_of(d)) return d;
  }
  throw bad_argument(fmt::format("{} has no distance '{}'; there are: {}", fabric, options.distance,
                                 list_of(there, [](model::distance d) { return name_of(d); })));
}

/// Everything about one operation that is printed.
struct explanation {
  const structure& of;
  const operation_cost& operation;
  std::string fabric;
  model::distance apart;
  model::known_costs known;

  [[nodiscard]] double ns(const model::formula& what) const { return price(what, known.of(apart)); }
  [[nodiscard]] std::string source() const {
    const int ranks = known.measured_by(apart);
    if (ranks == 0) {
      return "built in, of another machine: 'far model calibrate' measures this one";
    }
    return fmt::format("measured by {} ranks, in {}", ranks, known.path());
  }
};

/// Ratio of the higher to the lower cost; 1 if either cost is 0.
double factor_of(double one_sided, double call) {
  const double less = std::min(one_sided, call);
  return less > 0 ? std::max(one_sided, call) / less : 1;
}

std::string text_of(const explanation& it) {
  std::string text =
      fmt::format("{} {}, {}; {}, {}\ncosts {}\n\n", it.of.name, it.operation.operation,
                  name_of(it.operation.level), it.fabric, name_of(it.apart), it.source());
  apps::table parts;
  parts.add_column("component");
  parts.add_column("what it is");
  parts.add_column("cost", apps::align::right);
  parts.add_column("times", apps::align::right);
  const model::formula all = it.of.call ? it.operation.cost + *it.of.call : it.operation.cost;
  for (std::size_t i = 0; i < model::components; ++i) {
    const auto what = static_cast<model::component>(i);
    if (all.times(what) == 0) continue;
    parts.add_row({std::string(symbol_of(what)), std::string(meaning_of(what)),
                   bench::human_time(it.known.of(it.apart).of(what)),
                   fmt::format("{}", all.times(what))});
  }
  text += parts.text() + "\n";
  const double one_sided = it.ns(it.operation.cost);
  apps::table ways;
  ways.add_column("way");
  ways.add_column("formula");
  ways.add_column("predicted", apps::align::right);
  ways.add_row({"one-sided", to_string(it.operation.cost), bench::human_time(one_sided)});
  if (!it.of.call) return text + ways.text() + "\nthere are no calls to compare with\n";
  const double call = it.ns(*it.of.call);
  ways.add_row({"call", to_string(*it.of.call), bench::human_time(call)});
  text += ways.text();
  if (one_sided == call) return text + "\nboth cost the same\n";
  return text + fmt::format("\n{} is cheaper: the other costs {:.2f} times as much\n",
                            one_sided < call ? "one-sided" : "a call", factor_of(one_sided, call));
}

ordered_json json_of(const explanation& it) {
  ordered_json result{{"structure", it.of.name},
                      {"operation", it.operation.operation},
                      {"level", name_of(it.operation.level)},
                      {"fabric", it.fabric},
                      {"distance", name_of(it.apart)},
                      {"measured_by", it.known.measured_by(it.apart)},
                      {"file", it.known.path()}};
  for (std::size_t i = 0; i < model::components; ++i) {
    const auto what = static_cast<model::component>(i);
    result["ns"][std::string(name_of(what))] = it.known.of(it.apart).of(what);
  }
  const double one_sided = it.ns(it.operation.cost);
  result["one_sided"] = {{"formula", to_string(it.operation.cost)}, {"ns", one_sided}};
  if (!it.of.call) return result;
  const double call = it.ns(*it.of.call);
  result["call"] = {{"formula", to_string(*it.of.call)}, {"ns", call}};
  result["cheaper"] = call < one_sided ? "call" : "one_sided";
  result["factor"] = factor_of(one_sided, call);
  return result;
}

void list_all(bool as_json) {
  apps::table table;
  for (const char* column : {"structure", "operation", "level", "one-sided", "call"}) {
    table.add_column(column);
  }
  ordered_json list = ordered_json::array();
  for (const structure& s : structures) {
    for (const operation_cost& known : s.operations) {
      std::vector<std::string> row{std::string(s.name), std::string(known.operation),
                                   std::string(name_of(known.level)), to_string(known.cost),
                                   s.call ? to_string(*s.call) : ""};
      list.push_back({{"structure", row[0]},
                      {"operation", row[1]},
                      {"level", row[2]},
                      {"one_sided", row[3]},
                      {"call", s.call ? ordered_json(row[4]) : ordered_json()}});
      table.add_row(std::move(row));
    }
  }
  fmt::print("{}", as_json ? list.dump(2) + "\n" : table.text());
}

void explain(const explain_options& options) {
  if (options.structure.empty()) return list_all(options.json);
  const structure& of = find_structure(options.structure);
  const std::optional<level> wanted = level_of(options);
  if (options.operation.empty()) {
    throw bad_argument(fmt::format(
        "which operation of {}? there are: {}", of.name,
        list_of(of.operations, [](const operation_cost& known) { return known.operation; })));
  }
  const operation_cost& operation = find_operation(of, options.operation, wanted);
  const std::string fabric = fabric_of(options);
  const model::known_costs known = known_costs_of(fabric);
  const explanation it{of, operation, fabric, distance_of(options, known, fabric), known};
  fmt::print("{}", options.json ? json_of(it).dump(2) + "\n" : text_of(it));
}

}  // namespace

void add_model_explain(CLI::App& model, int& status) {
  CLI::App* const command = model.add_subcommand(
      "explain", "Show the cost of an operation, and whether a call is cheaper");
  const auto options = std::make_shared<explain_options>();
  command->add_option("STRUCTURE", options->structure, "hash_map, queue, ...")->option_text(" ");
  command->add_option("OPERATION", options->operation, "insert, push, ...")->option_text(" ");
  command->add_flag("--concurrent", options->levels[0], "While any other operations run");
  command->add_flag("--writing", options->levels[1], "In a phase of changes");
  command->add_flag("--reading", options->levels[2], "In a phase of lookups");
  command->add_flag("--local", options->levels[3], "While only its host uses it");
  command
      ->add_option("--distance", options->distance,
                   "self, same_node or other_node (default: the farthest known one)")
      ->option_text("NAME");
  command->add_option("--fabric", options->fabric, "shm (default), ucx, sim, or a name in the file")
      ->option_text("NAME");
  command
      ->add_option("--profile", options->profile,
                   "sim: the simulated machine (default: cori-aries)")
      ->option_text("PROFILE");
  command->add_flag("--json", options->json, "Print it as JSON");
  command->footer(model_explain_footer);
  command->callback([options, &status] {
    explain(*options);
    status = 0;
  });
}

}  // namespace far::tools
