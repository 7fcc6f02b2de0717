#pragma once
// The lines that watchers get, as memcached writes them, but for time and number.

#include <string_view>

#include "bindings/kv/backend.hpp"
#include "bindings/kv/operation.hpp"

namespace far::kv {

/// Whether somebody watches events of a kind.
[[nodiscard]] inline bool logs(const backend& here, event_kinds kind) noexcept {
  return here.log != nullptr && here.log->wants(kind);
}

/// A key was looked up for the client whose command is carried out. Null: there is no item.
void log_fetch(backend& here, std::string_view key, const item_info* found);
/// The same for a key of this machine. Looks its item up, without counting that as a use.
void log_item(backend& here, std::string_view key);
/// A command that stores has ended like this.
void log_stored(backend& here, const operation& op, std::size_t value_bytes, store_status status);

void write_eviction(std::string_view key, const item_info& item, store_second now,
                    std::size_t max_item_bytes, output& line);

/// Why a connection ends.
enum class close_reason : std::uint8_t { error, normal, idle_timeout, shutdown };
void log_opened(backend& here, int socket);
void log_closed(backend& here, int socket, close_reason why);

}  // namespace far::kv
