#pragma once
// One thread that keeps many connections to a server busy, by epoll.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace far::bench {

/// What a connection sends at once, and the exact bytes of all replies to it.
struct request_batch {
  std::string sent;
  std::string expected;
};

/// Connections to a server that send batches, each the next one when it has the replies to the
/// last. Not thread-safe.
class load_generator {
 public:
  /// `batches` outlive it. Errors: std::system_error.
  load_generator(std::uint16_t port, int connections, const std::vector<request_batch>& batches);
  ~load_generator();
  load_generator(const load_generator&) = delete;
  load_generator& operator=(const load_generator&) = delete;

  /// Sends `count` batches in all, in order and again from the first one, and reads all replies.
  /// Errors: far::error if a reply has other bytes, or none comes for ten seconds.
  void run(std::size_t count);

 private:
  struct connection {
    int socket = -1;
    const request_batch* current = nullptr;
    std::size_t received = 0;
  };

  void send_next(connection& to);
  /// Whether the batch is answered.
  bool receive(connection& from);

  const std::vector<request_batch>& batches_;
  std::size_t next_ = 0;
  int poll_ = -1;
  std::vector<connection> connections_;
  std::vector<char> buffer_;
};

/// Sends `text` on a connection of its own, and returns the replies until the server closes it.
/// Errors: std::system_error.
[[nodiscard]] std::string ask_server(std::uint16_t port, std::string text);

}  // namespace far::bench
