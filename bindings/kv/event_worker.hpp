#pragma once
// A thread that serves connections: an event loop.

#include <event2/event.h>
#include <event2/event_struct.h>

#include <memory>
#include <unordered_map>
#include <vector>

#include "bindings/kv/watch_lines.hpp"
#include "bindings/kv/worker_backend.hpp"

namespace far::kv {

class connection;

/// An event of libevent that ends with its object.
class loop_event {
 public:
  loop_event() = default;
  ~loop_event() { remove(); }
  loop_event(const loop_event&) = delete;
  loop_event& operator=(const loop_event&) = delete;

  /// Calls object.*Method() whenever the descriptor is readable or writable, as `what` says, or
  /// with -1 and a period.
  template <auto Method, class Object>
  void set(event_base* loop, int descriptor, short what, Object& object) {
    const auto call = [](evutil_socket_t, short, void* to) {
      (static_cast<Object*>(to)->*Method)();
    };
    event_assign(&event_, loop, descriptor, static_cast<short>(what | EV_PERSIST), call, &object);
  }
  void add(const timeval* period = nullptr) {
    if (!is_added_) event_add(&event_, period);
    is_added_ = true;
  }
  void remove() {
    if (is_added_) event_del(&event_);
    is_added_ = false;
  }

 private:
  event event_{};
  bool is_added_ = false;
};

/// The connections of one thread. Not thread-safe, but for what the server gives others of it.
class worker {
 public:
  /// `number`: of the server's threads; 0 accepts connections.
  worker(server& here, const world& world, int number);
  ~worker();
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;

  /// Serves until the server stops and every command that has been read is answered.
  void run();

  [[nodiscard]] event_base* loop() const noexcept { return loop_.get(); }
  [[nodiscard]] worker_backend& here() noexcept { return backend_; }
  /// Room for input, and replies before they are sent: of whichever connection has the turn.
  static constexpr std::size_t input_bytes = 64 << 10;
  [[nodiscard]] char* input() noexcept { return input_.get(); }
  output& replies() noexcept { return replies_; }
  /// The store's clock as of the last tick.
  [[nodiscard]] store_second coarse_now() const noexcept { return coarse_now_; }

  /// A connection has been answered; it gets a turn when all answers of now are there.
  void give_turn(connection& to) { answered_.push_back(&to); }
  /// Destroys the connection.
  void end(connection& of, close_reason why);
  /// The connection is to get lines of the log, from now on.
  void add_watcher(connection& to) { watchers_.push_back(&to); }
  /// Gives them to those connections.
  void show(const std::vector<logged_event>& events);
  /// A socket that has been accepted.
  void open(int socket);

 private:
  struct free_loop {
    void operator()(event_base* loop) const noexcept { event_base_free(loop); }
  };
  struct listening;

  void accept_from(int listener);
  void pause_accepting();
  void accept_again();
  void read_mail();
  void tick();
  void caught_signal();
  void end_idle();
  void begin_stop();
  void leave_if_done();

  const fabric::fabric& fabric_;
  worker_backend backend_;
  std::unique_ptr<event_base, free_loop> loop_;
  std::unique_ptr<char[]> input_;
  output replies_;
  std::unordered_map<connection*, std::unique_ptr<connection>> connections_;
  std::vector<connection*> answered_;
  std::vector<connection*> watchers_;
  std::vector<std::unique_ptr<listening>> listening_;
  loop_event mail_event_;
  loop_event tick_event_;
  loop_event signal_event_;
  std::size_t next_worker_ = 0;
  int number_;
  store_second coarse_now_;
  int ticks_to_stop_ = 0;
  bool is_stopping_ = false;
};

}  // namespace far::kv
