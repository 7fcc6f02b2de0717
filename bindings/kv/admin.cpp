// Commands on the server as a whole. Where memcached would tune what far::store does not have, the
// arguments are checked as there, and nothing else happens.

#include <algorithm>

#include "bindings/kv/expiry.hpp"
#include "bindings/kv/item_size.hpp"
#include "bindings/kv/numbers.hpp"
#include "bindings/kv/protocol.hpp"

namespace far::kv {
namespace {

constexpr std::string_view bad_arguments = "CLIENT_ERROR bad command line format";
constexpr std::int32_t largest_slab_class = 39;

bool ends_in_noreply(const tokens& words) { return words.back() == "noreply"; }

}  // namespace

step protocol::stats(const tokens& words) {
  constexpr std::string_view end = "END\r\n";
  if (words.size() == 1) return ask_job(job_request::stats, end);
  const std::string_view what = words[1];
  if (what == "reset") return ask_job(job_request::stats_reset, "RESET\r\n");
  if (what == "items") return ask_sizes(size_report::items);
  if (what == "slabs") return ask_sizes(size_report::slabs);
  if (what == "detail") return stats_detail(words);
  if (what == "cachedump") return stats_cachedump(words);
  if (what == "settings") {
    here_.write_settings(out());
  } else if (what == "conns") {
    here_.write_connections(out());
  } else if (what == "sizes" || what == "sizes_disable" || what == "sizes_enable") {
    // Sizes are not counted.
    out() << "STAT sizes_status disabled\r\n";
  } else if (what != "extstore") {
    return reply("ERROR");
  }
  return reply("END");
}

step protocol::stats_detail(const tokens& words) {
  const std::string_view mode = words.size() < 3 ? std::string_view() : words[2];
  if (mode == "on") return ask_job(job_request::detail_on, "OK\r\n");
  if (mode == "off") return ask_job(job_request::detail_off, "OK\r\n");
  if (mode == "dump") return ask_job(job_request::detail_dump, "END\r\n");
  return reply("CLIENT_ERROR usage: stats detail on|off|dump");
}

step protocol::flush_all(const tokens& words) {
  if (words.size() > 3) return reply("ERROR");
  const bool quiet = ends_in_noreply(words);
  if (!here_.settings.may_flush) {
    here_.counts.add(count::cmd_flush);
    return reply("CLIENT_ERROR flush_all not allowed", quiet);
  }
  std::int32_t delay = 0;
  if (words.size() != (quiet ? 2U : 1U) && !read_number(words[1], delay)) {
    here_.counts.add(count::cmd_flush);
    return reply("CLIENT_ERROR invalid exptime argument", quiet);
  }
  // An item of the second before the flush is dropped, too.
  const store_second now = here_.now_s();
  const store_second when = delay > 0 ? expiry_of(here_, delay) - 1 : now;
  if (when > now) {
    here_.flush_at(when);
    here_.counts.add(count::cmd_flush);
    return reply("OK", quiet);
  }
  const step asked = ask_job(job_request::flush, quiet ? "" : "OK\r\n");
  if (asked == step::done) here_.counts.add(count::cmd_flush);
  return asked;
}

step protocol::verbosity(const tokens& words) {
  if (words.size() != 2 && words.size() != 3) return reply("ERROR");
  const bool quiet = ends_in_noreply(words);
  std::uint32_t level = 0;
  if (!read_number(words[1], level)) return reply(bad_arguments, quiet);
  here_.set_verbosity(level);
  return reply("OK", quiet);
}

step protocol::shut_down(const tokens& words) {
  if (!here_.settings.may_shut_down) return reply("ERROR: shutdown not enabled");
  if (words.size() > 2 || (words.size() == 2 && words[1] != "graceful")) {
    return reply("CLIENT_ERROR invalid shutdown mode");
  }
  is_closing_ = true;
  here_.shut_down();
  return step::done;
}

step protocol::memory_limit(const tokens& words) {
  if (words.size() != 2 && words.size() != 3) return reply("ERROR");
  const bool quiet = ends_in_noreply(words);
  constexpr std::uint32_t min_megabytes = 8;
  constexpr std::uint32_t max_megabytes = 1'000'000'000;
  std::uint32_t megabytes = 0;
  if (!read_number(words[1], megabytes)) return reply("ERROR", quiet);
  if (megabytes < min_megabytes) {
    return reply("MEMLIMIT_TOO_SMALL cannot set maxbytes to less than 8m", quiet);
  }
  if (megabytes > max_megabytes) {
    return reply("MEMLIMIT_ADJUST_FAILED input value is megabytes not bytes", quiet);
  }
  // The limit stays, because segments have a fixed size; but clients take any other answer for a
  // failure of theirs.
  return reply("OK", quiet);
}

step protocol::slabs(const tokens& words) {
  if (words.size() == 4 && words[1] == "reassign") {
    std::int32_t from = 0;
    std::int32_t to = 0;
    if (!read_number(words[2], from) || !read_number(words[3], to)) return reply(bad_arguments);
    if (from == to) return reply("SAME src and dst class are identical");
    const auto is_class = [](std::int32_t id) { return id >= 0 && id <= largest_slab_class; };
    if ((from != -1 && !is_class(from)) || !is_class(to)) {
      return reply("BADCLASS invalid src or dst class id");
    }
    return reply("NOSPARE source class has no spare pages");
  }
  if (words.size() < 3 || words[1] != "automove") return reply("ERROR");
  const bool quiet = ends_in_noreply(words);
  if (words[2] == "ratio") {
    double ratio = 0;
    const bool valid = words.size() >= 4 && read_number(words[3], ratio);
    return reply(valid ? "OK" : "ERROR", quiet);
  }
  std::uint32_t level = 0;
  if (!read_number(words[2], level)) return reply(bad_arguments, quiet);
  return reply(level <= 2 ? "OK" : "ERROR", quiet);
}

step protocol::lru(const tokens& words) {
  if (words.size() < 2) return reply("ERROR");
  const bool quiet = ends_in_noreply(words);
  if (words[1] == "tune" && words.size() >= 6) {
    std::uint32_t hot = 0;
    std::uint32_t warm = 0;
    double hot_age = 0;
    double warm_age = 0;
    if (!read_number(words[2], hot) || !read_number(words[3], warm) ||
        !read_number(words[4], hot_age) || !read_number(words[5], warm_age)) {
      return reply("ERROR", quiet);
    }
    constexpr std::uint32_t max_percent = 80;
    if (hot + warm > max_percent) {
      return reply("ERROR hot and warm pcts must not exceed 80", quiet);
    }
    if (hot_age <= 0 || warm_age <= 0) {
      return reply("ERROR hot/warm age factors must be greater than 0", quiet);
    }
    return reply("OK", quiet);
  }
  if (words[1] == "mode" && words.size() >= 3) {
    return reply(words[2] == "flat" || words[2] == "segmented" ? "OK" : "ERROR", quiet);
  }
  if (words[1] == "temp_ttl" && words.size() >= 3) {
    std::int32_t seconds = 0;
    return reply(read_number(words[2], seconds) ? "OK" : "ERROR", quiet);
  }
  return reply("ERROR", quiet);
}

step protocol::extstore(const tokens& words) {
  constexpr std::array<std::string_view, 8> numbers{"item_size",    "item_age",      "low_ttl",
                                                    "recache_rate", "compact_under", "drop_under",
                                                    "max_sleep",    "drop_unread"};
  if (words.size() < 2) return reply("ERROR");
  const bool quiet = ends_in_noreply(words);
  if (words.size() < 3) return reply("ERROR", quiet);
  std::uint32_t number = 0;
  std::uint32_t limit = 0;
  double fraction = 0;
  bool valid = false;
  if (words[1] == "free_memchunks" && words.size() > 3) {
    valid = read_number(words[2], number) && read_number(words[3], limit) && number < slab_classes;
  } else if (words[1] == "max_frag") {
    valid = read_number(words[2], fraction);
  } else if (std::ranges::find(numbers, words[1]) != numbers.end()) {
    valid = read_number(words[2], number);
  }
  return reply(valid ? "OK" : "ERROR", quiet);
}

}  // namespace far::kv
