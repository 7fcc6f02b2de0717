// Insert-or-update of many keys at once by two processes, compared with one call for each key, and
// with a hash table that is private to one process.

#include <algorithm>
#include <array>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "apps/common/progress.hpp"
#include "bench/harness/measure.hpp"
#include "bench/harness/program.hpp"
#include "bench/harness/registry.hpp"
#include "far/far.hpp"

namespace far::bench {
namespace {

constexpr int rounds = 3;
constexpr std::size_t batch = 1 << 15;
constexpr std::size_t keys_by_one = 1 << 13;  // per rank; few: calls for single keys are slow
constexpr int peer_limit_s = 120;

using map_type = hash_map<std::uint64_t, std::uint64_t>;

/// The total number of keys of all ranks, and how often a round inserts and updates them.
struct size {
  const char* name;
  std::uint64_t keys;
  int fills;
};
constexpr size sizes[] = {{"64 K keys", 1 << 16, 21}, {"4 M keys", 1 << 22, 3}};

/// How keys are inserted or updated.
struct way {
  const char* name;
  bool grows;  ///< use the growable map, which keeps its keys in private memory
  policy how;
  bool by_one = false;  ///< a call for each key; waits for each
  bool pinned = false;  ///< not the map's default way
};
constexpr way ways[] = {
    {"in the segments", false, policy::one_sided},
    {"in the segments, by calls", false, policy::rpc, false, true},
    {"grows", true, policy::rpc},
    {"in the segments, by calls, one by one", false, policy::rpc, true},
    {"grows, one by one", true, policy::rpc, true},
};

/// Nanoseconds per key.
struct costs {
  double insert = 0;
  double update = 0;
};
using costs_of_ways = std::array<costs, std::size(ways)>;

/// A rank's keys and maps.
class fill_bed {
 public:
  fill_bed(world& world, std::uint64_t keys)
      : world_(world), keys_of_all_(keys), shared_(world, keys), grows_(world) {
    const auto ranks = static_cast<std::uint64_t>(world.size());
    for (auto key = static_cast<std::uint64_t>(world.rank()); key < keys; key += ranks) {
      keys_.push_back(key);
    }
  }

  /// Collective: inserts this rank's keys into an empty map, then adds to all their values. For a
  /// way that works one by one, measures only the last keys, after inserting all others at once, so
  /// that the map is equally large.
  costs fill(const way& how) {
    const map_type& map = how.grows ? grows_ : shared_;
    map.clear();
    if (how.grows) map.reserve(keys_of_all_);  // as the limit does
    const auto view = map.with(how.how);
    const std::span<const std::uint64_t> all(keys_);
    if (!how.by_one) {
      const double insert = timed([&] { add_many(view, all); });
      return {insert / per_key(all), timed([&] { add_many(view, all); }) / per_key(all)};
    }
    const auto last = all.last(keys_by_one);
    const auto others = all.first(all.size() - last.size());
    add_many(view, others);
    const double insert = timed([&] { add_each(view, last); });
    const auto some = others.first(keys_by_one);  // not used just now, so in no core's caches
    return {insert / per_key(last), timed([&] { add_each(view, some); }) / per_key(some)};
  }

 private:
  using keys_type = std::span<const std::uint64_t>;
  static constexpr auto add = [](std::uint64_t& value, std::uint64_t more) { value += more; };

  static double per_key(keys_type keys) { return static_cast<double>(keys.size()); }
  static void add_many(const map_type::view_type& map, keys_type keys) {
    for (std::size_t i = 0; i < keys.size(); i += batch) {
      const auto part = keys.subspan(i, std::min(batch, keys.size() - i));
      keep(map.update_or_insert_many(part, part, add).size());
    }
  }
  static void add_each(const map_type::view_type& map, keys_type keys) {
    for (const std::uint64_t key : keys) map.update_or_insert(key, key, add);
  }
  template <class Work>
  double timed(Work work) {
    barrier(world_);
    const double begin = now_ns();
    work();
    barrier(world_);  // a rank that is done still serves the other
    return now_ns() - begin;
  }

  world& world_;
  std::uint64_t keys_of_all_;
  map_type shared_;
  map_type grows_;
  std::vector<std::uint64_t> keys_;
};

/// Measures two processes; returns medians by the clock of rank 0.
costs_of_ways measure_fills(const size& what) {
  const shared_memory memory(sizeof(costs_of_ways));
  run({.ranks = 2, .mode = job_mode::processes}, [&](world& world) {
    if (world.size() <= core_count()) take_own_core(world.rank());
    fill_bed bed(world, what.keys);
    std::array<std::vector<double>, std::size(ways)> inserts;
    std::array<std::vector<double>, std::size(ways)> updates;
    for (int fill = -1; fill < what.fills; ++fill) {  // the first touches new pages: not counted
      for (std::size_t i = 0; i < std::size(ways); ++i) {
        const costs took = bed.fill(ways[i]);
        if (fill < 0) continue;
        inserts[i].push_back(took.insert);
        updates[i].push_back(took.update);
      }
    }
    if (world.rank() != 0) return;
    for (std::size_t i = 0; i < std::size(ways); ++i) {
      (*memory.as<costs_of_ways>())[i] = {median(inserts[i]), median(updates[i])};
    }
  });
  return *memory.as<costs_of_ways>();
}

/// Runs peers/absl_peer.cpp (absl::flat_hash_map), if it was built.
class absl_peer {
 public:
  absl_peer() : program_(own_folder() / "../libexec/far/absl_peer") {
    if (std::filesystem::exists(program_)) return;
    remark_ = "Without absl: it was not there when far was built (Debian: libabsl-dev).";
  }

  /// Runs one round; a no-op if the program is missing or has failed.
  void run(const size& what, std::vector<double>& inserts, std::vector<double>& updates) {
    if (!remark_.empty()) return;
    const outcome result = run_program(
        {program_.string(), fmt::format("{}", what.keys), fmt::format("{}", what.fills)},
        peer_limit_s);
    if (result.status != 0) remark_ = "absl_peer failed: " + result.complaint();
    std::istringstream lines(result.output);
    std::string operation;
    double ns = 0;
    while (lines >> operation >> ns) (operation == "insert" ? inserts : updates).push_back(ns);
  }

  [[nodiscard]] const std::string& remark() const noexcept { return remark_; }

 private:
  std::filesystem::path program_;
  std::string remark_;
};

/// All times of one size, round by round.
struct measured {
  std::array<std::vector<double>, std::size(ways)> inserts;
  std::array<std::vector<double>, std::size(ways)> updates;
  std::vector<double> peer_inserts;
  std::vector<double> peer_updates;
};

void add_rows(report& result, const char* operation, const size& what,
              const std::array<std::vector<double>, std::size(ways)>& ours,
              const std::vector<double>& peer, const goal& wanted) {
  for (std::size_t i = 0; i < std::size(ways); ++i) {
    row line{fmt::format("{}, {}, {}", operation, what.name, ways[i].name), median(ours[i])};
    if (!ways[i].by_one) {
      if (!peer.empty()) line.limit_ns = median(peer);
      const auto one = std::ranges::find_if(
          ways, [&](const way& w) { return w.by_one && w.grows == ways[i].grows; });
      line.peers["one by one"] = median(ours[static_cast<std::size_t>(one - ways)]);
      if (!ways[i].pinned) line.wanted = wanted;
    }
    result.rows.push_back(std::move(line));
  }
}

report measure_batches() {
  absl_peer peer;
  apps::progress_bar bar("batches");
  std::size_t step = 0;
  std::array<measured, std::size(sizes)> all;
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t s = 0; s < std::size(sizes); ++s) {
      bar.update(step++, rounds * std::size(sizes), sizes[s].name);
      const costs_of_ways took = measure_fills(sizes[s]);
      for (std::size_t i = 0; i < std::size(ways); ++i) {
        all[s].inserts[i].push_back(took[i].insert);
        all[s].updates[i].push_back(took[i].update);
      }
      peer.run(sizes[s], all[s].peer_inserts, all[s].peer_updates);
    }
  }
  bar.finish();

  report result;
  result.measured = fmt::format(
      "batches: update_or_insert_many of {} keys at once, of 8 bytes and 8 bytes, by two processes "
      "on one map; the\ntime is that of a process for one of its keys. Limit: absl::flat_hash_map "
      "in one process, key after key, as\nmany keys in all. Peer: the same map, with a call for "
      "each key. Medians of {} rounds, in turn.",
      batch, rounds);
  for (std::size_t s = 0; s < std::size(sizes); ++s) {
    add_rows(result, "insert", sizes[s], all[s].inserts, all[s].peer_inserts,
             {.max_ratio = 2, .max_peer_ratio = 0.2});
    add_rows(result, "update", sizes[s], all[s].updates, all[s].peer_updates,
             {.max_peer_ratio = 0.2});
  }
  if (!peer.remark().empty()) result.remarks.push_back(peer.remark());
  return result;
}

const benchmark registered("batches", "many keys at once, against one by one and absl's hash table",
                           measure_batches);

}  // namespace
}  // namespace far::bench
