#pragma once
// A server for memcached's clients, in a program that has a far::store. In the library far_kv.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "far/store/store.hpp"
#include "far/world/world.hpp"

namespace far {

/// How a kv_server serves. The options in brackets are those of memcached and far-kv.
struct kv_server_options {
  int port = 11211;                                    ///< -p; 0: a free one
  std::vector<std::string> addresses = {"127.0.0.1"};  ///< -l: a host, or host:port
  std::string socket_path = {};                        ///< -s: a Unix socket, instead of a port
  unsigned socket_mode = 0700;                         ///< -a: the socket's access mask
  int threads = 0;               ///< -t, of each rank; 0: 4 of a single rank, else 1
  int max_connections = 1024;    ///< -c, of a machine
  int commands_per_turn = 0;     ///< -R, before other connections' turn; 0: all that have arrived
  std::string auth_file = {};    ///< -Y: users and their passwords
  char prefix_end = ':';         ///< -D: of what stats detail counts
  bool counts_prefixes = false;  ///< -D
  int idle_timeout = 0;          ///< --idle-timeout: seconds; 0: none
  int backlog = 1024;            ///< -b: connections that wait to be accepted
  bool uses_cas = true;          ///< not -C
  bool may_flush = true;         ///< not -F
  bool may_shut_down = false;    ///< -A: obey the command shutdown
  bool may_dump = true;          ///< not -X: list keys
  bool may_watch = true;         ///< not -W: obey the command watch
  std::size_t watcher_bytes = 256 << 10;  ///< -o watcher_logbuf_size: lines kept for a slow watcher
  std::size_t log_bytes = 64 << 10;       ///< -o worker_logbuf_size: lines kept of a thread
  bool crawls = true;  ///< not -o no_lru_crawler: look for expired items all the time
  int verbosity = 0;   ///< -v: 1 prints errors of accepting connections
  /// SIGTERM and SIGINT stop the server, instead of what the program does with them. From the
  /// server's end on the first signal is ignored, because a launcher sends one to each rank.
  bool stops_at_signals = false;
};

/// Serves the items of a store to memcached's clients, in threads of its own, while the program
/// goes on and uses the store itself:
///
///     far::store items(world, {.memory_bytes = 1 << 30});
///     far::kv_server server(world, items, {.port = 11211});
///     items.put("greeting", "hello");  // clients see it
///     server.wait();                   // until stop, or `shutdown` from a client
///
/// Every rank serves all keys. On each machine the first rank opens the sockets, and the others
/// accept from them too. It needs real sockets and threads, so no simulation has a server. Each
/// thread takes one of the rank's contexts (FAR_CONTEXTS), and where there are several ranks one
/// more does, for keys of other machines.
///
/// Threads: stop and is_stopping may be called by any thread, and stop in a signal handler; the
///   others by the thread that runs the rank. It touches no signal unless it is asked to.
/// Ownership: the store must outlive the server.
/// Checked by: far_kv.answers_each_client, kv_server.serves_what_the_program_stores
class kv_server {
 public:
  /// Collective: opens the sockets and starts the threads. All ranks pass equal options.
  /// Errors: far::error, one line, if it cannot listen, or cannot read the file of users;
  /// bad_argument in a simulation, or if all contexts are in use; fabric_error.
  /// Checked by: far_kv.refuses_a_port_in_use
  kv_server(const world& world, const store& items, const kv_server_options& options = {});
  /// Collective: stops when all ranks are there, and returns when no rank serves. If a thread has
  /// failed and wait has not thrown that, the rank's next collective does.
  ~kv_server();
  kv_server(const kv_server&) = delete;
  kv_server& operator=(const kv_server&) = delete;

  /// What clients of this rank's machine connect to: "127.0.0.1:11211", "[::1]:11211", or a path.
  [[nodiscard]] const std::vector<std::string>& addresses() const noexcept;

  /// Stops the servers of all ranks, and does not wait for it. Commands that have been read are
  /// answered. Checked by: kv_server.stops_all_ranks_and_no_later_server,
  /// kv_server.stops_in_a_signal_handler
  void stop() noexcept;
  [[nodiscard]] bool is_stopping() const noexcept;
  /// Returns when this rank serves no more, whoever has stopped it. Serves calls of other
  /// ranks meanwhile. Errors: those of the server's threads; rank_failed.
  void wait();

 private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

}  // namespace far
