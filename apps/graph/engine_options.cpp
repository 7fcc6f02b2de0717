#include "apps/graph/engine_options.hpp"

#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/common/choice_option.hpp"
#include "apps/common/command_line.hpp"
#include "apps/common/output.hpp"

namespace far::apps {
namespace {

constexpr std::array<choice<engine_kind>, 2> engine_names{
    {{"exchange", engine_kind::exchange}, {"array", engine_kind::array}}};
constexpr double max_chunk = 1 << 20;

std::string engine_name(const engine_choice& choice) {
  return name_in(std::span<const apps::choice<engine_kind>>(engine_names), choice.kind);
}

}  // namespace

void add_engine_options(CLI::App& app, engine_choice& choice) {
  add_choice_option(app, "--engine", std::span<const apps::choice<engine_kind>>(engine_names),
                    choice.kind,
                    "how ranks learn of each other's vertices: by exchange, which is faster, or "
                    "through a cached array");
  app.add_option("--chunk", choice.array.chunk, "elements of a chunk of --engine array")
      ->capture_default_str()
      ->check(number_between(1, max_chunk));
  app.add_flag("--force-cache", choice.array.force_protocol,
               "let --engine array cache also where ranks share memory");
}

std::string engine_line(const engine_choice& choice) {
  std::string text = engine_name(choice);
  if (choice.kind == engine_kind::array) {
    text += fmt::format(", chunks of {}; exchange is faster", choice.array.chunk);
  }
  return summary_line("engine", text);
}

void add_engine(nlohmann::ordered_json& object, const engine_choice& choice) {
  object["engine"] = engine_name(choice);
}

}  // namespace far::apps
