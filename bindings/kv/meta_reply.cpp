// Replies to meta commands.

#include <algorithm>

#include "bindings/kv/item_size.hpp"
#include "bindings/kv/meta_flags.hpp"
#include "bindings/kv/reply.hpp"
#include "bindings/kv/watch_lines.hpp"

namespace far::kv {
namespace {

constexpr std::size_t meta_line_bytes = 2048;  // more than key and all flags need

void write_key(std::string_view key, bool binary, output& out) {
  out << " k";
  if (!binary) {
    out << key;
  } else {
    out.append_base64(key);
    out << " b";
  }
}

/// What any reply may repeat of its command: opaque token and key.
void write_echo(const operation& op, std::string_view flag, bool binary, output& out) {
  if (flag[0] == 'O') {
    out << ' ' << flag;
  } else if (flag[0] == 'k') {
    write_key(op.request.key, binary, out);
  }
}

void write_echoes(const operation& op, output& out) {
  for (const std::string_view flag : op.flags) write_echo(op, flag, op.has_binary_key, out);
}

/// The expiry as it was when memcached, which takes one flag after the other, comes to the flag t.
class expiry_at_flags {
 public:
  expiry_at_flags(const operation& op, store_second before, bool is_new) noexcept
      : op_(op), expires_(is_new ? 0 : before), is_new_(is_new) {}

  void pass(std::string_view flag) noexcept {
    if (flag[0] == 'T') expires_ = op_.request.expires;
    if (flag[0] == 'N' && is_new_) expires_ = op_.new_expires;
  }
  void write_remaining(store_second now, output& out) const {
    out << " t";
    if (expires_ == 0) {
      out << "-1";
    } else {
      out << static_cast<std::uint32_t>(expires_ - now);
    }
  }

 private:
  const operation& op_;
  store_second expires_;
  bool is_new_;
};

/// Writes all of the line of mg but its end. `expiry` is from before the command.
void write_item_line(backend& here, const operation& op, const item_info& item, bool is_new,
                     bool won, output& out) {
  out.room(meta_line_bytes);
  if (op.request.wants_value) {
    out << "VA " << item.value_bytes;
  } else {
    out << "HD";
  }
  expiry_at_flags expiry(op, item.expires, is_new);
  for (const std::string_view flag : op.flags) {
    expiry.pass(flag);
    switch (flag[0]) {
      case 's':
        out << " s" << item.value_bytes;
        break;
      case 't':
        expiry.write_remaining(here.now_s(), out);
        break;
      case 'c':
        out << " c" << (here.settings.uses_cas ? item.cas : 0);
        break;
      case 'f':
        out << " f" << item.flags;
        break;
      case 'l':
        out << " l" << here.now_s() - item.accessed;
        break;
      case 'h':
        out << (item.was_fetched && !op.has_marked_fetched ? " h1" : " h0");
        break;
      default:
        write_echo(op, flag, item.binary_key, out);
    }
  }
  if (item.is_won) out << " Z";
  if (item.is_stale) out << " X";
  if (won) out << " W";
  out << "\r\n";
}

void write_got(backend& here, const operation& op, const exchange& done, output& out) {
  const store_reply& reply = done.reply;
  const bool found = reply.status == store_status::done;
  const bool touched = found && position_of(op.flags, 'T') < op.flags.size();
  here.counts.add(touched ? count::cmd_touch : count::cmd_get);
  if (touched) {
    here.counts.add(count::touch_hits);
  } else {
    here.counts.add(found ? count::get_hits : count::get_misses);
  }
  if (!found) {
    if (op.quiet) return;
    out << "EN";
    write_echoes(op, out);
    out << "\r\n";
  } else {
    write_item_line(here, op, reply, done.reply.made, reply.won, out);
    if (op.request.wants_value) out << reply.value << "\r\n";
  }
}

std::string_view set_status(const operation& op, store_status status) {
  const store_verb verb = op.request.verb;
  const bool extends = verb == store_verb::append || verb == store_verb::prepend;
  switch (status) {
    case store_status::done:
      return "HD";
    case store_status::changed:
      return "EX";
    case store_status::absent:
      return op.request.compares_cas && !extends ? "NF" : "NS";
    case store_status::no_memory:
      return extends ? "NS" : "SERVER_ERROR out of memory storing object";
    case store_status::too_large:
      return extends ? "NS" : too_large;
    case store_status::present:
    case store_status::not_a_number:
      break;
  }
  return "NS";
}

void write_set(backend& here, const operation& op, const store_reply& reply, output& out) {
  const bool stored = reply.status == store_status::done;
  if (stored && op.quiet) return;
  const std::string_view status = set_status(op, reply.status);
  out << status;
  if (status.size() == 2) {
    for (const std::string_view flag : op.flags) {
      if (flag[0] == 'c') {
        out << " c" << (stored && here.settings.uses_cas ? reply.cas : 0);
      } else {
        write_echo(op, flag, op.has_binary_key, out);
      }
    }
  }
  out << "\r\n";
}

void write_deleted(backend& here, const operation& op, const store_reply& reply, output& out) {
  const bool done = reply.status == store_status::done;
  if (!done) here.counts.add(count::delete_misses);
  if (done && !op.request.marks_stale) here.counts.add(count::delete_hits);
  if (done && op.quiet) return;
  out << (done ? "HD" : reply.status == store_status::changed ? "EX" : "NF");
  write_echoes(op, out);
  out << "\r\n";
}

void write_new_number(backend& here, const operation& op, const exchange& done, output& out) {
  const store_reply& reply = done.reply;
  const bool is_new = done.reply.made;
  if (op.quiet && !is_new) return;
  const std::string_view number = std::string_view(reply.value).substr(0, reply.value.find(' '));
  if (op.request.wants_value) {
    out << "VA " << number.size();
  } else {
    out << "HD";
  }
  expiry_at_flags expiry(op, reply.expires, is_new);
  for (const std::string_view flag : op.flags) {
    expiry.pass(flag);
    switch (flag[0]) {
      case 'c':
        out << " c" << (here.settings.uses_cas ? reply.cas : 0);
        break;
      case 't':
        expiry.write_remaining(here.now_s(), out);
        break;
      default:
        write_echo(op, flag, op.has_binary_key, out);
    }
  }
  out << "\r\n";
  if (op.request.wants_value) out << number << "\r\n";
}

void write_arithmetic(backend& here, const operation& op, const exchange& done, output& out) {
  switch (done.reply.status) {
    case store_status::not_a_number:
      out << "CLIENT_ERROR cannot increment or decrement non-numeric value\r\n";
      return;
    case store_status::no_memory:
    case store_status::too_large:
      out << "SERVER_ERROR out of memory\r\n";
      return;
    case store_status::done:
    case store_status::absent:
    case store_status::present:
    case store_status::changed:
      break;
  }
  if (has_long_opaque(op.flags)) {
    out << long_opaque << "\r\n";
  } else if (done.reply.status == store_status::done) {
    write_new_number(here, op, done, out);
  } else {
    out << (done.reply.status == store_status::changed ? "EX" : "NF");
    write_echoes(op, out);
    out << "\r\n";
  }
}

void write_debug(backend& here, const operation& op, const item_info& item, output& out) {
  const store_second now = here.now_s();
  const std::string_view key = op.request.key;
  const std::size_t bytes = memcached_item_bytes(key.size(), item.value_bytes, item.flags);
  out << "ME ";
  if (item.binary_key) {
    out.append_base64(key);
  } else {
    out << key;
  }
  out << " exp=" << (item.expires == 0 ? -1 : static_cast<std::int32_t>(now - item.expires));
  out << " la=" << now - item.accessed << " cas=" << (here.settings.uses_cas ? item.cas : 0);
  out << " fetch=" << (item.was_fetched ? "yes" : "no");
  out << " cls=" << memcached_slab_class(bytes, here.settings.max_item_bytes);
  out << " size=" << bytes << "\r\n";
}

}  // namespace

bool write_meta_item(backend& here, operation& op, output& out) {
  const std::size_t begin = out.size();
  bool must_change = false;
  const bool is_logged = logs(here, events::fetches);
  item_info seen;
  const bool found = here.read(op.request.key, [&](const item_info& item) -> char* {
    out.cut(begin);
    if (is_logged) seen = item;
    must_change = item.is_stale && !item.is_won;  // this client wins
    op.has_marked_fetched = must_change && !item.was_fetched;
    if (must_change) return nullptr;
    write_item_line(here, op, item, false, false, out);
    if (!op.request.wants_value) return nullptr;
    char* const value = out.room(item.value_bytes + 2);
    value[item.value_bytes] = '\r';
    value[item.value_bytes + 1] = '\n';
    out.commit(item.value_bytes + 2);
    return value;
  });
  if (!found || must_change) {
    out.cut(begin);
    return false;
  }
  here.counts.add(count::cmd_get);
  here.counts.add(count::get_hits);
  if (is_logged) log_fetch(here, op.request.key, &seen);
  return true;
}

void write_meta_reply(backend& here, const operation& op, const exchange& done, output& out) {
  const store_reply& reply = done.reply;
  switch (op.form) {
    case reply_form::meta_get:
      return write_got(here, op, done, out);
    case reply_form::meta_set:
      return write_set(here, op, reply, out);
    case reply_form::meta_delete:
      return write_deleted(here, op, reply, out);
    case reply_form::meta_arithmetic:
      return write_arithmetic(here, op, done, out);
    case reply_form::meta_debug:
      break;
    default:
      return;
  }
  here.counts.add(count::cmd_meta);
  if (reply.status != store_status::done) {
    out << "EN\r\n";
    return;
  }
  write_debug(here, op, reply, out);
}

}  // namespace far::kv
