#include "bindings/kv/event_connection.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace far::kv {
namespace {

constexpr std::size_t small_input = 16 << 10;  // what is copied to read behind it
constexpr std::size_t kept_memory = 16 << 10;  // of a connection that is not busy

bool would_block() { return errno == EAGAIN || errno == EINTR; }

}  // namespace

connection::connection(worker& at, int socket)
    : worker_(at),
      socket_(socket),
      protocol_(
          at.here(),
          [this] {
            if (!has_turn_) worker_.give_turn(*this);
            has_turn_ = true;
          },
          socket) {
  read_event_.set<&connection::can_read>(at.loop(), socket, EV_READ, *this);
  write_event_.set<&connection::can_write>(at.loop(), socket, EV_WRITE, *this);
  read_event_.add();
  record_.socket = socket;
  record_.last_command = at.coarse_now();
  at.here().of_rank().add(record_);
}

connection::~connection() { worker_.here().of_rank().remove(record_); }

/// Carries out the commands of some input; returns how much of it is used.
std::size_t connection::take(std::string_view input) {
  worker_.here().turn_of = &record_;
  record_.last_command.store(worker_.coarse_now(), std::memory_order_relaxed);
  const std::size_t taken = protocol_.take(input, worker_.replies());
  record_.is_reading_value.store(protocol_.wanted() > 0, std::memory_order_relaxed);
  if (protocol_.is_watching() && !std::exchange(is_in_watchers_, true)) worker_.add_watcher(*this);
  return taken;
}

void connection::can_read() {
  receive();
  finish_turn();
}

/// Reads once and takes the commands. Returns false if nothing was there.
bool connection::receive() {
  const std::size_t before = kept_.size();
  if (before > small_input || protocol_.wanted() > small_input) return receive_more();
  // The usual way: into the thread's memory, so that an idle connection needs none.
  char* const input = worker_.input();
  kept_.text().copy(input, before);
  const std::size_t got = read(input + before, worker::input_bytes - before);
  if (got == 0) return false;
  kept_.clear();
  const std::string_view all(input, before + got);
  keep(all.substr(take(all)));
  return true;
}

/// The same for a long value, which is collected here.
bool connection::receive_more() {
  const std::size_t missing =
      protocol_.wanted() > kept_.size() ? protocol_.wanted() - kept_.size() : 0;
  const std::size_t room = std::max(missing, small_input);
  const std::size_t got = read(kept_.room(room), room);
  if (got == 0) return false;
  kept_.commit(got);
  if (kept_.size() >= protocol_.wanted()) use_kept();
  return true;
}

std::size_t connection::read(char* to, std::size_t room) {
  const ssize_t got = recv(socket_.number(), to, room, 0);
  if (got > 0) {
    worker_.here().counts.add(count::bytes_read, static_cast<std::size_t>(got));
    return static_cast<std::size_t>(got);
  }
  if (got == 0 || !would_block()) is_over_ = true;
  return 0;
}

void connection::keep(std::string_view rest) {
  if (!rest.empty()) kept_ << rest;
}

void connection::use_kept() {
  const std::size_t taken = take(kept_.text());
  if (taken == 0) return;
  output rest;
  rest << kept_.text().substr(taken);
  kept_ = std::move(rest);
}

void connection::can_write() {
  if (backlog_sent_ < backlog_.size()) {
    send(backlog_.text(), backlog_sent_);
  }
  if (backlog_sent_ == backlog_.size()) {
    backlog_.clear();
    backlog_.shrink(kept_memory);
    backlog_sent_ = 0;
    tell_skipped();  // at once, because there may be no line for long
    if (protocol_.is_stalled() || protocol_.is_blocked()) use_kept();
  }
  finish_turn();
}

void connection::resume() {
  has_turn_ = false;
  protocol_.collect(worker_.replies());
  if (protocol_.is_blocked() && backlog_.empty()) use_kept();
  finish_turn();
}

void connection::stop() {
  if (backlog_.empty() && !protocol_.is_blocked() && !protocol_.is_stalled()) receive();
  is_over_ = is_stopped_ = true;
  finish_turn();
}

/// Tells a watcher how many lines it has missed.
void connection::tell_skipped() {
  if (lines_skipped_ == 0) return;
  worker_.replies() << "skipped=" << std::exchange(lines_skipped_, 0) << '\n';
}

void connection::show(const std::vector<logged_event>& events) {
  if (protocol_.has_pending()) return;  // the client is not told yet that it may watch
  const std::size_t room = worker_.here().of_rank().options().watcher_bytes;
  counters& counts = worker_.here().counts;
  output& lines = worker_.replies();
  for (const logged_event& event : events) {
    if ((event.kind & watched()) == 0) continue;
    if (backlog_.size() + lines.size() + event.line.size() > room) send_replies();
    if (backlog_.size() + event.line.size() > room) {
      counts.add(count::log_watcher_skipped);
      ++lines_skipped_;
      continue;
    }
    tell_skipped();
    lines << event.line;
    counts.add(count::log_watcher_sent);
  }
  finish_turn();
}

/// Sends from bytes[sent] on, and adds what went. Returns false if not all did.
bool connection::send(std::string_view bytes, std::size_t& sent) {
  while (sent < bytes.size() && !is_broken_) {
    const ssize_t went =
        ::send(socket_.number(), bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (went < 0) {
      if (!would_block()) is_broken_ = true;
      return false;
    }
    worker_.here().counts.add(count::bytes_written, static_cast<std::size_t>(went));
    sent += static_cast<std::size_t>(went);
  }
  return sent == bytes.size();
}

/// Sends the replies of this turn, or keeps them behind those that the client has not taken.
void connection::send_replies() {
  output& replies = worker_.replies();
  if (!backlog_.empty()) {
    backlog_ << replies.text();
  } else if (!replies.empty()) {
    std::size_t sent = 0;
    if (!send(replies.text(), sent)) backlog_ << replies.text().substr(sent);
  }
  replies.clear();
  replies.shrink(2 * protocol::max_output);
}

/// Ends a turn: sends what there is, and decides what to wait for.
void connection::finish_turn() {
  send_replies();
  const bool waits_to_send = !backlog_.empty();
  const bool has_more = protocol_.is_stalled() || protocol_.has_pending();
  const bool ends = protocol_.is_closing() || is_over_;
  if (is_broken_ || (ends && !waits_to_send && !has_more)) {
    const bool is_error = is_broken_ || protocol_.is_refusing();
    return worker_.end(*this, is_error      ? close_reason::error
                              : is_stopped_ ? close_reason::shutdown
                                            : close_reason::normal);
  }
  if (waits_to_send || protocol_.is_stalled()) {
    write_event_.add();
  } else {
    write_event_.remove();
  }
  if (waits_to_send || ends || protocol_.is_stalled() || protocol_.is_blocked()) {
    read_event_.remove();
  } else {
    read_event_.add();
  }
}

}  // namespace far::kv
