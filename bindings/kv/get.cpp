// get, gets, gat, gats.

#include "bindings/kv/expiry.hpp"
#include "bindings/kv/numbers.hpp"
#include "bindings/kv/protocol.hpp"
#include "bindings/kv/reply.hpp"

namespace far::kv {
namespace {

/// Takes the first word off a line; empty if there is none.
std::string_view next_word(std::string_view& line) {
  std::size_t begin = 0;
  while (begin < line.size() && line[begin] == ' ') ++begin;
  std::size_t end = begin;
  while (end < line.size() && line[end] != ' ') ++end;
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

/// How many words come before one that is too long for a key; npos: there is none.
std::size_t find_long_key(std::string_view keys) {
  if (keys.size() <= max_store_key_bytes) return std::string_view::npos;
  std::size_t before = 0;
  for (std::string_view key = next_word(keys); !key.empty(); key = next_word(keys), ++before) {
    if (key.size() > max_store_key_bytes) return before;
  }
  return std::string_view::npos;
}

}  // namespace

step protocol::get(const tokens& words, bool with_cas) {
  operation op;
  op.form = with_cas ? reply_form::value_cas : reply_form::value;
  const std::string_view keys = words.line_from(1);
  if (find_long_key(keys) != std::string_view::npos) {
    return reply("CLIENT_ERROR bad command line format");
  }
  return get_keys(keys, op);
}

step protocol::get_and_touch(const tokens& words, bool with_cas) {
  std::int32_t time = 0;
  if (!read_number(words[1], time)) return reply("CLIENT_ERROR invalid exptime argument");
  const std::string_view keys = words.line_from(2);
  if (find_long_key(keys) != std::string_view::npos) {
    return reply("CLIENT_ERROR bad command line format");
  }
  operation op;
  op.form = with_cas ? reply_form::touched_value_cas : reply_form::touched_value;
  op.request.sets_expiry = true;
  op.request.expires = expiry_of(here_, time);
  return get_keys(keys, op);
}

step protocol::get_keys(std::string_view keys, operation& op) {
  std::size_t number = 0;
  for (std::string_view key = next_word(keys); !key.empty(); key = next_word(keys), ++number) {
    if (number < keys_done_) continue;
    if (out().size() >= max_output) return step::partial;
    op.request.key = key;
    if (get_key(op) == step::later) return step::later;
    keys_done_ = number + 1;
  }
  return reply("END");
}

step protocol::get_key(const operation& op) {
  if (op.request.sets_expiry || !here_.is_here(op.request.key)) return perform(op);
  write_value(here_, op.request.key, op.form == reply_form::value_cas, out());
  return step::done;
}

}  // namespace far::kv
