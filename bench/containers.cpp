// Operations of a hash_map by two processes at once, compared with a baseline table on memory that
// both map, and with MPI (rows A2 and A5).

#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/baselines/mpi_peers.hpp"
#include "bench/baselines/table_baseline.hpp"
#include "bench/harness/measure.hpp"
#include "bench/harness/registry.hpp"
#include "bench/predicted.hpp"
#include "far/containers/map/map_costs.hpp"
#include "far/far.hpp"

namespace far::bench {
namespace {

constexpr std::uint64_t keys_of_a_rank = 1 << 15;
constexpr std::uint64_t baseline_buckets = 1 << 17;  // as many as the map has
constexpr int rounds = 5;

namespace map_costs = containers::map_costs;
using map_type = hash_map<std::uint64_t, std::uint64_t>;
using baseline_bucket = baseline::table::bucket;

/// The maps of a rank, and its keys.
class maps {
 public:
  maps(world& world, baseline_bucket* buckets)
      : world_(world),
        shared_(world, 2 * keys_of_a_rank),
        grows_(world),
        baseline_(buckets, baseline_buckets),
        buckets_(buckets) {
    grows_.reserve(2 * keys_of_a_rank);
  }

  /// Collective: empty clears all maps; fill inserts the keys of all ranks into each.
  void empty() {
    end_phase();
    next_ = 0;
    shared_.clear();
    grows_.clear();
    // Each rank clears a part, as it does of the map, so that the caches hold equally much of both.
    const std::uint64_t part = baseline_buckets / static_cast<std::uint64_t>(world_.size());
    std::memset(static_cast<void*>(buckets_ + part * static_cast<std::uint64_t>(world_.rank())), 0,
                part * sizeof(baseline_bucket));
    barrier(world_);
  }
  void fill() {
    empty();
    std::vector<std::uint64_t> own_keys;
    for (std::uint64_t i = 0; i < keys_of_a_rank; ++i) {
      const std::uint64_t key = next_key();
      (void)shared_.insert(key, key);
      (void)baseline_.insert(key, key, hash_of(key));
      own_keys.push_back(key);
    }
    (void)grows_.insert_many(own_keys, own_keys);
    barrier(world_);
  }
  // Collective.
  void end_phase() {
    reading_.reset();
    writing_.reset();
  }
  void begin_reading() {
    if (!reading_) reading_.reset(new map_type::reading_view(shared_.reading()));
  }
  void begin_writing() {
    empty();
    writing_.reset(new map_type::writing_view(shared_.writing()));
  }

  void meet() { barrier(world_); }

  /// Returns this rank's keys in turn; their homes are arbitrary.
  std::uint64_t next_key() {
    return next_++ % keys_of_a_rank * 2 + static_cast<unsigned>(world_.rank());
  }
  static std::uint64_t hash_of(std::uint64_t key) { return hash<std::uint64_t>()(key); }

  [[nodiscard]] const map_type& shared() const { return shared_; }
  [[nodiscard]] const map_type& grows() const { return grows_; }
  [[nodiscard]] const map_type::reading_view& reading() const { return *reading_; }
  [[nodiscard]] const map_type::writing_view& writing() const { return *writing_; }
  [[nodiscard]] baseline::table& baseline() { return baseline_; }

 private:
  world& world_;
  map_type shared_;
  map_type grows_;
  baseline::table baseline_;
  baseline_bucket* buckets_;
  std::unique_ptr<map_type::reading_view> reading_;
  std::unique_ptr<map_type::writing_view> writing_;
  std::uint64_t next_ = 0;
};

using maps_ref = std::shared_ptr<maps>;

/// A subject of calls, which need their homes' progress: ends when all ranks are done.
subject by_calls(const maps_ref& all, subject what) {
  what.run = [all, run = what.run](std::int64_t count) {
    run(count);
    all->meet();
  };
  return what;
}

/// Calls `once(maps, key)` for one key after another.
template <class Once>
std::function<void(std::int64_t)> each_key(const maps_ref& all, Once once) {
  return [all, once](std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) keep(once(*all, all->next_key()));
  };
}

std::vector<subject> inserts(const maps_ref& all) {
  const auto empty = [all] { all->empty(); };
  return {
      {"insert", each_key(all, [](maps& m, std::uint64_t k) { return m.shared().insert(k, k); }),
       empty},
      {"insert by hand",
       each_key(all, [](maps& m,
                        std::uint64_t k) { return m.baseline().insert(k, k, maps::hash_of(k)); }),
       empty},
      {"insert, writing()",
       each_key(all, [](maps& m, std::uint64_t k) { return m.writing().insert(k, k); }),
       [all] { all->begin_writing(); }},
      by_calls(all, {"insert by calls",
                     each_key(all,
                              [](maps& m, std::uint64_t k) {
                                return m.shared().with(policy::rpc).insert(k, k);
                              }),
                     empty}),
      by_calls(all, {"insert by calls, grows",
                     each_key(all, [](maps& m, std::uint64_t k) { return m.grows().insert(k, k); }),
                     empty}),
  };
}

std::vector<subject> finds(const maps_ref& all) {
  const auto changing = [all] { all->end_phase(); };
  const auto reading = [all] { all->begin_reading(); };
  return {
      {"find", each_key(all, [](maps& m, std::uint64_t k) { return m.shared().find(k); }),
       changing},
      {"find by hand",
       each_key(all,
                [](maps& m, std::uint64_t k) { return m.baseline().find(k, maps::hash_of(k)); }),
       changing},
      {"find, reading()",
       each_key(all, [](maps& m, std::uint64_t k) { return m.reading().find(k); }), reading},
      {"find by hand, unchanged",
       each_key(all,
                [](maps& m, std::uint64_t k) {
                  return m.baseline().find_unchanged(k, maps::hash_of(k));
                }),
       reading},
  };
}

/// Measured separately: a call leaves the key's bucket in the cache of its home, from which the
/// next find must fetch it.
std::vector<subject> finds_by_calls(const maps_ref& all) {
  return {
      by_calls(all, {"find by calls", each_key(all,
                                               [](maps& m, std::uint64_t k) {
                                                 return m.shared().with(policy::rpc).find(k);
                                               })}),
      by_calls(all, {"find by calls, grows",
                     each_key(all, [](maps& m, std::uint64_t k) { return m.grows().find(k); })}),
  };
}

/// Changes of existing keys.
std::vector<subject> changes(const maps_ref& all) {
  const auto filled = [all] { all->fill(); };
  return {
      {"assign",
       each_key(all, [](maps& m, std::uint64_t k) { return m.shared().insert_or_assign(k, k); }),
       filled},
      {"update",
       each_key(all,
                [](maps& m, std::uint64_t k) {
                  return m.shared().update_or_insert(
                      k, k, [](std::uint64_t& value, std::uint64_t more) { value += more; });
                }),
       filled},
      {"add",
       each_key(all, [](maps& m, std::uint64_t k) { return m.shared().add_or_insert(k, k); }),
       filled},
      {"erase", each_key(all, [](maps& m, std::uint64_t k) { return m.shared().erase(k); }),
       filled},
  };
}

/// Medians by subject name, round by round.
using times_by_name = std::map<std::string, std::vector<double>>;

/// A row's subject, its baseline subject, and its operation of peers/mpi_containers.c.
struct compared {
  const char* row;
  const char* subject;
  const char* baseline = nullptr;
  const char* mpi = nullptr;
  double max_ratio = 0;
  model::formula formula = map_costs::call;
  const char* note = "";
};
constexpr compared all[] = {
    {"insert", "insert", "insert by hand", "table_insert", 2, map_costs::concurrent::insert},
    {"insert, in writing()", "insert, writing()", {}, {}, {}, map_costs::writing::insert},
    {"assign", "assign", {}, {}, {}, map_costs::concurrent::assign},
    {"update", "update", {}, {}, {}, map_costs::concurrent::update},
    {"add", "add", {}, {}, {}, map_costs::concurrent::add},
    {"erase", "erase", {}, {}, {}, map_costs::concurrent::erase},
    {"find", "find", "find by hand", "table_find", 2, map_costs::concurrent::find},
    {"find, in reading()", "find, reading()", "find by hand, unchanged", "table_find_unchanged",
     1.3, map_costs::reading::find, "no counts of readers"},
    {"insert by calls", "insert by calls"},
    {"insert by calls, grows", "insert by calls, grows"},
    {"find by calls", "find by calls"},
    {"find by calls, grows", "find by calls, grows"},
};

row row_of(const compared& c, const times_by_name& times, const mpi_peers& peers,
           const two_process_costs& costs) {
  row line{c.row, median(times.at(c.subject)), {}, {}, {}, c.note};
  line.predicted_ns = model::price(c.formula, costs.either);
  if (c.baseline != nullptr) {
    line.limit_ns = median(times.at(c.baseline));
    line.wanted.max_ratio = c.max_ratio;
  }
  if (c.mpi != nullptr) {
    line.peers = peers.of(2, c.mpi);
    line.wanted.max_peer_ratio = 1.0 / 3;
  }
  return line;
}

report measure_containers() {
  const two_process_costs costs = measure_two_processes();
  const shared_memory baseline(baseline_buckets * sizeof(baseline_bucket));
  mpi_peers peers("containers");
  times_by_name times;
  const auto measure = [&](const std::string& label, auto subjects_of, bool filled) {
    // The names come from this process, the times from the ranks.
    std::vector<std::string> names;
    for (const subject& s : subjects_of(nullptr)) names.push_back(s.name);
    const auto ns = measure_on_processes(2, label,
                                         [&](world& world) {
                                           const auto mine = std::make_shared<maps>(
                                               world, baseline.as<baseline_bucket>());
                                           if (filled) mine->fill();
                                           return subjects_of(mine);
                                         },
                                         {.rounds = 21, .round_ms = 0.2});
    for (std::size_t i = 0; i < ns.size(); ++i) times[names[i]].push_back(ns[i]);
  };
  for (int round = 0; round < rounds; ++round) {
    const auto label = fmt::format("containers, round {} of {}", round + 1, rounds);
    measure(label, inserts, false);
    measure(label, finds, true);
    measure(label, finds_by_calls, true);
    measure(label, changes, true);
    peers.run(2, {"table_insert", "table_find", "table_find_unchanged"});
  }

  report result;
  result.measured = fmt::format(
      "containers: two processes on one hash_map of {} keys, 8 bytes and 8 bytes; each uses one "
      "key after\nanother, with homes at both. Limit: a baseline table in memory that both map, "
      "with the same protocol; the\npeers use the same protocol over MPI-3. Predicted: by the "
      "formulas with the components' costs here, half on "
      "own\nmemory. Medians of {} rounds, all in turn.",
      2 * keys_of_a_rank, rounds);
  for (const compared& c : all) result.rows.push_back(row_of(c, times, peers, costs));
  result.remarks = peers.remarks();
  return result;
}

const benchmark registered("containers", "a hash_map between two processes, against a baseline",
                           measure_containers);

}  // namespace
}  // namespace far::bench
