// Operations of a hash_map by two processes at once, beside the same by hand on memory that the two
// map, and over MPI (rows A2 and A5).

#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/baselines/mpi_peers.hpp"
#include "bench/baselines/table_by_hand.hpp"
#include "bench/harness/measure.hpp"
#include "bench/harness/registry.hpp"
#include "bench/predicted.hpp"
#include "far/containers/map/map_costs.hpp"
#include "far/far.hpp"

namespace far::bench {
namespace {

constexpr std::uint64_t keys_of_a_rank = 1 << 15;
constexpr std::uint64_t buckets_by_hand = 1 << 17;  // as many as the map has
constexpr int rounds = 5;

namespace map_costs = containers::map_costs;
using map_type = hash_map<std::uint64_t, std::uint64_t>;
using hand_bucket = by_hand::table::bucket;

/// The maps of a rank, and its keys.
class maps {
 public:
  maps(world& view, hand_bucket* buckets)
      : view_(view),
        shared_(view, 2 * keys_of_a_rank),
        grows_(view),
        by_hand_(buckets, buckets_by_hand),
        buckets_(buckets) {
    grows_.reserve(2 * keys_of_a_rank);
  }

  /// Collective: empties all, or gives each the keys of all ranks.
  void empty() {
    end_phase();
    next_ = 0;
    shared_.clear();
    grows_.clear();
    // Each rank a part, as of the map: so the caches hold as much of either.
    const std::uint64_t part = buckets_by_hand / static_cast<std::uint64_t>(view_.size());
    std::memset(static_cast<void*>(buckets_ + part * static_cast<std::uint64_t>(view_.rank())), 0,
                part * sizeof(hand_bucket));
    barrier(view_);
  }
  void fill() {
    empty();
    std::vector<std::uint64_t> own_keys;
    for (std::uint64_t i = 0; i < keys_of_a_rank; ++i) {
      const std::uint64_t key = next_key();
      (void)shared_.insert(key, key);
      (void)by_hand_.insert(key, key, hash_of(key));
      own_keys.push_back(key);
    }
    (void)grows_.insert_many(own_keys, own_keys);
    barrier(view_);
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

  void meet() { barrier(view_); }

  /// This rank's keys in turn; their homes are anywhere.
  std::uint64_t next_key() {
    return next_++ % keys_of_a_rank * 2 + static_cast<unsigned>(view_.rank());
  }
  static std::uint64_t hash_of(std::uint64_t key) { return hash<std::uint64_t>()(key); }

  [[nodiscard]] const map_type& shared() const { return shared_; }
  [[nodiscard]] const map_type& grows() const { return grows_; }
  [[nodiscard]] const map_type::reading_view& reading() const { return *reading_; }
  [[nodiscard]] const map_type::writing_view& writing() const { return *writing_; }
  [[nodiscard]] by_hand::table& by_hand() { return by_hand_; }

 private:
  world& view_;
  map_type shared_;
  map_type grows_;
  by_hand::table by_hand_;
  hand_bucket* buckets_;
  std::unique_ptr<map_type::reading_view> reading_;
  std::unique_ptr<map_type::writing_view> writing_;
  std::uint64_t next_ = 0;
};

using maps_ref = std::shared_ptr<maps>;

/// Of calls, which need the progress of their homes: it goes on until all have done theirs.
subject by_calls(const maps_ref& all, subject what) {
  what.run = [all, run = what.run](std::int64_t count) {
    run(count);
    all->meet();
  };
  return what;
}

/// `once(maps, key)` for key after key.
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
                        std::uint64_t k) { return m.by_hand().insert(k, k, maps::hash_of(k)); }),
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
                [](maps& m, std::uint64_t k) { return m.by_hand().find(k, maps::hash_of(k)); }),
       changing},
      {"find, reading()",
       each_key(all, [](maps& m, std::uint64_t k) { return m.reading().find(k); }), reading},
      {"find by hand, unchanged",
       each_key(all,
                [](maps& m, std::uint64_t k) {
                  return m.by_hand().find_unchanged(k, maps::hash_of(k));
                }),
       reading},
  };
}

/// Apart from the others: a call leaves the key's bucket in the cache of its home, where who finds
/// it next has to fetch it.
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

/// Of keys that are there.
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

/// Medians by name of the subject, round by round.
using times_by_name = std::map<std::string, std::vector<double>>;

/// A row's subject, the one by hand beside it, and the operation of peers/mpi_containers.c.
struct compared {
  const char* row;
  const char* subject;
  const char* by_hand = nullptr;
  const char* mpi = nullptr;
  double most_ratio = 0;
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
  if (c.by_hand != nullptr) {
    line.limit_ns = median(times.at(c.by_hand));
    line.wanted.most_ratio = c.most_ratio;
  }
  if (c.mpi != nullptr) {
    line.peers = peers.of(2, c.mpi);
    line.wanted.most_peer_ratio = 1.0 / 3;
  }
  return line;
}

report measure_containers() {
  const two_process_costs costs = measure_two_processes();
  const shared_memory by_hand(buckets_by_hand * sizeof(hand_bucket));
  mpi_peers peers("containers");
  times_by_name times;
  const auto measure = [&](const std::string& label, auto subjects_of, bool filled) {
    // The names are the parent's, the times those of the ranks.
    std::vector<std::string> names;
    for (const subject& s : subjects_of(nullptr)) names.push_back(s.name);
    const auto ns = measure_on_processes(2, label,
                                         [&](world& view) {
                                           const auto mine = std::make_shared<maps>(
                                               view, by_hand.as<hand_bucket>());
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
      "containers: two processes on one hash_map of {} keys, 8 bytes and 8 bytes, each key after "
      "key whose\nhomes are either. Limit: a table by hand in memory that both map, with the same "
      "protocol; the peers have\nthe same over MPI-3. Predicted: by the formulas and what their "
      "components cost here, half on "
      "own memory.\nMedians of {} rounds, all in turn.",
      2 * keys_of_a_rank, rounds);
  for (const compared& c : all) result.rows.push_back(row_of(c, times, peers, costs));
  result.remarks = peers.remarks();
  return result;
}

const benchmark registered("containers", "a hash_map between two processes, beside one by hand",
                           measure_containers);

}  // namespace
}  // namespace far::bench
