#include "apps/kv/extended_options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace far::apps::kv {
namespace {

/// These have nothing to tune here.
constexpr std::array<std::string_view, 30> without_effect{
    "drop_privileges",     "hash_algorithm",       "hashpower",          "hot_lru_pct",
    "hot_max_factor",      "inline_ascii_resp",    "lru_crawler_sleep",  "lru_crawler_tocrawl",
    "lru_maintainer",      "maxconns_fast",        "no_chunked_items",   "no_drop_privileges",
    "no_hashexpand",       "no_inline_ascii_resp", "no_lru_maintainer",  "no_slab_automove",
    "no_slab_reassign",    "read_buf_mem_limit",   "resp_obj_mem_limit", "slab_automove",
    "slab_automove_ratio", "slab_automove_window", "slab_chunk_max",     "slab_reassign",
    "slab_sizes",          "tail_repair_time",     "temporary_ttl",      "track_sizes",
    "warm_lru_pct",        "warm_max_factor"};

int number_in(std::string_view name, std::string_view value) {
  int number = 0;
  const char* const end = value.data() + value.size();
  const auto [stop, failure] = std::from_chars(value.data(), end, number);
  constexpr int max = 1'000'000;
  if (failure != std::errc() || stop != end || number < 0 || number > max) {
    throw CLI::ValidationError(
        "-o", fmt::format("{} must be a number from 0 to {}, not '{}'", name, max, value));
  }
  return number;
}

std::size_t kilobytes_in(std::string_view name, std::string_view value) {
  return static_cast<std::size_t>(number_in(name, value)) << 10;
}

}  // namespace

void read_extended_option(const std::string& text, command& c) {
  const std::string_view all = text;
  const std::size_t sign = std::min(all.find('='), all.size());
  const std::string_view name = all.substr(0, sign);
  const std::string_view value = all.substr(std::min(sign + 1, all.size()));
  if (name == "idle_timeout") {
    c.serving.idle_timeout = number_in(name, value);
  } else if (name == "watcher_logbuf_size") {
    c.serving.watcher_bytes = kilobytes_in(name, value);
  } else if (name == "worker_logbuf_size") {
    c.serving.log_bytes = kilobytes_in(name, value);
  } else if (name == "lru_crawler" || name == "modern") {
    c.serving.crawls = true;
  } else if (name == "no_lru_crawler" || name == "no_modern") {
    c.serving.crawls = false;
  } else if (std::ranges::find(without_effect, name) == without_effect.end()) {
    throw CLI::ValidationError("-o", fmt::format("there is no extended option '{}' here", name));
  }
}

}  // namespace far::apps::kv
