#pragma once
// The seam between the protocol, which knows no sockets and no ranks, and what carries commands
// out.

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "bindings/kv/accounts.hpp"
#include "bindings/kv/counters.hpp"
#include "bindings/kv/listing.hpp"
#include "bindings/kv/output.hpp"
#include "bindings/kv/prefix_counts.hpp"
#include "bindings/kv/watch_log.hpp"
#include "far/base/function_ref.hpp"
#include "far/store/store.hpp"

namespace far::kv {

/// What the protocol has to know of the server's options.
struct protocol_settings {
  std::size_t max_item_bytes = 1 << 20;  ///< by memcached's count
  bool uses_cas = true;
  bool may_flush = true;
  bool may_shut_down = false;
  bool may_dump = true;  ///< list keys
  bool may_watch = true;
  int commands_per_turn = 0;        ///< 0: all that have arrived
  const accounts* users = nullptr;  ///< who may send commands; null: everybody
};

/// What a command asks of the whole job.
enum class job_request : std::uint8_t {
  stats,  ///< general statistics: the counts of all threads of all ranks
  stats_reset,
  detail_on,  ///< count by prefix
  detail_off,
  detail_dump,
  flush,       ///< drop all items
  crawler_on,  ///< look for expired items all the time
  crawler_off,
  crawl,  ///< look for them everywhere, now
};

/// Which statistics by size a command asks for.
enum class size_report : std::uint8_t { items, slabs };

/// A command that could not be answered at once. The backend calls finish when it can.
class pending_command {
 public:
  pending_command() = default;
  virtual ~pending_command() = default;
  pending_command(const pending_command&) = delete;
  pending_command& operator=(const pending_command&) = delete;
  /// The answer to a request on a key.
  virtual void finish(store_reply&& reply) = 0;
  /// The answer to a request of the job: the text that follows.
  virtual void finish(std::string_view text) = 0;
  /// Some items that are to be listed.
  virtual void finish(const listed_page& page) = 0;
};

/// One thread's access to the store and the server.
class backend {
 public:
  backend() = default;
  virtual ~backend() = default;
  backend(const backend&) = delete;
  backend& operator=(const backend&) = delete;

  [[nodiscard]] virtual store_second now_s() = 0;
  /// The Unix time of second 0.
  [[nodiscard]] virtual std::int64_t start_time() = 0;
  /// Whether read and execute may be called for a key; else start.
  [[nodiscard]] virtual bool is_here(std::string_view key) = 0;
  /// As store_view::read.
  virtual bool read(std::string_view key, base::function_ref<char*(const item_info&)> place) = 0;
  virtual store_reply execute(const store_request& request) = 0;
  /// Starts a request on a key elsewhere; reads its bytes before it returns. The command is told
  /// later, in the same thread, and not if it is gone by then.
  virtual void start(const store_request& request, const std::shared_ptr<pending_command>& to) = 0;

  /// Either writes the whole answer to `out` and returns true, or answers later.
  virtual bool ask_job(job_request what, output& out,
                       const std::shared_ptr<pending_command>& to) = 0;
  /// Answers later.
  virtual void ask_sizes(size_report what, const std::shared_ptr<pending_command>& to) = 0;
  [[nodiscard]] virtual int ranks() = 0;
  /// Lists some items of a rank's part. Answers later if it returns nothing.
  virtual std::optional<listed_page> list(int rank, std::uint64_t cursor,
                                          const std::shared_ptr<pending_command>& to) = 0;
  /// Whether expired items are looked for all the time.
  [[nodiscard]] virtual bool crawls() = 0;
  [[nodiscard]] virtual bool may_add_watcher() = 0;
  /// The connection wants lines of these kinds from now on. Returns true if all ranks know; else
  /// answers, with no text, when they do.
  virtual bool watch(event_kinds kinds, const std::shared_ptr<pending_command>& to) = 0;
  /// Drops all items in that second.
  virtual void flush_at(store_second when) = 0;
  virtual void write_settings(output& out) = 0;
  virtual void write_connections(output& out) = 0;
  virtual void shut_down() = 0;
  virtual void set_verbosity(unsigned level) = 0;

  protocol_settings settings;
  counters counts;
  prefix_counts* prefixes = nullptr;  ///< of the server; null: none
  event_log* log = nullptr;           ///< the same
  int client = -1;                    ///< the socket of the client whose command is carried out
};

}  // namespace far::kv
