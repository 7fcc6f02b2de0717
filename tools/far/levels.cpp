#include "tools/far/levels.hpp"

#include "far/base/environment.hpp"
#include "far/sync/lock_levels.hpp"
#include "far/sync/rank_place.hpp"

namespace far::tools {

void add_levels(CLI::App& command, std::string& levels) {
  command
      .add_option("--levels", levels,
                  "Which ranks are near each other, for locks: 4x8 is 4 elements of 8 (FAR_LEVELS)")
      ->option_text("NxN...");
}

void check_levels(const CLI::App& command, const std::string& levels, int ranks) {
  if (command.count("--levels") > 0) base::parse_levels(levels, "--levels", ranks);
}

nlohmann::ordered_json levels_of_machine() {
  const lock_levels levels(sync::places_of_this_machine());
  nlohmann::ordered_json result = nlohmann::ordered_json::array();
  for (int level = 0; level < levels.count(); ++level) {
    result.push_back(
        {{"name", level == 0 ? "machine" : levels.name(level)}, {"count", levels.elements(level)}});
  }
  return result;
}

}  // namespace far::tools
