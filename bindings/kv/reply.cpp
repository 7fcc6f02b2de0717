#include "bindings/kv/reply.hpp"

#include "bindings/kv/watch_lines.hpp"

namespace far::kv {
namespace {

constexpr std::size_t value_line_bytes = 6 + max_store_key_bytes + 3 * 21 + 2 + 2;

/// Writes "VALUE key flags bytes [cas]", leaves room for the value, and returns where it goes.
char* begin_value(std::string_view key, const item_info& item, bool with_cas, bool uses_cas,
                  output& out) {
  out.room(value_line_bytes + item.value_bytes);  // so that the rest allocates nothing
  out << "VALUE " << key << ' ' << item.flags << ' ' << item.value_bytes;
  if (with_cas) out << ' ' << (uses_cas ? item.cas : 0);
  out << "\r\n";
  char* const value = out.room(item.value_bytes + 2);
  value[item.value_bytes] = '\r';
  value[item.value_bytes + 1] = '\n';
  out.commit(item.value_bytes + 2);
  return value;
}

/// The value of a key elsewhere, or one that has been touched.
void write_copied_value(backend& here, const operation& op, const store_reply& reply, bool with_cas,
                        output& out) {
  if (reply.status != store_status::done) return;
  char* const to = begin_value(op.request.key, reply, with_cas, here.settings.uses_cas, out);
  reply.value.copy(to, reply.value.size());
}

std::string_view stored_text(const operation& op, store_status status) {
  const store_verb verb = op.request.verb;
  const bool extends = verb == store_verb::append || verb == store_verb::prepend;
  switch (status) {
    case store_status::done:
      return "STORED";
    case store_status::changed:
      return "EXISTS";
    case store_status::absent:
      return op.request.compares_cas && !extends ? "NOT_FOUND" : "NOT_STORED";
    case store_status::too_large:
      return extends ? "NOT_STORED" : too_large;
    case store_status::no_memory:
      return extends ? "NOT_STORED" : "SERVER_ERROR out of memory storing object";
    case store_status::present:
    case store_status::not_a_number:
      break;
  }
  return "NOT_STORED";
}

void count_stored(backend& here, const operation& op, store_status status) {
  here.counts.add(count::cmd_set);
  if (status == store_status::no_memory) here.counts.add(count::store_no_memory);
  if (!op.request.compares_cas || op.request.verb == store_verb::append ||
      op.request.verb == store_verb::prepend) {
    return;
  }
  if (status == store_status::done) here.counts.add(count::cas_hits);
  if (status == store_status::changed) here.counts.add(count::cas_badval);
  if (status == store_status::absent) here.counts.add(count::cas_misses);
}

std::string_view number_text(const store_reply& reply) {
  switch (reply.status) {
    case store_status::done: {
      // A shorter number than before is stored with blanks behind it.
      const std::string_view value = reply.value;
      return value.substr(0, value.find(' '));
    }
    case store_status::not_a_number:
      return "CLIENT_ERROR cannot increment or decrement non-numeric value";
    case store_status::no_memory:
    case store_status::too_large:
      return "SERVER_ERROR out of memory";
    case store_status::absent:
    case store_status::present:
    case store_status::changed:
      break;
  }
  return "NOT_FOUND";
}

void count_number(backend& here, const operation& op, store_status status) {
  const bool up = op.request.verb == store_verb::increment;
  if (status == store_status::done) here.counts.add(up ? count::incr_hits : count::decr_hits);
  if (status == store_status::absent) here.counts.add(up ? count::incr_misses : count::decr_misses);
}

/// Only commands of the text protocol are counted by prefix, as in memcached.
void count_prefix(backend& here, const operation& op, bool found) {
  if (here.prefixes == nullptr) return;
  switch (op.form) {
    case reply_form::value:
    case reply_form::value_cas:
    case reply_form::touched_value:
    case reply_form::touched_value_cas:
      return here.prefixes->add_get(op.request.key, found);
    case reply_form::stored:
      return here.prefixes->add_set(op.request.key);
    case reply_form::deleted:
      return here.prefixes->add_erase(op.request.key);
    default:
      return;
  }
}

/// Logs what was looked up, or stored.
void log_reply(backend& here, const operation& op, const store_reply& reply) {
  if (is_storing(op.form)) {
    if (logs(here, events::mutations)) {
      log_stored(here, op, op.request.value.size(), reply.status);
    }
  } else if (op.form != reply_form::nothing && logs(here, events::fetches)) {
    const bool is_done = reply.status == store_status::done;
    const bool is_missing = reply.status == store_status::absent || reply.made;
    // Of an item that was found but not changed the reply tells nothing.
    if (!is_missing && !is_done && here.is_here(op.request.key)) {
      log_item(here, op.request.key);
    } else {
      log_fetch(here, op.request.key, is_missing ? nullptr : &reply);
    }
  }
}

void write_line(const operation& op, std::string_view text, output& out) {
  if (!op.quiet) out << text << "\r\n";
}

}  // namespace

void write_value(backend& here, std::string_view key, bool with_cas, output& out) {
  const std::size_t begin = out.size();
  const bool uses_cas = here.settings.uses_cas;
  const bool is_logged = logs(here, events::fetches);
  item_info seen;
  const bool found = here.read(key, [&](const item_info& item) {
    out.cut(begin);
    if (is_logged) seen = item;
    return begin_value(key, item, with_cas, uses_cas, out);
  });
  here.counts.add(count::cmd_get);
  here.counts.add(found ? count::get_hits : count::get_misses);
  if (here.prefixes != nullptr) here.prefixes->add_get(key, found);
  if (is_logged) log_fetch(here, key, found ? &seen : nullptr);
  if (!found) out.cut(begin);
}

void write_reply(backend& here, const operation& op, const exchange& done, output& out) {
  const store_reply& reply = done.reply;
  const bool found = reply.status == store_status::done;
  count_prefix(here, op, found);
  log_reply(here, op, reply);
  switch (op.form) {
    case reply_form::value:
    case reply_form::value_cas:
      here.counts.add(count::cmd_get);
      here.counts.add(found ? count::get_hits : count::get_misses);
      return write_copied_value(here, op, reply, op.form == reply_form::value_cas, out);
    case reply_form::touched_value:
    case reply_form::touched_value_cas:
      here.counts.add(count::cmd_touch);
      here.counts.add(found ? count::touch_hits : count::touch_misses);
      return write_copied_value(here, op, reply, op.form == reply_form::touched_value_cas, out);
    case reply_form::stored:
      count_stored(here, op, reply.status);
      return write_line(op, stored_text(op, reply.status), out);
    case reply_form::number:
      count_number(here, op, reply.status);
      return write_line(op, number_text(reply), out);
    case reply_form::touched:
      here.counts.add(count::cmd_touch);
      here.counts.add(found ? count::touch_hits : count::touch_misses);
      return write_line(op, found ? "TOUCHED" : "NOT_FOUND", out);
    case reply_form::deleted:
      here.counts.add(found ? count::delete_hits : count::delete_misses);
      return write_line(op, found ? "DELETED" : "NOT_FOUND", out);
    case reply_form::nothing:
      return;
    case reply_form::meta_set:
      count_stored(here, op, reply.status);
      break;
    case reply_form::meta_arithmetic:
      count_number(here, op, reply.status);
      break;
    case reply_form::meta_get:
    case reply_form::meta_delete:
    case reply_form::meta_debug:
      break;
  }
  write_meta_reply(here, op, done, out);
}

}  // namespace far::kv
