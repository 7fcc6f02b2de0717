#pragma once
// One command on one key: what the store is asked, and what is needed to write the reply.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "far/store/request.hpp"

namespace far::kv {

/// How a reply is written.
enum class reply_form : std::uint8_t {
  value,              ///< get: VALUE ..., or nothing
  value_cas,          ///< gets
  touched_value,      ///< gat
  touched_value_cas,  ///< gats
  stored,             ///< set, add, ...
  number,             ///< incr, decr
  touched,
  deleted,
  nothing,  ///< an older item is removed without a word
  meta_get,
  meta_set,
  meta_delete,
  meta_arithmetic,
  meta_debug,
};

/// Whether the command brings a value to store.
[[nodiscard]] constexpr bool is_storing(reply_form form) noexcept {
  return form == reply_form::stored || form == reply_form::meta_set;
}

struct operation {
  store_request request;
  reply_form form = reply_form::value;
  bool quiet = false;  ///< noreply; q of a meta command
  /// The flags of a meta command in the order given, which is that of the reply.
  std::span<const std::string_view> flags = {};
  bool has_binary_key = false;  ///< b: the key came as base64
  /// A look before the request has marked the item as fetched, which it had not been.
  bool has_marked_fetched = false;
  store_second new_expires = 0;   ///< N: of an item that is made, as of this flag
  store_second renews_after = 0;  ///< T before R: the bound of a second request
};

/// An operation with all bytes that it refers to.
class owned_operation {
 public:
  explicit owned_operation(const operation& of);
  owned_operation(const owned_operation&) = delete;
  owned_operation& operator=(const owned_operation&) = delete;

  operation op;

 private:
  std::string bytes_;
  std::vector<std::string_view> flags_;
};

/// The requests of an operation, one after the other, and what comes of them all. Nearly all have
/// one.
class exchange {
 public:
  explicit exchange(const operation& of) noexcept : request_(of.request) {}

  [[nodiscard]] const store_request& request() const noexcept { return request_; }
  /// Takes the reply to request(). Returns true if there is another request.
  bool take(store_reply&& got, const operation& of);

  store_reply reply;  ///< at the end

 private:
  store_request request_;
  bool is_renewing_ = false;
};

}  // namespace far::kv
