// The command watch: from then on the connection gets lines of what happens.

#include "bindings/kv/protocol.hpp"
#include "bindings/kv/slot.hpp"

namespace far::kv {
namespace {

/// The kinds of events that an argument of watch names: 0 for kinds of memcached that never occur
/// here, nothing for an unknown argument.
std::optional<event_kinds> kinds_of(std::string_view word) {
  if (word == "fetchers") return events::fetches;
  if (word == "mutations") return events::mutations;
  if (word == "evictions") return events::evictions;
  if (word == "connevents") return events::connections;
  if (word == "rawcmds" || word == "sysevents" || word == "proxyreqs" || word == "proxyevents" ||
      word == "proxyuser") {
    return event_kinds{0};
  }
  return std::nullopt;
}

}  // namespace

step protocol::watch(const tokens& words) {
  const bool quiet = words.back() == "noreply";
  if (!here_.settings.may_watch) return reply("CLIENT_ERROR watch commands not allowed", quiet);
  if (!pending_.empty() || !out().empty()) {
    return reply("ERROR cannot pipeline other commands before watch", quiet);
  }
  event_kinds wanted = words.size() == 1 ? events::fetches : event_kinds{0};
  for (const std::string_view word : words.from(1)) {
    const auto kinds = kinds_of(word);
    if (!kinds) return reply("ERROR", quiet);
    wanted |= *kinds;
  }
  if (!here_.may_add_watcher()) return reply("WATCHER_TOO_MANY log watcher limit reached");
  is_watching_ = true;
  watched_ = wanted;
  const auto command = std::make_shared<slot>(*this, "OK\r\n");
  if (here_.watch(wanted, command)) return reply("OK");
  pending_.push_back(command);
  return step::done;
}

}  // namespace far::kv
