#pragma once
// What a server counts of its commands and connections, for the command stats.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace far::kv {

/// Named as in the reply to stats.
enum class count : std::uint8_t {
  cmd_get,
  cmd_set,
  cmd_flush,
  cmd_touch,
  cmd_meta,
  get_hits,
  get_misses,
  delete_misses,
  delete_hits,
  incr_misses,
  incr_hits,
  decr_misses,
  decr_hits,
  cas_misses,
  cas_hits,
  cas_badval,
  touch_hits,
  touch_misses,
  store_too_large,
  store_no_memory,
  auth_cmds,
  auth_errors,
  bytes_read,
  bytes_written,
  conn_yields,
  curr_connections,
  total_connections,
  rejected_connections,
  listen_disabled_num,
  idle_kicks,
  log_watchers,
  log_watcher_skipped,
  log_watcher_sent,
  log_worker_written,  ///< this and the next are those of the rank's log
  log_worker_dropped,
  crawler_reclaimed,  ///< expired items that were looked for
  lru_crawler_starts,
  lru_crawler_running,
  reclaimed,  ///< with the store's, which counts those that have expired
  end,
};

inline constexpr std::size_t number_of_counts = static_cast<std::size_t>(count::end);
using count_values = std::array<std::uint64_t, number_of_counts>;

/// Whether it tells what there is, not what has happened.
[[nodiscard]] constexpr bool is_of_now(count which) noexcept {
  return which == count::curr_connections || which == count::lru_crawler_running ||
         which == count::log_watchers;
}

/// The counts of one thread. Only it adds; any thread reads. reset() may race with an addition,
/// which then stays.
class counters {
 public:
  void add(count which, std::uint64_t by = 1) noexcept {
    auto& value = values_[static_cast<std::size_t>(which)];
    value.store(value.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
  }
  void subtract(count which) noexcept { add(which, ~std::uint64_t{0}); }
  void add_to(count_values& sums) const noexcept {
    for (std::size_t i = 0; i < number_of_counts; ++i) {
      sums[i] += values_[i].load(std::memory_order_relaxed);
    }
  }
  /// Sets all to 0 but those of what is there now.
  void reset() noexcept {
    for (std::size_t i = 0; i < number_of_counts; ++i) {
      if (is_of_now(static_cast<count>(i))) continue;
      values_[i].store(0, std::memory_order_relaxed);
    }
  }

 private:
  std::array<std::atomic<std::uint64_t>, number_of_counts> values_{};
};

}  // namespace far::kv
