#pragma once
// The flags of meta commands: one letter each, with an argument behind it.

#include <cstdint>
#include <span>
#include <string_view>

#include "bindings/kv/backend.hpp"

namespace far::kv {

inline constexpr std::size_t longest_opaque = 32;  // with its letter

struct meta_flags {
  bool wants_value = false;  // v
  bool quiet = false;        // q
  bool has_cas = false;      // C
  bool sets_expiry = false;  // T
  bool makes = false;        // N
  bool renews = false;       // R
  bool marks_stale = false;  // I
  bool no_update = false;    // u
  bool binary_key = false;   // b
  char mode = '\0';          // M
  store_second expires = 0;
  store_second made_expires = 0;
  store_second renew_before = 0;
  std::uint32_t client_flags = 0;  // F
  std::uint64_t cas = 0;
  std::uint64_t delta = 1;    // D
  std::uint64_t initial = 0;  // J
};

/// Reads the flags. With b, decodes `key` into `room`, which has space for it. Returns false for
/// a flag that cannot be used; `error` is then the reply, unless it should stay as it is.
bool read_meta_flags(backend& here, std::span<const std::string_view> words, std::string_view& key,
                     char* room, meta_flags& flags, std::string_view& error);

/// Whether one of the flags is an opaque token (O) that is too long.
[[nodiscard]] bool has_long_opaque(std::span<const std::string_view> words);

/// The position of the flag with this letter; words.size() if there is none.
[[nodiscard]] std::size_t position_of(std::span<const std::string_view> words, char letter);

}  // namespace far::kv
