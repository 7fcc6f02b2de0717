// A cache as a server: far-kv beside memcached, by the processor time that a request takes, and by
// the items that fit into equal memory. A cache in the process: far::store.

#include <time.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "apps/common/progress.hpp"
#include "bench/harness/registry.hpp"
#include "bench/harness/statistics.hpp"
#include "bench/kv/in_process.hpp"
#include "bench/kv/key_stream.hpp"
#include "bench/kv/load_generator.hpp"
#include "bench/kv/server_process.hpp"
#include "far/base/error.hpp"

namespace far::bench {
namespace {

constexpr int connections = 64;
constexpr const char* memcached = "memcached";
constexpr const char* far_kv = "far-kv";

/// How requests are sent.
struct kv_load {
  const char* name;
  std::size_t pipelined;    // requests of a batch
  std::size_t keys_of_get;  // more than 1: only gets
  std::size_t batches;      // of a round
  double times_as_many;     // the goal: requests in memcached's processor time
};
constexpr kv_load loads[] = {{"get or set, one at a time", 1, 1, 40'000, 1.2},
                             {"get or set, 16 deep", 16, 1, 10'000, 3},
                             {"get of 10 keys, per key", 1, 10, 20'000, 1.5}};

std::vector<request_batch> batches_of(const kv_load& load, const key_stream& stream) {
  const std::string value(kv_value_bytes, 'v');
  std::vector<request_batch> batches(4096);
  auto next = stream.operations.begin();
  for (request_batch& batch : batches) {
    for (std::size_t i = 0; i < load.pipelined; ++i) {
      if (load.keys_of_get == 1 && next->is_put) {
        batch.sent +=
            fmt::format("set {} 0 0 {}\r\n{}\r\n", stream.keys[next++->key], kv_value_bytes, value);
        batch.expected += "STORED\r\n";
        continue;
      }
      batch.sent += "get";
      for (std::size_t k = 0; k < load.keys_of_get; ++k) {
        const std::string& key = stream.keys[next++->key];
        batch.sent += " " + key;
        batch.expected += fmt::format("VALUE {} 0 {}\r\n{}\r\n", key, kv_value_bytes, value);
      }
      batch.sent += "\r\n";
      batch.expected += "END\r\n";
    }
  }
  return batches;
}

double own_processor_ns() {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) * 1e9 + static_cast<double>(used.tv_nsec);
}

/// Items of this process's making: `count` keys, each once.
void store_items(const server_process& server, std::size_t count, std::size_t value_bytes) {
  constexpr std::size_t at_once = 10'000;
  const std::string value(value_bytes, 'v');
  for (std::size_t i = 0; i < count;) {
    std::string text;
    for (const std::size_t end = std::min(count, i + at_once); i < end; ++i) {
      text += fmt::format("set {} 0 0 {} noreply\r\n{}\r\n", kv_key(i), value_bytes, value);
    }
    const std::string reply = ask_server(server.port(), text + "mn\r\n");
    if (reply != "MN\r\n")
      throw error("kv: a server has not stored an item, but answered " + reply);
  }
}

/// The number behind "STAT name ".
std::uint64_t statistic(const server_process& server, std::string_view name) {
  const std::string reply = ask_server(server.port(), "stats\r\n");
  const std::string line = fmt::format("STAT {} ", name);
  const std::size_t found = reply.find(line);
  std::uint64_t value = 0;
  if (found != std::string::npos) {
    std::from_chars(reply.data() + found + line.size(), reply.data() + reply.size(), value);
  }
  return value;
}

/// A server with all items, and its processor time of a request, or of a key, in each round.
struct contestant {
  const char* name;
  std::string path;
  server_process server;
  std::vector<double> server_ns = {};
  std::vector<double> client_ns = {};

  contestant(const char* of, const std::string& at)
      : name(of), path(at), server(at, {"-m", "256", "-t", "1"}) {
    store_items(server, kv_keys, kv_value_bytes);
  }
};
using contestants = std::vector<std::unique_ptr<contestant>>;  // memcached is the first

void measure_load(const contestants& all, const kv_load& load, const key_stream& stream,
                  bool quick) {
  const std::vector<request_batch> batches = batches_of(load, stream);
  const std::size_t count = quick ? load.batches / 40 : load.batches;
  const int rounds = quick ? 1 : 7;
  std::vector<std::unique_ptr<load_generator>> generators;
  for (const auto& one : all) {
    one->server_ns.clear();
    one->client_ns.clear();
    generators.push_back(
        std::make_unique<load_generator>(one->server.port(), connections, batches));
    generators.back()->run(count / 4);
  }
  const auto requests = static_cast<double>(count * load.pipelined * load.keys_of_get);
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::size_t which = round % 2 == 0 ? i : all.size() - 1 - i;
      contestant& one = *all[which];
      const double server = one.server.used_ns();
      const double client = own_processor_ns();
      generators[which]->run(count);
      one.server_ns.push_back((one.server.used_ns() - server) / requests);
      one.client_ns.push_back((own_processor_ns() - client) / requests);
    }
  }
}

std::uint64_t items_in(const contestant& which, std::size_t value_bytes, bool quick) {
  const int megabytes = quick ? 8 : 64;
  const server_process server(which.path, {"-m", std::to_string(megabytes), "-t", "1"});
  const std::size_t bytes = static_cast<std::size_t>(megabytes) << 20;
  store_items(server, 2 * bytes / (value_bytes + 50), value_bytes);
  return statistic(server, "curr_items");
}

struct room_for_items {
  std::size_t value_bytes;
  double goal;  // times memcached's
};
constexpr room_for_items rooms[] = {{64, 1.15}, {1000, 1}};

void measure_items(const contestants& all, bool quick, report& into) {
  for (const room_for_items& room : rooms) {
    const std::uint64_t theirs = items_in(*all.front(), room.value_bytes, quick);
    std::string what = fmt::format("{} keeps {} items with values of {} bytes at -m {}", memcached,
                                   theirs, room.value_bytes, quick ? 8 : 64);
    if (all.size() == 1) {
      into.remarks.push_back(std::move(what));
      continue;
    }
    const std::uint64_t ours = items_in(*all.back(), room.value_bytes, quick);
    const double ratio = static_cast<double>(ours) / static_cast<double>(theirs);
    into.claims.push_back({fmt::format("{}; {} at least {} times as many", what, far_kv, room.goal),
                           fmt::format("{}: {:.2f} times", ours, ratio), ratio >= room.goal});
  }
}

report measure_kv(const settings& asked) {
  report result;
  result.measured = fmt::format(
      "kv: processor time of a server for a request, of {} connections and one generator of 95 % "
      "get and 5 % set:\n{} keys of {} bytes, Zipf 0.99, values of {}. Servers have one thread "
      "(-t 1). In process: far::store;\nlimit: 256 std::unordered_map, each with a std::mutex; "
      "peer: memcached with this client, one at a time.",
      connections, kv_keys, kv_key(0).size(), kv_value_bytes);
  contestants all;
  const std::optional<std::string> theirs = find_memcached();
  const std::optional<std::string> ours = find_far_kv();
  if (theirs) all.push_back(std::make_unique<contestant>(memcached, *theirs));
  if (theirs && ours) all.push_back(std::make_unique<contestant>(far_kv, *ours));
  if (!theirs) result.remarks.push_back("memcached is not installed (Debian: memcached)");
  if (!ours) result.remarks.push_back("far-kv was not built with this program");
  apps::progress_bar progress("kv");
  const key_stream stream(std::size_t{1} << 20);
  std::optional<double> by_client;
  for (std::size_t i = 0; theirs && i < std::size(loads); ++i) {
    const kv_load& load = loads[i];
    progress.update(i, std::size(loads) + 2, load.name);
    measure_load(all, load, stream, asked.quick);
    const contestant& peer = *all.front();
    const double peer_ns = median(peer.server_ns);
    if (!by_client) by_client = peer_ns + median(peer.client_ns);
    if (!ours) {
      result.remarks.push_back(
          fmt::format("{}: {}: {}", memcached, load.name, human_time(peer_ns)));
      continue;
    }
    row line{load.name, median(all.back()->server_ns)};
    line.peers[memcached] = peer_ns;
    line.wanted.max_peer_ratio = 1 / load.times_as_many;
    result.rows.push_back(std::move(line));
  }
  progress.update(std::size(loads), std::size(loads) + 2, "in process");
  const in_process_times here = measure_in_process(asked.quick);
  row line{"get or put, in process", here.store, here.maps};
  line.paired = here.ratio;
  line.wanted.max_ratio = 1;
  if (by_client) {
    line.peers[memcached] = *by_client;
    line.wanted.max_peer_ratio = 1 / 20.0;
  }
  result.rows.push_back(std::move(line));
  progress.update(std::size(loads) + 1, std::size(loads) + 2, "items");
  if (theirs) measure_items(all, asked.quick, result);
  return result;
}

const benchmark registered("kv", "a cache: far-kv beside memcached, and far::store in a process",
                           measure_kv);

}  // namespace
}  // namespace far::bench
