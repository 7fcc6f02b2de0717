#pragma once
// The sockets that clients connect to. One rank of a machine opens them, alone, and gives them to
// the others: with SO_REUSEPORT a second server would start on the same port without a word.

#include <string>
#include <vector>

#include "far/kv/server.hpp"
#include "far/world/world.hpp"

namespace far::kv {

/// An open descriptor.
class descriptor {
 public:
  descriptor() = default;
  explicit descriptor(int number) noexcept : number_(number) {}
  descriptor(descriptor&& other) noexcept : number_(other.release()) {}
  descriptor& operator=(descriptor&& other) noexcept;
  ~descriptor() { close(); }

  [[nodiscard]] int number() const noexcept { return number_; }
  [[nodiscard]] bool is_open() const noexcept { return number_ >= 0; }
  int release() noexcept;
  void close() noexcept;

 private:
  int number_ = -1;
};

/// Opens the sockets that the options ask for: all, or none. Errors: far::error, one line.
[[nodiscard]] std::vector<descriptor> open_listeners(const kv_server_options& asked);

/// Collective: opens the sockets on the first rank of each machine, and gives every rank of the
/// machine a descriptor. Errors: those of open_listeners.
[[nodiscard]] std::vector<descriptor> share_listeners(const world& world,
                                                      const kv_server_options& asked);

/// The address that a socket is bound to: "127.0.0.1:11211", "[::1]:11211", or a path.
[[nodiscard]] std::string address_of(int socket);
/// The same as memcached shows it: "tcp:127.0.0.1:11211".
[[nodiscard]] std::string stated_address(int socket, bool of_peer);
/// A client's address as memcached's log shows it: "rip=127.0.0.1 rport=40000 transport=tcp".
[[nodiscard]] std::string stated_client(int socket);

}  // namespace far::kv
