// Commands of the text protocol that change an item.

#include "bindings/kv/expiry.hpp"
#include "bindings/kv/item_size.hpp"
#include "bindings/kv/numbers.hpp"
#include "bindings/kv/protocol.hpp"
#include "bindings/kv/reply.hpp"
#include "bindings/kv/watch_lines.hpp"

namespace far::kv {
namespace {

constexpr std::string_view bad_line = "CLIENT_ERROR bad command line format";
constexpr std::int32_t max_value_bytes = 0x7fffffff - 2;

bool says_noreply(const tokens& words) { return words.back() == "noreply"; }

}  // namespace

step protocol::store(const tokens& words, store_verb verb, bool has_cas, std::string_view behind) {
  const std::size_t plain = has_cas ? 6 : 5;
  if (words.size() != plain && words.size() != plain + 1) return reply("ERROR");
  operation op;
  op.form = reply_form::stored;
  op.quiet = says_noreply(words);
  op.request.verb = verb;
  op.request.key = words[1];
  std::int32_t time = 0;
  std::int32_t bytes = 0;
  std::uint64_t cas = 0;
  if (words[1].size() > max_store_key_bytes || !read_number(words[2], op.request.flags) ||
      !read_number(words[3], time) || !read_number(words[4], bytes) ||
      (has_cas && !read_number(words[5], cas)) || bytes < 0 || bytes > max_value_bytes) {
    return reply(bad_line, op.quiet);
  }
  const auto size = static_cast<std::size_t>(bytes);
  if (memcached_item_bytes(words[1].size(), size, op.request.flags) >
      here_.settings.max_item_bytes) {
    return refuse_large(op, size, verb == store_verb::put && !has_cas);
  }
  if (!has_value(size, behind)) return step::later;
  op.request.value = behind.substr(0, size);
  if (behind.substr(size, 2) != "\r\n") {
    here_.counts.add(count::cmd_set);
    return reply("CLIENT_ERROR bad data chunk", op.quiet);
  }
  op.request.expires = expiry_of(here_, time);
  op.request.compares_cas = has_cas;
  if (here_.settings.uses_cas) op.request.cas = cas;  // without, no item has any
  return perform(op);
}

step protocol::refuse_large(const operation& op, std::size_t value_bytes, bool removes) {
  if (removes) {
    // So that no client finds the value that this one was to replace.
    operation removal;
    removal.form = reply_form::nothing;
    removal.request.verb = store_verb::erase;
    removal.request.key = op.request.key;
    if (perform(removal) == step::later) return step::later;
  }
  here_.counts.add(count::store_too_large);
  if (logs(here_, events::mutations)) {
    log_stored(here_, op, value_bytes, store_status::too_large);
  }
  return reply_and_swallow(too_large, value_bytes, op.quiet);
}

step protocol::arithmetic(const tokens& words, store_verb verb) {
  if (words.size() != 3 && words.size() != 4) return reply("ERROR");
  operation op;
  op.form = reply_form::number;
  op.quiet = says_noreply(words);
  if (words[1].size() > max_store_key_bytes) return reply(bad_line, op.quiet);
  op.request.verb = verb;
  op.request.key = words[1];
  if (!read_number(words[2], op.request.delta)) {
    return reply("CLIENT_ERROR invalid numeric delta argument", op.quiet);
  }
  return perform(op);
}

step protocol::touch(const tokens& words) {
  if (words.size() != 3 && words.size() != 4) return reply("ERROR");
  operation op;
  op.form = reply_form::touched;
  op.quiet = says_noreply(words);
  if (words[1].size() > max_store_key_bytes) return reply(bad_line, op.quiet);
  std::int32_t time = 0;
  if (!read_number(words[2], time)) {
    return reply("CLIENT_ERROR invalid exptime argument", op.quiet);
  }
  op.request.verb = store_verb::touch;
  op.request.key = words[1];
  op.request.expires = expiry_of(here_, time);
  op.request.sets_expiry = true;
  return perform(op);
}

step protocol::erase(const tokens& words) {
  if (words.size() < 2 || words.size() > 4) return reply("ERROR");
  operation op;
  op.form = reply_form::deleted;
  if (words.size() > 2) {
    op.quiet = says_noreply(words);
    const bool zero = words[2] == "0";
    const bool valid = words.size() == 3 ? zero || op.quiet : zero && op.quiet;
    if (!valid) {
      return reply("CLIENT_ERROR bad command line format.  Usage: delete <key> [noreply]",
                   op.quiet);
    }
  }
  if (words[1].size() > max_store_key_bytes) return reply(bad_line, op.quiet);
  op.request.verb = store_verb::erase;
  op.request.key = words[1];
  return perform(op);
}

}  // namespace far::kv
