#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "apps/graph/engine_choice.hpp"

namespace CLI {
class App;
}

namespace far::apps {

/// Adds --engine and the options of its array. They set members of `choice`, which must outlive the
/// parsing.
void add_engine_options(CLI::App& app, engine_choice& choice);

/// What was chosen, for the report.
[[nodiscard]] std::string engine_line(const engine_choice& choice);
void add_engine(nlohmann::ordered_json& object, const engine_choice& choice);

}  // namespace far::apps
