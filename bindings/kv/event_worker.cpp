#include "bindings/kv/event_worker.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "bindings/kv/event_connection.hpp"
#include "bindings/kv/stop_signal.hpp"

namespace far::kv {
namespace {

constexpr timeval second{1, 0};
constexpr int ticks_to_drain = 3;  // what slow clients have to take their last replies

}  // namespace

/// A socket that clients connect to.
struct worker::listening {
  listening(worker& of, int socket) : at(of), number(socket) {
    readable.set<&listening::accept>(of.loop(), socket, EV_READ, *this);
    readable.add();
  }
  void accept() { at.accept_from(number); }

  worker& at;
  int number;
  loop_event readable;
};

worker::worker(server& here, const world& world, int number)
    : fabric_(world.fabric()),
      backend_(here, world),
      loop_(event_base_new()),
      input_(std::make_unique<char[]>(input_bytes)),
      number_(number),
      coarse_now_(backend_.now_s()) {
  if (loop_ == nullptr) throw fabric_error("cannot make an event loop");
  backend_.show = [this](const std::vector<logged_event>& events) { show(events); };
  here.add({&backend_.counts, &backend_.mail, this, &backend_});
}

worker::~worker() = default;

void worker::run() {
  server& here = backend_.of_rank();
  mail_event_.set<&worker::read_mail>(loop(), backend_.mail.wakes(), EV_READ, *this);
  mail_event_.add();
  tick_event_.set<&worker::tick>(loop(), -1, 0, *this);
  tick_event_.add(&second);
  const bool is_first = number_ == 0;
  if (is_first) {
    for (const descriptor& socket : here.listeners) {
      listening_.push_back(std::make_unique<listening>(*this, socket.number()));
    }
    signal_event_.set<&worker::caught_signal>(loop(), here.signal().descriptor_number(), EV_READ,
                                              *this);
    signal_event_.add();
  }
  event_base_loop(loop(), 0);
  listening_.clear();
  connections_.clear();
}

/// Accepts one connection, and gives it to this rank's threads in turn.
void worker::accept_from(int listener) {
  server& here = backend_.of_rank();
  const int socket = accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (socket < 0) {
    if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
      if (here.verbosity > 0) std::perror("far-kv: accept");
      pause_accepting();
    }
    return;
  }
  if (here.connections.fetch_add(1) >= here.max_connections()) {
    constexpr std::string_view text = "ERROR Too many open connections\r\n";
    static_cast<void>(::send(socket, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
    ::close(socket);
    here.connections.fetch_sub(1);
    backend_.counts.add(count::rejected_connections);
    return;
  }
  const worker_record chosen = here.worker_for(next_worker_++);
  if (chosen.at == this) return open(socket);
  chosen.mail->post([to = chosen.at, socket] { to->open(socket); });
}

void worker::open(int socket) {
  const int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));  // fails for a Unix socket
  backend_.counts.add(count::curr_connections);
  backend_.counts.add(count::total_connections);
  auto made = std::make_unique<connection>(*this, socket);
  connection& added = *made;
  connections_.emplace(&added, std::move(made));
  if (logs(backend_, events::connections)) log_opened(backend_, socket);
  if (is_stopping_) added.stop();
}

void worker::show(const std::vector<logged_event>& events) {
  const std::vector<connection*> all = watchers_;  // some may end
  for (connection* const each : all) each->show(events);
}

void worker::end(connection& of, close_reason why) {
  if (logs(backend_, events::connections)) log_closed(backend_, of.socket(), why);
  if (std::erase(watchers_, &of) > 0) backend_.end_watch(of.watched());
  std::erase(answered_, &of);
  connections_.erase(&of);
  backend_.counts.subtract(count::curr_connections);
  server& here = backend_.of_rank();
  here.connections.fetch_sub(1);
  if (is_stopping_) leave_if_done();
}

/// No descriptor is left: the sockets stay readable, so they are not looked at for a second.
void worker::pause_accepting() {
  backend_.counts.add(count::listen_disabled_num);
  for (const auto& socket : listening_) socket->readable.remove();
}

void worker::accept_again() {
  for (const auto& socket : listening_) socket->readable.add();
}

void worker::read_mail() {
  backend_.mail.run_all();
  while (!answered_.empty()) {
    connection& next = *answered_.back();
    answered_.pop_back();
    next.resume();
  }
  if (backend_.of_rank().is_stopping()) begin_stop();
}

void worker::tick() {
  if (fabric_.knows_failure()) return backend_.of_rank().fail();
  coarse_now_ = backend_.now_s();
  if (is_stopping_) {
    const bool patient = ++ticks_to_stop_ < ticks_to_drain;
    if (!patient && backend_.outstanding() == 0) event_base_loopbreak(loop());
    return;
  }
  accept_again();
  end_idle();
  if (number_ == 0) backend_.tick();
}

void worker::end_idle() {
  const int limit = backend_.of_rank().options().idle_timeout;
  if (limit == 0) return;
  std::vector<connection*> idle;
  for (const auto& [key, value] : connections_) {
    if (key->is_watching()) continue;
    if (key->last_command() + static_cast<store_second>(limit) < coarse_now_) idle.push_back(key);
  }
  for (connection* const each : idle) end(*each, close_reason::idle_timeout);
  backend_.counts.add(count::idle_kicks, idle.size());
}

void worker::caught_signal() {
  signal_event_.remove();
  backend_.of_rank().stop_all();
}

void worker::begin_stop() {
  if (backend_.of_rank().has_failed()) {
    event_base_loopbreak(loop());
    return;
  }
  if (!is_stopping_) {
    is_stopping_ = true;
    listening_.clear();
    std::vector<connection*> open;
    for (const auto& [key, value] : connections_) open.push_back(key);
    for (connection* const each : open) each->stop();
  }
  leave_if_done();
}

void worker::leave_if_done() {
  if (connections_.empty() && backend_.outstanding() == 0) event_base_loopbreak(loop());
}

}  // namespace far::kv
