#pragma once
// Commands counted by the prefixes of their keys, for the command stats detail.

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "bindings/kv/output.hpp"

namespace far::kv {

/// The commands on keys of one prefix.
struct prefix_count {
  std::uint64_t gets = 0, hits = 0, sets = 0, erases = 0;
};
using prefix_table = std::map<std::string, prefix_count, std::less<>>;

/// Those of one rank's clients. A prefix is what stands before the delimiter; keys without one are
/// not counted. Thread-safe. Cost: nothing while it is off; else a lock for each command.
class prefix_counts {
 public:
  prefix_counts(char delimiter, bool is_on) : delimiter_(delimiter), is_on_(is_on) {}

  [[nodiscard]] bool is_on() const noexcept { return is_on_.load(std::memory_order_relaxed); }
  void turn(bool on) noexcept { is_on_.store(on, std::memory_order_relaxed); }

  void add_get(std::string_view key, bool hit) {
    if (is_on()) add(key, {.gets = 1, .hits = hit ? 1U : 0U});
  }
  void add_set(std::string_view key) {
    if (is_on()) add(key, {.sets = 1});
  }
  void add_erase(std::string_view key) {
    if (is_on()) add(key, {.erases = 1});
  }

  [[nodiscard]] prefix_table table();
  void clear();

 private:
  void add(std::string_view key, const prefix_count& more);

  char delimiter_;
  std::atomic<bool> is_on_;
  std::mutex mutex_;
  prefix_table table_;  // under mutex_
};

void add_to(prefix_count& sum, const prefix_count& more) noexcept;
/// Writes the reply to stats detail dump, without its end.
void write_prefixes(const prefix_table& table, output& out);

}  // namespace far::kv
