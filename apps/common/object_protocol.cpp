#include "apps/common/object_protocol.hpp"

#include <map>

namespace far::apps {
namespace {

const std::map<std::string, object_protocol> names = {
    {"automatic", object_protocol::automatic},
    {"invalidate", object_protocol::invalidate},
};

}  // namespace

void add_protocol_option(CLI::App& app, object_protocol& chosen) {
  app.add_option("--protocol", chosen, "how ranks see each other's objects: automatic, invalidate")
      ->transform(CLI::CheckedTransformer(names).description("NAME"))
      ->default_str("automatic");
}

std::string name_of(object_protocol protocol) {
  for (const auto& [name, value] : names) {
    if (value == protocol) return name;
  }
  return {};
}

object_space_options options_of(object_protocol protocol) {
  return {.force_protocol = protocol == object_protocol::invalidate};
}

}  // namespace far::apps
