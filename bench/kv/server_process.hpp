#pragma once
// Servers that speak memcached's protocol, as processes of this machine.

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace far::bench {

/// FAR_BENCH_MEMCACHED, or memcached in /usr/bin or /usr/local/bin; empty if there is none.
[[nodiscard]] std::optional<std::string> find_memcached();
/// FAR_BENCH_FAR_KV, or far-kv beside this program; empty if there is none.
[[nodiscard]] std::optional<std::string> find_far_kv();

/// A server that listens on a port of 127.0.0.1. The destructor ends it.
class server_process {
 public:
  /// Starts `path -l 127.0.0.1 -p PORT` with `options`, and waits until it accepts connections.
  /// Errors: far::error if it does not within 20 seconds.
  server_process(std::string path, const std::vector<std::string>& options);
  ~server_process();
  server_process(const server_process&) = delete;
  server_process& operator=(const server_process&) = delete;

  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
  /// Nanoseconds of processor time that all its threads have used.
  /// Errors: std::system_error if it has ended.
  [[nodiscard]] double used_ns() const;

 private:
  pid_t process_ = 0;
  std::uint16_t port_ = 0;
};

/// A TCP connection to that port. Errors: std::system_error.
[[nodiscard]] int connect_to(std::uint16_t port);

}  // namespace far::bench
