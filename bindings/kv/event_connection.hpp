#pragma once
// A client's connection.

#include "bindings/kv/event_worker.hpp"
#include "bindings/kv/protocol.hpp"

namespace far::kv {

/// Reads commands, and sends replies. While replies wait to be sent, it reads nothing, so a client
/// that does not read costs what one command may answer, and no more.
class connection {
 public:
  connection(worker& at, int socket);
  ~connection();
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;

  /// Answers have come.
  void resume();
  /// When the client last sent something.
  [[nodiscard]] store_second last_command() const noexcept { return record_.last_command; }
  [[nodiscard]] int socket() const noexcept { return socket_.number(); }
  [[nodiscard]] bool is_watching() const noexcept { return protocol_.is_watching(); }
  [[nodiscard]] event_kinds watched() const noexcept { return protocol_.watched(); }
  /// Sends lines of the log, as far as the client wants them; counts and leaves out those for which
  /// there is no room, because the client is slow.
  void show(const std::vector<logged_event>& events);
  /// Takes what has arrived, answers the commands that are whole, and ends.
  void stop();

 private:
  void can_read();
  void can_write();
  bool receive();
  bool receive_more();
  std::size_t read(char* to, std::size_t room);
  void keep(std::string_view rest);
  void use_kept();
  std::size_t take(std::string_view input);
  bool send(std::string_view bytes, std::size_t& sent);
  void tell_skipped();
  void send_replies();
  void finish_turn();

  worker& worker_;
  connection_record record_;
  descriptor socket_;
  protocol protocol_;
  loop_event read_event_;
  loop_event write_event_;
  output kept_;     // input that is not used yet
  output backlog_;  // replies that the client has not taken
  std::size_t backlog_sent_ = 0;
  bool has_turn_ = false;            // in the worker's list
  bool is_over_ = false;             // the client sends no more
  bool is_broken_ = false;           // nothing can be sent
  bool is_stopped_ = false;          // because the server stops
  bool is_in_watchers_ = false;      // of the worker
  std::uint64_t lines_skipped_ = 0;  // since the last one that was shown
};

}  // namespace far::kv
