#include "bindings/kv/protocol.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "bindings/kv/reply.hpp"
#include "bindings/kv/slot.hpp"
#include "bindings/kv/watch_lines.hpp"

namespace far::kv {

void protocol::slot::finish(store_reply&& reply) {
  if (owner_ == nullptr) return;
  if (exchange_->take(std::move(reply), op_->op)) return start();
  owner_->here_.client = owner_->client_;
  write_reply(owner_->here_, op_->op, *exchange_, text);
  finish();
}

void protocol::slot::finish(std::string_view answer) {
  if (owner_ == nullptr) return;
  text << answer << end_;
  finish();
}

void protocol::slot::finish(const listed_page& page) {
  if (owner_ == nullptr) return;
  owner_->take_page(page, text);
  finish();
}

void protocol::slot::finish() {
  is_done_ = true;
  owner_->answered_();
}

protocol::protocol(backend& here, std::function<void()> answered, int client)
    : here_(here),
      answered_(std::move(answered)),
      is_known_(here.settings.users == nullptr),
      client_(client) {}

protocol::~protocol() {
  for (const auto& command : pending_) command->forget();
}

output& protocol::out() noexcept { return pending_.empty() ? *out_ : pending_.back()->behind; }

void protocol::collect(output& out) {
  while (!pending_.empty() && pending_.front()->is_done()) {
    out << pending_.front()->text.text() << pending_.front()->behind.text();
    pending_.pop_front();
  }
}

std::size_t protocol::take(std::string_view input, output& out) {
  constexpr char binary_request = '\x80';
  out_ = &out;
  here_.client = client_;
  wanted_ = 0;
  is_stalled_ = is_blocked_ = false;
  std::size_t taken = 0;
  int left = here_.settings.commands_per_turn;
  while (taken < input.size()) {
    if (is_closing_ || is_watching_) return input.size();
    if (swallow_ > 0) {
      const std::size_t dropped = std::min(swallow_, input.size() - taken);
      swallow_ -= dropped;
      taken += dropped;
      if (swallow_ == 0) reply(swallowed_reply_, swallowed_reply_.empty());
      continue;
    }
    if (is_first_) {
      is_first_ = false;
      if (input[taken] == binary_request) {
        reply("CLIENT_ERROR the binary protocol is not supported");
        refuse();
        continue;
      }
    }
    if (this->out().size() >= max_output) {
      (pending_.empty() ? is_stalled_ : is_blocked_) = true;
      break;
    }
    if (!pending_.empty() && pending_.back()->holds_all()) {
      is_blocked_ = true;
      break;
    }
    if (here_.settings.commands_per_turn != 0 && left-- == 0) {
      here_.counts.add(count::conn_yields);
      is_stalled_ = true;
      break;
    }
    const std::string_view rest = input.substr(taken);
    const std::size_t used = is_known_ ? take_line(rest) : take_login(rest);
    if (used == 0) break;
    taken += used;
  }
  return taken;
}

std::size_t protocol::take_line(std::string_view input) {
  const std::size_t length = input.find('\n', searched_);
  if (length == std::string_view::npos || length > max_line) {
    searched_ = std::min(length, input.size());
    check_long_line(input.substr(0, length));
    if (length == std::string_view::npos || is_closing_) return 0;
  }
  std::string_view line = input.substr(0, length);
  if (length > 1 && line.back() == '\r') line.remove_suffix(1);
  line = line.substr(0, line.find('\0'));  // as a C string ends

  value_taken_ = 0;
  switch (run(line, input.substr(length + 1))) {
    case step::done:
      searched_ = 0;
      keys_done_ = 0;
      return length + 1 + value_taken_;
    case step::later:
      if (wanted_ != 0) wanted_ += length + 1;
      break;
    case step::partial:
      (pending_.empty() ? is_stalled_ : is_blocked_) = true;
      break;
  }
  searched_ = length;
  return 0;
}

/// Ends the connection if a line is longer than any but a get may be.
void protocol::check_long_line(std::string_view line) {
  if (line.size() <= max_open_line) return;
  constexpr std::size_t max_blanks = 100;
  const std::size_t blanks = std::min(line.find_first_not_of(' '), line.size());
  const std::string_view command = line.substr(blanks);
  const bool is_get = command.starts_with("get ") || command.starts_with("gets ");
  if (blanks > max_blanks || !is_get || line.size() > max_get_line) refuse();
}

step protocol::run(std::string_view line, std::string_view behind) {
  const tokens words(line);
  if (words.size() == 0 || words[0].size() < 2) return reply("ERROR");
  if (words[0].size() == 2 && words[0][0] == 'm') return run_meta(words, behind);
  return run_classic(words, behind);
}

step protocol::run_meta(const tokens& words, std::string_view behind) {
  switch (words[0][1]) {
    case 'g':
      return meta_get(words);
    case 's':
      return meta_set(words, behind);
    case 'd':
      return meta_delete(words);
    case 'a':
      return meta_arithmetic(words);
    case 'e':
      return meta_debug(words);
    case 'n':
      return reply("MN");
    default:
      return reply("ERROR");
  }
}

step protocol::run_classic(const tokens& words, std::string_view behind) {
  const std::string_view name = words[0];
  switch (name[0]) {
    case 'g':
      if (words.size() < 2) break;
      if (name == "get") return get(words, false);
      if (name == "gets") return get(words, true);
      if (name == "gat") return get_and_touch(words, false);
      if (name == "gats") return get_and_touch(words, true);
      break;
    case 's':
      if (name == "set") return store(words, store_verb::put, false, behind);
      if (name == "stats") return stats(words);
      if (name == "shutdown") return shut_down(words);
      if (name == "slabs") return slabs(words);
      break;
    case 'a':
      if (name == "add") return store(words, store_verb::add, false, behind);
      if (name == "append") return store(words, store_verb::append, false, behind);
      break;
    case 'c':
      if (name == "cas") return store(words, store_verb::put, true, behind);
      if (name == "cache_memlimit") return memory_limit(words);
      break;
    case 'i':
      if (name == "incr") return arithmetic(words, store_verb::increment);
      break;
    case 'd':
      if (name == "delete") return erase(words);
      if (name == "decr") return arithmetic(words, store_verb::decrement);
      break;
    case 't':
      if (name == "touch") return touch(words);
      break;
    case 'r':
      if (name == "replace") return store(words, store_verb::replace, false, behind);
      return run_other(words);
    case 'p':
      if (name == "prepend") return store(words, store_verb::prepend, false, behind);
      return run_other(words);
    default:
      return run_other(words);
  }
  return reply("ERROR");
}

step protocol::run_other(const tokens& words) {
  const std::string_view name = words[0];
  if (name == "bget") return words.size() < 2 ? reply("ERROR") : get(words, false);
  if (name == "flush_all") return flush_all(words);
  if (name == "version") return reply("VERSION 1.6.18");
  if (name == "verbosity") return verbosity(words);
  if (name == "lru") return lru(words);
  if (name == "lru_crawler") return lru_crawler(words);
  if (name == "watch") return watch(words);
  if (name == "extstore") return extstore(words);
  if (name == "refresh_certs") {
    return words.back() == "noreply" ? step::done : reply("Error TLS not enabled");
  }
  if (name == "quit") {
    is_closing_ = true;
    return step::done;
  }
  // A browser, or who wants one to send commands.
  if (words.back().starts_with("HTTP/")) {
    refuse();
    return step::done;
  }
  return reply("ERROR");
}

bool protocol::has_value(std::size_t bytes, std::string_view behind) {
  const std::size_t needed = bytes + 2;
  if (behind.size() < needed) {
    wanted_ = needed;
    return false;
  }
  value_taken_ = needed;
  return true;
}

bool protocol::must_wait_for(std::size_t hash, bool changes) const noexcept {
  return pending_.size() >= max_pending || std::ranges::any_of(pending_, [&](const auto& earlier) {
           return earlier->conflicts(hash, changes);
         });
}

step protocol::perform(const operation& op) {
  if (here_.is_here(op.request.key)) {
    // As in memcached, who stores looks first. Where that would be a message more, only in the log
    // of what is stored.
    if (is_storing(op.form) && logs(here_, events::fetches)) log_item(here_, op.request.key);
    exchange requests(op);
    while (requests.take(here_.execute(requests.request()), op)) {
    }
    write_reply(here_, op, requests, out());
    return step::done;
  }
  const bool changes = op.form != reply_form::value && op.form != reply_form::value_cas &&
                       op.form != reply_form::meta_debug;
  const std::size_t hash = std::hash<std::string_view>{}(op.request.key);
  if (must_wait_for(hash, changes)) {
    is_blocked_ = true;
    value_taken_ = 0;
    return step::later;
  }
  pending_.push_back(std::make_shared<slot>(*this, op, hash, changes));
  pending_.back()->start();
  return step::done;
}

step protocol::ask_job(job_request what, std::string_view end) {
  if (!pending_.empty()) {
    is_blocked_ = true;
    return step::later;
  }
  const auto command = std::make_shared<slot>(*this, end);
  if (here_.ask_job(what, *out_, command)) {
    *out_ << end;
  } else {
    pending_.push_back(command);
  }
  return step::done;
}

step protocol::ask_sizes(size_report what) {
  if (!pending_.empty()) {
    is_blocked_ = true;
    return step::later;
  }
  pending_.push_back(std::make_shared<slot>(*this, "END\r\n"));
  here_.ask_sizes(what, pending_.back());
  return step::done;
}

step protocol::reply(std::string_view text, bool quiet) {
  if (!quiet) out() << text << "\r\n";
  return step::done;
}

step protocol::reply_and_swallow(std::string_view text, std::size_t value_bytes, bool quiet) {
  swallow_ = value_bytes + 2;
  swallowed_reply_ = quiet ? std::string_view() : text;
  return step::done;
}

}  // namespace far::kv
