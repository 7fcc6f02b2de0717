#include "apps/kv/options.hpp"

#include <charconv>

#include <fmt/format.h>

#include "apps/common/command_line.hpp"
#include "apps/kv/extended_options.hpp"
#include "far/base/error.hpp"

namespace far::apps::kv {
namespace {

constexpr std::uint64_t megabyte = std::uint64_t{1} << 20;
constexpr std::uint64_t min_item = 1024;
constexpr std::uint64_t max_item = megabyte;  // as far as far::store goes

/// A number of bytes with k or m behind it, or neither.
std::uint64_t size_of(const std::string& text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, number);
  std::uint64_t unit = 1;
  if (stop + 1 == end && (*stop == 'k' || *stop == 'K')) unit = 1024;
  if (stop + 1 == end && (*stop == 'm' || *stop == 'M')) unit = megabyte;
  const bool whole = stop == end || unit != 1;
  if (failure != std::errc() || !whole || number < min_item / unit || number > max_item / unit) {
    throw CLI::ValidationError("-I", fmt::format("'{}' is no size of an item from 1k to 1m", text));
  }
  return number * unit;
}

unsigned mode_of(const std::string& text) {
  unsigned mode = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, mode, 8);
  constexpr unsigned max_mode = 0777;
  if (failure != std::errc() || stop != end || mode > max_mode) {
    throw CLI::ValidationError("-a", fmt::format("'{}' is no access mask in octal", text));
  }
  return mode;
}

void add_network_options(CLI::App& app, kv_server_options& c) {
  app.add_option("-p,--port", c.port, "TCP port; 0: a free one")
      ->capture_default_str()
      ->check(number_between(0, 65535));
  app.add_option("-l,--listen", c.addresses,
                 "address to listen on, or host:port; may be a list with commas, and be repeated. "
                 "Unlike memcached, only this machine reaches the default")
      ->capture_default_str()
      ->delimiter(',');
  app.add_option("-s,--unix-socket", c.socket_path, "path of a Unix socket, instead of a port");
  app.add_option_function<std::string>(
      "-a,--unix-mask", [&c](const std::string& text) { c.socket_mode = mode_of(text); },
      "access mask of the Unix socket, in octal (default 0700)");
  app.add_option_function<int>(
         "-U,--udp-port", [](int) {}, "accepted if 0: there is no UDP")
      ->check(number_between(0, 0));
  app.add_option("-c,--conn-limit", c.max_connections, "connections of one machine")
      ->capture_default_str()
      ->check(number_between(1, 1'000'000));
  app.add_option("--idle-timeout", c.idle_timeout,
                 "close connections that have sent nothing for so many seconds; 0: never")
      ->capture_default_str()
      ->check(number_between(0, 1'000'000));
  app.add_option("-R,--max-reqs-per-event", c.commands_per_turn,
                 "commands of a connection before others have their turn (default: all that have "
                 "arrived)")
      ->check(number_between(1, 1'000'000'000));
  app.add_option("-Y,--auth-file", c.auth_file,
                 "users, 'user:password' in each line, one of which a client must tell");
  app.add_option("-b,--listen-backlog", c.backlog, "connections that wait to be accepted")
      ->capture_default_str()
      ->check(number_between(1, 1'000'000));
}

}  // namespace

std::optional<command> parse_command(int argc, const char* const* argv, std::string& answer) {
  command c;
  CLI::App app{"A cache in the memory of all ranks of a job, for clients of memcached"};
  name_program(app, "far-kv");
  add_network_options(app, c.serving);
  app.add_option("-t,--threads", c.serving.threads,
                 "threads of each rank (default: 4 of a single rank, else 1)")
      ->check(number_between(1, 12));
  double megabytes = 64;
  app.add_option("-m,--memory-limit", megabytes,
                 "memory for items, in megabytes: of the whole job, not of a rank")
      ->capture_default_str()
      ->check(number_between(1, 1e9));
  app.add_option_function<std::string>(
      "-I,--max-item-size", [&c](const std::string& text) { c.max_item_bytes = size_of(text); },
      "largest item, 1k to 1m (default 1m)");
  app.add_flag("-M{false},--disable-evictions{false}", c.evicts,
               "answer with an error when memory is full, instead of dropping items");
  app.add_flag("-C{false},--disable-cas{false}", c.serving.uses_cas, "give items no CAS unique");
  app.add_flag("-F{false},--disable-flush-all{false}", c.serving.may_flush, "refuse flush_all");
  app.add_flag("-A,--enable-shutdown", c.serving.may_shut_down, "obey the command shutdown");
  app.add_option_function<std::string>(
      "-D,--prefix-delimiter",
      [&c](const std::string& text) {
        if (text.size() != 1) throw CLI::ValidationError("-D", "a delimiter is one character");
        c.serving.prefix_end = text[0];
        c.serving.counts_prefixes = true;
      },
      "count commands by the prefix of their key, which ends with this (stats detail)");
  app.add_flag("-X{false},--disable-dumping{false}", c.serving.may_dump,
               "refuse lru_crawler metadump and stats cachedump");
  app.add_flag("-W{false},--disable-watch{false}", c.serving.may_watch, "refuse watch");
  app.add_option_function<std::vector<std::string>>(
         "-o,--extended",
         [&c](const std::vector<std::string>& all) {
           for (const std::string& one : all) read_extended_option(one, c);
         },
         "memcached's extended options, with commas: idle_timeout=SECONDS, no_lru_crawler; others "
         "of memcached's are accepted, if they only tune what is not here")
      ->delimiter(',');
  app.add_flag("-v,--verbose", c.serving.verbosity, "print errors of accepting connections");
  if (!parse_command_line(app, argc, argv, answer)) return std::nullopt;
  c.memory_bytes = static_cast<std::uint64_t>(megabytes * static_cast<double>(megabyte));
  if (c.max_item_bytes > c.memory_bytes / 2) {
    throw usage_error("far-kv: -I: an item may take at most half of the memory that -m gives");
  }
  return c;
}

}  // namespace far::apps::kv
