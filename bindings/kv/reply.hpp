#pragma once
// Replies to operations on keys.

#include <string_view>

#include "bindings/kv/backend.hpp"
#include "bindings/kv/operation.hpp"
#include "bindings/kv/output.hpp"

namespace far::kv {

inline constexpr std::string_view too_large = "SERVER_ERROR object too large for cache";
inline constexpr std::string_view long_opaque = "CLIENT_ERROR opaque token too long";

/// Appends the reply to an operation that is done, and counts it.
void write_reply(backend& here, const operation& op, const exchange& done, output& out);

/// get and gets of a key that is here: appends the item, if there is one. Cost: no allocation but
/// that of the output.
void write_value(backend& here, std::string_view key, bool with_cas, output& out);

/// mg and me of a key that is here, without a copy of the value. Returns false if the item must
/// be changed, and nothing is written.
bool write_meta_item(backend& here, operation& op, output& out);

// What the two files of this share.
void write_meta_reply(backend& here, const operation& op, const exchange& done, output& out);

}  // namespace far::kv
