#include "apps/common/object_protocol.hpp"

#include "apps/common/choice_option.hpp"
#include "apps/common/command_line.hpp"

namespace far::apps {
namespace {

constexpr choice<object_protocol> protocols[] = {
    {"automatic", object_protocol::automatic},
    {"invalidate", object_protocol::invalidate},
    {"messages", object_protocol::messages},
};

constexpr int max_threads = 47;  // FAR_CONTEXTS is at most 48, and one is the service thread's

}  // namespace

void add_object_options(CLI::App& app, int& threads, object_protocol& protocol) {
  app.add_option("--threads", threads, "threads of each rank")
      ->capture_default_str()
      ->check(number_between(1, max_threads));
  add_choice_option<object_protocol>(
      app, "--protocol", protocols, protocol,
      "how ranks see each other's objects: automatic, invalidate, messages");
}

std::string name_of(object_protocol protocol) {
  return name_in<object_protocol>(protocols, protocol);
}

object_space_options options_of(object_protocol protocol) {
  // What workers make lives to the end, and they hold references without handles.
  return {.force_protocol = protocol != object_protocol::automatic,
          .collects = false,
          .replies = protocol == object_protocol::messages ? fetch_replies::messages
                                                           : fetch_replies::one_sided};
}

}  // namespace far::apps
