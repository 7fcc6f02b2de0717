#include "apps/common/object_protocol.hpp"

#include <algorithm>
#include <cstdint>

#include "apps/common/choice_option.hpp"
#include "apps/common/command_line.hpp"
#include "far/base/environment.hpp"
#include "far/fabric/job.hpp"

namespace far::apps {
namespace {

constexpr choice<object_protocol> protocols[] = {
    {"automatic", object_protocol::automatic}, {"invalidate", object_protocol::invalidate},
    {"messages", object_protocol::messages},   {"update", object_protocol::update},
    {"in-place", object_protocol::in_place},
};

/// Of the contexts of a rank, one is its first thread's, which waits for the others, and one the
/// service thread's.
int max_threads() {
  constexpr std::uint64_t usual = 16;
  const std::uint64_t contexts = base::environment_number("FAR_CONTEXTS", usual);
  return static_cast<int>(std::clamp<std::uint64_t>(contexts, 3, fabric::max_contexts)) - 2;
}

}  // namespace

void add_object_options(CLI::App& app, int& threads, object_protocol& protocol) {
  app.add_option("--threads", threads, "threads of each rank, at most FAR_CONTEXTS - 2")
      ->capture_default_str()
      ->check(number_between(1, max_threads()));
  add_choice_option<object_protocol>(
      app, "--protocol", protocols, protocol,
      "how ranks see each other's objects: automatic, invalidate, messages, update, in-place");
}

std::string name_of(object_protocol protocol) {
  return name_in<object_protocol>(protocols, protocol);
}

object_space_options options_of(object_protocol protocol) {
  object_space_options how;
  how.force_protocol = protocol != object_protocol::automatic;
  how.collects = false;  // what workers make lives to the end, and they have no handles
  if (protocol == object_protocol::messages) how.replies = fetch_replies::messages;
  switch (protocol) {
    case object_protocol::automatic:
      break;
    case object_protocol::invalidate:
    case object_protocol::messages:
      how.protocol = far::object_protocol::invalidate;
      break;
    case object_protocol::update:
      how.protocol = far::object_protocol::update;
      break;
    case object_protocol::in_place:
      how.protocol = far::object_protocol::update_in_place;
      break;
  }
  return how;
}

}  // namespace far::apps
