// The meta commands: mg, ms, md, ma, me.

#include "bindings/kv/base64.hpp"
#include "bindings/kv/item_size.hpp"
#include "bindings/kv/meta_flags.hpp"
#include "bindings/kv/numbers.hpp"
#include "bindings/kv/protocol.hpp"
#include "bindings/kv/reply.hpp"

namespace far::kv {
namespace {

constexpr std::string_view bad_meta_line = "CLIENT_ERROR bad command line format";
constexpr std::string_view bad_flag = "CLIENT_ERROR invalid or duplicate flag";
constexpr std::size_t max_meta_words = 19;

/// Asks for the CAS unique of C. Without CAS uniques no item has it.
void compare_cas(store_request& request, const meta_flags& flags, bool uses_cas) {
  request.compares_cas = flags.has_cas;
  request.cas = uses_cas ? flags.cas : 0;
}

/// The expiry of an item that the command makes: the last of T and N gives it.
store_second made_expiry(std::span<const std::string_view> words, const meta_flags& flags) {
  const bool touched_last = flags.sets_expiry && position_of(words, 'T') > position_of(words, 'N');
  return touched_last ? flags.expires : flags.made_expires;
}

/// What mg and ma ask with N and T.
void set_expiries(operation& op, const meta_flags& flags) {
  op.request.sets_expiry = flags.sets_expiry;
  op.request.expires = flags.expires;
  op.request.makes = flags.makes;
  op.request.made_expires = made_expiry(op.flags, flags);
  op.new_expires = flags.made_expires;
}

}  // namespace

step protocol::meta_get(const tokens& words) {
  if (words.size() < 2) return reply("ERROR");
  if (words[1].size() > max_store_key_bytes) return reply(bad_meta_line);
  if (words.size() > max_meta_words) return reply("CLIENT_ERROR options flags are too long");
  operation op;
  op.form = reply_form::meta_get;
  op.flags = words.from(2);
  op.request.key = words[1];
  meta_flags flags;
  std::string_view error = bad_meta_line;
  if (!read_meta_flags(here_, op.flags, op.request.key, key_.data(), flags, error)) {
    return reply(error);
  }
  if (has_long_opaque(op.flags)) return reply(long_opaque);
  op.quiet = flags.quiet;
  op.has_binary_key = flags.binary_key;
  op.request.wants_value = flags.wants_value;
  op.request.is_use = !flags.no_update;
  op.request.may_win = true;
  const bool plain = !flags.sets_expiry && !flags.makes && !flags.renews && !flags.no_update &&
                     !has_long_opaque(op.flags);
  if (plain && here_.is_here(op.request.key) && write_meta_item(here_, op, out())) {
    return step::done;
  }
  set_expiries(op, flags);
  if (flags.renews) {
    // R compares with the expiry as it is then: behind T, with the new one.
    const bool behind =
        flags.sets_expiry && position_of(op.flags, 'T') < position_of(op.flags, 'R');
    if (!behind) {
      op.request.renew_before = flags.renew_before;
    } else if (flags.expires != 0 && flags.expires < flags.renew_before) {
      op.renews_after = flags.renew_before;
    }
  }
  return perform(op);
}

step protocol::meta_set(const tokens& words, std::string_view behind) {
  if (words.size() < 2) return reply("ERROR");
  std::int32_t bytes = 0;
  if (words[1].size() > max_store_key_bytes || words.size() == 2) return reply(bad_meta_line);
  if (words.size() > max_meta_words) return reply("CLIENT_ERROR options flags too long");
  if (!read_number(words[2], bytes) || bytes < 0 || bytes > 0x7fffffff - 2) {
    return reply(bad_meta_line);
  }
  const auto size = static_cast<std::size_t>(bytes);
  operation op;
  op.form = reply_form::meta_set;
  op.flags = words.from(3);
  op.request.key = words[1];
  meta_flags flags;
  std::string_view error = bad_meta_line;
  if (!read_meta_flags(here_, op.flags, op.request.key, key_.data(), flags, error)) {
    return reply_and_swallow(error, size);
  }
  switch (flags.mode) {
    case '\0':
    case 'S':
      op.request.verb = store_verb::put;
      break;
    case 'E':
      op.request.verb = store_verb::add;
      break;
    case 'A':
      op.request.verb = store_verb::append;
      break;
    case 'P':
      op.request.verb = store_verb::prepend;
      break;
    case 'R':
      op.request.verb = store_verb::replace;
      break;
    default:
      return reply_and_swallow("CLIENT_ERROR invalid mode for ms M token", size);
  }
  if (has_long_opaque(op.flags)) return reply_and_swallow(long_opaque, size);
  if (memcached_item_bytes(op.request.key.size(), size, flags.client_flags) >
      here_.settings.max_item_bytes) {
    return refuse_large(op, size, true);
  }
  if (!has_value(size, behind)) return step::later;
  if (behind.substr(size, 2) != "\r\n") {
    here_.counts.add(count::cmd_set);
    return reply("CLIENT_ERROR bad data chunk");
  }
  op.quiet = flags.quiet;
  op.has_binary_key = op.request.binary_key = flags.binary_key;
  op.request.value = behind.substr(0, size);
  op.request.flags = flags.client_flags;
  op.request.expires = flags.expires;
  const store_verb verb = op.request.verb;
  if (flags.has_cas && (verb == store_verb::put || verb == store_verb::replace)) {
    op.request.verb = store_verb::put;
    compare_cas(op.request, flags, here_.settings.uses_cas);
    op.request.marks_stale = flags.marks_stale;
  } else if (verb == store_verb::append || verb == store_verb::prepend) {
    op.request.cas = here_.settings.uses_cas ? flags.cas : 0;
  }
  return perform(op);
}

step protocol::meta_delete(const tokens& words) {
  if (words.size() < 2) return reply("ERROR");
  if (words[1].size() > max_store_key_bytes) return reply(bad_meta_line);
  if (words.size() > max_meta_words) return reply("CLIENT_ERROR options flags too long");
  operation op;
  op.form = reply_form::meta_delete;
  op.flags = words.from(2);
  op.request.verb = store_verb::erase;
  op.request.key = words[1];
  meta_flags flags;
  std::string_view error;
  if (!read_meta_flags(here_, op.flags, op.request.key, key_.data(), flags, error)) {
    return reply(bad_flag);
  }
  if (has_long_opaque(op.flags)) return reply(long_opaque);
  op.quiet = flags.quiet;
  op.has_binary_key = flags.binary_key;
  compare_cas(op.request, flags, here_.settings.uses_cas);
  op.request.marks_stale = flags.marks_stale;
  op.request.sets_expiry = flags.marks_stale && flags.sets_expiry;
  op.request.expires = flags.expires;
  return perform(op);
}

step protocol::meta_arithmetic(const tokens& words) {
  if (words.size() < 2) return reply("ERROR");
  if (words[1].size() > max_store_key_bytes) return reply(bad_meta_line);
  if (words.size() > max_meta_words) return reply("CLIENT_ERROR options flags too long");
  operation op;
  op.form = reply_form::meta_arithmetic;
  op.flags = words.from(2);
  op.request.key = words[1];
  meta_flags flags;
  std::string_view error;
  if (!read_meta_flags(here_, op.flags, op.request.key, key_.data(), flags, error)) {
    return reply(bad_flag);
  }
  switch (flags.mode) {
    case '\0':
    case 'I':
    case '+':
      op.request.verb = store_verb::increment;
      break;
    case 'D':
    case '-':
      op.request.verb = store_verb::decrement;
      break;
    default:
      return reply("CLIENT_ERROR invalid mode for ma M token");
  }
  op.quiet = flags.quiet;
  op.has_binary_key = flags.binary_key;
  op.request.wants_value = flags.wants_value;
  op.request.delta = flags.delta;
  op.request.initial = flags.initial;
  if (flags.cas != 0) compare_cas(op.request, flags, here_.settings.uses_cas);
  set_expiries(op, flags);
  return perform(op);
}

step protocol::meta_debug(const tokens& words) {
  if (words.size() < 2 || words[1].size() > max_store_key_bytes) return reply(bad_meta_line);
  operation op;
  op.form = reply_form::meta_debug;
  op.request.key = words[1];
  op.request.wants_value = false;
  op.request.is_use = false;
  if (words.size() >= 3 && words[2] == "b") {
    op.request.key = {key_.data(), decode_base64(words[1], key_.data())};
    if (op.request.key.empty()) return reply(bad_meta_line);
  }
  return perform(op);
}

}  // namespace far::kv
