#include "bindings/kv/watch_lines.hpp"

#include <array>

#include "bindings/kv/item_size.hpp"
#include "bindings/kv/listener.hpp"
#include "bindings/kv/uri.hpp"

namespace far::kv {
namespace {

unsigned class_of(std::string_view key, std::size_t value_bytes, std::uint32_t flags,
                  std::size_t max_item_bytes) {
  return memcached_slab_class(memcached_item_bytes(key.size(), value_bytes, flags), max_item_bytes);
}

std::string_view command_name(const store_request& asked) {
  switch (asked.verb) {
    case store_verb::put:
      return asked.compares_cas || asked.cas != 0 ? "cas" : "set";
    case store_verb::add:
      return "add";
    case store_verb::replace:
      return "replace";
    case store_verb::append:
      return "append";
    case store_verb::prepend:
      return "prepend";
    default:
      return "na";
  }
}

std::string_view status_name(const store_request& asked, store_status status) {
  switch (status) {
    case store_status::done:
      return "stored";
    case store_status::changed:
      return "exists";
    case store_status::too_large:
      return "too_large";
    case store_status::no_memory:
      return "no_memory";
    case store_status::absent:
      return asked.compares_cas && asked.verb == store_verb::put ? "not_found" : "not_stored";
    case store_status::present:
    case store_status::not_a_number:
      break;
  }
  return "not_stored";
}

/// The seconds until then; 0 also for never.
store_second seconds_to(store_second expires, store_second now) {
  return expires > now ? expires - now : 0;
}

void log_connection(backend& here, int socket, std::string_view type, std::string_view reason) {
  output line;
  line << "type=" << type << ' ' << stated_client(socket) << reason << " cfd=" << socket;
  here.log->add(events::connections, line.text());
}

}  // namespace

void log_fetch(backend& here, std::string_view key, const item_info* found) {
  output line;
  line << "type=item_get key=";
  write_uri(key, line);
  line << " status=" << (found != nullptr ? "found" : "not_found") << " clsid=";
  line << (found != nullptr
               ? class_of(key, found->value_bytes, found->flags, here.settings.max_item_bytes)
               : 0);
  line << " cfd=" << here.client << " size=" << (found != nullptr ? found->value_bytes : 0);
  here.log->add(events::fetches, line.text());
}

void log_item(backend& here, std::string_view key) {
  store_request look;
  look.key = key;
  look.wants_value = false;
  look.is_use = false;
  const store_reply found = here.execute(look);
  log_fetch(here, key, found.status == store_status::done ? &found : nullptr);
}

void log_stored(backend& here, const operation& op, std::size_t value_bytes, store_status status) {
  const store_request& asked = op.request;
  output line;
  line << "type=item_store key=";
  write_uri(asked.key, line);
  line << " status=" << status_name(asked, status) << " cmd=" << command_name(asked);
  line << " ttl=" << seconds_to(asked.expires, here.now_s())
       << " clsid=" << class_of(asked.key, value_bytes, asked.flags, here.settings.max_item_bytes);
  line << " cfd=" << here.client << " size=" << value_bytes;
  here.log->add(events::mutations, line.text());
}

void write_eviction(std::string_view key, const item_info& item, store_second now,
                    std::size_t max_item_bytes, output& line) {
  line << "type=eviction key=";
  write_uri(key, line);
  line << " fetch=" << (item.was_fetched ? "yes" : "no") << " ttl=";
  if (item.expires == 0) {
    line << -1;
  } else {
    line << seconds_to(item.expires, now);
  }
  line << " la=" << now - item.accessed
       << " clsid=" << class_of(key, item.value_bytes, item.flags, max_item_bytes)
       << " size=" << item.value_bytes;
}

void log_opened(backend& here, int socket) { log_connection(here, socket, "conn_new", ""); }

void log_closed(backend& here, int socket, close_reason why) {
  constexpr std::array<std::string_view, 4> reasons{" reason=error", " reason=normal",
                                                    " reason=idle_timeout", " reason=shutdown"};
  log_connection(here, socket, "conn_close", reasons[static_cast<std::size_t>(why)]);
}

}  // namespace far::kv
