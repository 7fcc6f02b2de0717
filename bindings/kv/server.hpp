#pragma once
// What the threads of a rank share.

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "bindings/kv/backend.hpp"
#include "bindings/kv/departures.hpp"
#include "bindings/kv/listener.hpp"
#include "bindings/kv/mailbox.hpp"
#include "bindings/kv/remote_thread.hpp"
#include "bindings/kv/stop_signal.hpp"
#include "far/kv/server.hpp"

namespace far::kv {

class worker;
class worker_backend;

/// What a thread that serves connections shows to others.
struct worker_record {
  counters* counts = nullptr;
  mailbox* mail = nullptr;
  worker* at = nullptr;
  worker_backend* here = nullptr;
};

/// What a connection shows to others.
struct connection_record {
  int socket = -1;
  std::atomic<store_second> last_command = 0;
  std::atomic<bool> is_reading_value = false;
};

struct by_socket {
  bool operator()(const connection_record* a, const connection_record* b) const noexcept {
    return a->socket < b->socket;
  }
};

/// One rank of the server. Thread-safe, but for what main sets up before the threads start.
class server {
 public:
  server(const world& world, const store& items, const kv_server_options& asked);
  ~server();
  server(const server&) = delete;
  server& operator=(const server&) = delete;

  [[nodiscard]] const kv_server_options& options() const noexcept { return asked_; }
  [[nodiscard]] protocol_settings protocol_options() const;
  /// The largest item, by memcached's count.
  [[nodiscard]] std::size_t max_item_bytes() const noexcept;
  [[nodiscard]] int ranks() const noexcept { return ranks_; }
  [[nodiscard]] int threads() const noexcept { return threads_; }
  /// Connections that this rank may have.
  [[nodiscard]] int max_connections() const noexcept { return max_connections_; }
  [[nodiscard]] prefix_counts& prefixes() noexcept { return prefixes_; }
  [[nodiscard]] bool counts_prefixes() const noexcept { return prefixes_.is_on(); }
  [[nodiscard]] std::int64_t start_time() const noexcept { return start_time_; }
  [[nodiscard]] remote_thread& remote() noexcept { return remote_; }
  [[nodiscard]] const store& items() const noexcept { return items_; }
  [[nodiscard]] const stop_signal& signal() const noexcept { return signal_; }
  std::vector<descriptor> listeners;  ///< while workers run, under the server's mutex

  /// Adds a thread, from itself.
  void add(const worker_record& worker);
  /// One of the workers, for each turn the next one. Only while workers run.
  [[nodiscard]] worker_record worker_for(std::size_t turn);
  /// A worker has ended; waits until all have, because they refer to each other. The last one
  /// closes the sockets that listen, and ends the thread that asks other ranks.
  void leave();

  /// Has the first worker look for expired items in all of this rank's part.
  void crawl();
  /// Items have left because a client dropped all.
  void count_flushed(std::uint64_t items) noexcept { flushed_ += items; }
  // Watchers, in watchers.cpp.
  [[nodiscard]] event_log& log() noexcept { return log_; }
  [[nodiscard]] bool may_add_watcher();
  /// A watcher here comes (`by` is 1) or goes (-1). `known`, if there is one, is called by some
  /// thread when all ranks know, unless this returns true: they do already.
  bool change_watchers(event_kinds kinds, int by, std::function<void()> known);
  /// Gives watchers at this rank what a rank has logged.
  void show(const std::vector<logged_event>& events);

  /// Some of the items here, by size; with the last ones what has left. In size_statistics.cpp.
  [[nodiscard]] size_page count_sizes(std::uint64_t cursor);
  [[nodiscard]] const slab_sizes& sizes() const noexcept { return departures_.sizes(); }
  /// The sums over this rank's threads.
  [[nodiscard]] count_values counts();
  void reset_counts();
  std::atomic<int> connections = 0;
  void add(const connection_record& connection);
  void remove(const connection_record& connection);
  /// Writes the reply to stats conns, without its end.
  void write_connections(store_second now, const connection_record* asking, output& out);

  /// Drops all items in that second; a later call replaces it.
  std::atomic<store_second> flush_at = 0;
  std::atomic<unsigned> verbosity = 0;
  std::atomic<bool> crawls = true;  ///< expired items are looked for all the time

  /// Stops all ranks. May be called again.
  void stop_all();
  /// Stops this rank.
  void stop();
  /// Another rank is gone: the threads end at once.
  void fail();
  [[nodiscard]] bool has_failed() const noexcept {
    return has_failed_.load(std::memory_order_acquire);
  }
  [[nodiscard]] bool is_stopping() const noexcept {
    return is_stopping_.load(std::memory_order_acquire);
  }

 private:
  void wake_log();
  void pass_events();

  /// What the store reports to. The store shares it, and so it lives as long as the store.
  struct told {
    told(const world& world, const store& items, std::size_t log_bytes);
    event_log log;
    departures leaving;
  };

  kv_server_options asked_;
  const store& items_;
  std::shared_ptr<told> told_;
  event_log& log_;
  departures& departures_;
  rank_holder state_;
  int rank_;
  int ranks_;
  int threads_;
  int max_connections_;
  std::int64_t start_time_;
  std::optional<accounts> users_;
  prefix_counts prefixes_;
  std::atomic<std::uint64_t> flushed_ = 0;
  remote_thread remote_;
  std::atomic<bool> is_stopping_ = false;
  std::atomic<bool> has_failed_ = false;
  std::mutex mutex_;
  std::condition_variable all_left_;
  std::vector<worker_record> workers_;                         // under mutex_
  std::set<const connection_record*, by_socket> connections_;  // under mutex_
  int left_ = 0;                                               // under mutex_
  std::vector<event_kinds> watchers_;                          // under mutex_: what each wants
  std::uint64_t watcher_changes_ = 0;                          // under mutex_
  stop_signal signal_;
};

/// The server of a rank, for calls from other ranks: an attachment of the rank. Null before and
/// after.
struct server_of_rank {
  explicit server_of_rank(rank_state& /*rank*/) {}
  std::mutex mutex;
  server* here = nullptr;  // under mutex
};

}  // namespace far::kv
