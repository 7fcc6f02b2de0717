#include "bindings/kv/statistics.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <ctime>
#include <string_view>

#include <fmt/format.h>

#include "bindings/kv/job_commands.hpp"

namespace far::kv {
namespace {

template <class Value>
void state(output& out, std::string_view name, const Value& value) {
  out << "STAT " << name << ' ' << value << "\r\n";
}

constexpr std::array<std::string_view, number_of_counts> names{"cmd_get",
                                                               "cmd_set",
                                                               "cmd_flush",
                                                               "cmd_touch",
                                                               "cmd_meta",
                                                               "get_hits",
                                                               "get_misses",
                                                               "delete_misses",
                                                               "delete_hits",
                                                               "incr_misses",
                                                               "incr_hits",
                                                               "decr_misses",
                                                               "decr_hits",
                                                               "cas_misses",
                                                               "cas_hits",
                                                               "cas_badval",
                                                               "touch_hits",
                                                               "touch_misses",
                                                               "store_too_large",
                                                               "store_no_memory",
                                                               "auth_cmds",
                                                               "auth_errors",
                                                               "bytes_read",
                                                               "bytes_written",
                                                               "conn_yields",
                                                               "curr_connections",
                                                               "total_connections",
                                                               "rejected_connections",
                                                               "listen_disabled_num",
                                                               "idle_kicks",
                                                               "log_watchers",
                                                               "log_watcher_skipped",
                                                               "log_watcher_sent",
                                                               "log_worker_written",
                                                               "log_worker_dropped",
                                                               "crawler_reclaimed",
                                                               "lru_crawler_starts",
                                                               "lru_crawler_running",
                                                               "reclaimed"};
static_assert(!names.back().empty());

std::string seconds_of(const timeval& time) {
  return fmt::format("{}.{:06}", time.tv_sec, time.tv_usec);
}

void write_process(const server& here, output& out) {
  const std::int64_t now = std::time(nullptr);
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  state(out, "pid", getpid());
  state(out, "uptime", now - here.start_time());
  state(out, "time", now);
  state(out, "version", "1.6.18");
  state(out, "pointer_size", 8 * sizeof(void*));
  state(out, "rusage_user", seconds_of(used.ru_utime));
  state(out, "rusage_system", seconds_of(used.ru_stime));
  state(out, "max_connections", here.options().max_connections);
}

void write_counts(const server& here, const statistics& totals, output& out) {
  const store_counts& items = totals.items;
  for (std::size_t i = 0; i < number_of_counts; ++i) state(out, names[i], totals.counts[i]);
  state(out, "limit_maxbytes", here.items().options().memory_bytes);
  state(out, "accepting_conns", 1);
  state(out, "threads", here.threads() * here.ranks());
  state(out, "hash_bytes", items.index_bytes);
  state(out, "hash_is_expanding", 0);
  state(out, "bytes", items.item_bytes);
  state(out, "curr_items", items.items);
  state(out, "total_items", items.stored);
  state(out, "expired_unfetched", items.expired_unfetched);
  state(out, "evicted_unfetched", items.evicted_unfetched);
  state(out, "evictions", items.evicted);
  state(out, "ranks", here.ranks());
}

}  // namespace

void statistics::add(const store_counts& of_rank) noexcept {
  items.items += of_rank.items;
  items.item_bytes += of_rank.item_bytes;
  items.memory_bytes += of_rank.memory_bytes;
  items.index_bytes += of_rank.index_bytes;
  items.stored += of_rank.stored;
  items.evicted += of_rank.evicted;
  items.evicted_unfetched += of_rank.evicted_unfetched;
  items.expired += of_rank.expired;
  items.expired_unfetched += of_rank.expired_unfetched;
  items.refused += of_rank.refused;
  counts[static_cast<std::size_t>(count::reclaimed)] += of_rank.expired;
}

void write_statistics(const server& here, const statistics& totals, output& out) {
  write_process(here, out);
  write_counts(here, totals, out);
}

void write_settings(const server& here, output& out) {
  const kv_server_options& asked = here.options();
  const store_options& items = here.items().options();
  const auto yes = [](bool on) { return on ? "yes" : "no"; };
  state(out, "maxbytes", items.memory_bytes);
  state(out, "maxconns", asked.max_connections);
  state(out, "tcpport", asked.socket_path.empty() ? asked.port : 0);
  state(out, "udpport", 0);
  state(out, "inter", fmt::format("{}", fmt::join(asked.addresses, ",")));
  state(out, "verbosity", here.verbosity.load());
  state(out, "oldest", here.flush_at.load());
  state(out, "evictions", items.evicts ? "on" : "off");
  state(out, "domain_socket", asked.socket_path.empty() ? "NULL" : asked.socket_path);
  state(out, "umask", fmt::format("{:o}", asked.socket_mode));
  state(out, "shutdown_command", yes(asked.may_shut_down));
  state(out, "num_threads", here.threads());
  state(out, "reqs_per_event", asked.commands_per_turn);
  state(out, "detail_enabled", yes(here.counts_prefixes()));
  state(out, "cas_enabled", yes(asked.uses_cas));
  state(out, "tcp_backlog", asked.backlog);
  state(out, "binding_protocol", "ascii");
  state(out, "auth_enabled_sasl", "no");
  state(out, "auth_enabled_ascii", asked.auth_file.empty() ? "no" : asked.auth_file);
  state(out, "item_size_max", here.max_item_bytes());
  state(out, "maxconns_fast", "yes");
  state(out, "idle_timeout", asked.idle_timeout);
  state(out, "flush_enabled", yes(asked.may_flush));
  state(out, "dump_enabled", yes(asked.may_dump));
  state(out, "lru_crawler", yes(here.crawls));
  state(out, "watcher_logbuf_size", asked.watcher_bytes);
  state(out, "worker_logbuf_size", asked.log_bytes);
  state(out, "ranks", here.ranks());
}

}  // namespace far::kv
