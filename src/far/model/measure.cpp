#include "far/model/measure.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <unordered_map>
#include <utility>
#include <vector>

#include "far/base/error.hpp"
#include "far/base/function_ref.hpp"
#include "far/base/random.hpp"
#include "far/memory/allocate.hpp"
#include "far/model/measure_bulk.hpp"
#include "far/rma/atomic_ref.hpp"
#include "far/rma/transfer.hpp"
#include "far/rpc/call.hpp"
#include "far/team/barrier.hpp"
#include "far/team/reduce.hpp"

namespace far::model {
namespace {

constexpr int rounds = 15;
constexpr double round_ns = 1e6;   // so long that the skew between the ranks' starts is negligible
constexpr double sample_ns = 2e8;  // after this time, two more rounds are enough
constexpr std::uint64_t words_of_a_line = 8;

/// Max operations of a rank in a round, a power of two: 8192 over the number of ranks. It is 1024
/// over that in a simulation, which is deterministic and slow.
int max_times(const world& world) {
  const unsigned all = world.fabric().simulated() ? 1 << 10 : 1 << 13;
  return static_cast<int>(std::bit_floor(std::max(8u, all / static_cast<unsigned>(world.size()))));
}
/// The same for operations on one word. There are more of them, because at first some ranks may
/// have the word to themselves.
int max_times_at_hosts(const world& world) {
  return world.fabric().simulated() ? max_times(world) : 16 * max_times(world);
}

using word_ref = atomic_ref<std::uint64_t>;

/// The table that handlers add to.
struct call_table {
  explicit call_table(rank_state&) {}
  std::unordered_map<std::uint64_t, std::uint64_t> keys;
};

/// Words that all ranks use at one rank, each in a cache line of its own.
enum shared_word : std::int64_t { hot = 0, claims = 8, turns = 16, shared_words = 24 };

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The memory and the loops with which one rank measures. Each operation depends on the result of
/// the previous one (its highest bit, which is 0); otherwise the processor would overlap them.
/// A round accesses each cache line twice, and before it the owner has touched all of them. So half
/// of the accesses of other ranks find the line in another cache, as with shared structures.
class test_bed {
 public:
  test_bed(const world& world, int max)
      : world_(world),
        count_(static_cast<std::uint64_t>(max) / 2 * words_of_a_line),
        words_(allocate<std::uint64_t>(world, count_)),
        flags_(allocate<std::uint64_t>(world, count_)),
        shared_(allocate<std::uint64_t>(world, shared_words)),
        poll_ns_(poll_time()),
        targets_(static_cast<std::size_t>(max)) {
    barrier(world);
  }
  /// Collective, at the end.
  void release() {
    barrier(world_);
    deallocate(world_, shared_);
    deallocate(world_, flags_);
    deallocate(world_, words_);
  }
  test_bed(const test_bed&) = delete;
  test_bed& operator=(const test_bed&) = delete;

  /// Directs operations to ranks at that distance. Returns false if there are none.
  bool aim_at(distance apart) {
    std::vector<int> there;
    for (int rank = 0; rank < world_.size(); ++rank) {
      if (distance_to(world_, rank) == apart) there.push_back(rank);
    }
    if (there.empty()) return false;
    base::random random(base::mix(static_cast<std::uint64_t>(world_.rank()) + 1));
    for (target& t : targets_) {
      t.rank = there[random.below(there.size())];
      t.word = static_cast<std::int64_t>(random.below(count_));
    }
    return true;
  }

  /// Brings all cache lines of this rank's words into its cache.
  void touch() {
    for (std::uint64_t i = 0; i < count_; i += words_of_a_line) {
      const auto line = static_cast<std::int64_t>(i);
      far::put(world_, words_.on(world_.rank()) + line, std::uint64_t{0});
      far::put(world_, flags_.on(world_.rank()) + line, std::uint64_t{0});
    }
  }

  void put(int times) {
    repeat(times, [&](const target& t, std::uint64_t i) {
      far::put(world_, words_.on(t.rank) + t.word, i);
      return std::uint64_t{0};
    });
  }
  void get(int times) {
    repeat(times, [&](const target& t, std::uint64_t) {
      return far::get(world_, words_.on(t.rank) + t.word);
    });
  }
  void fetch_add(int times) {
    repeat(times, [&](const target& t, std::uint64_t) {
      return word_ref(world_, words_.on(t.rank) + t.word).fetch_add(1);
    });
  }
  void compare_swap(int times) {
    repeat(times, [&](const target& t, std::uint64_t) {
      std::uint64_t seen = 0;  // all flags are always 0
      word_ref(world_, flags_.on(t.rank) + t.word).compare_exchange(seen, 0);
      return seen;
    });
  }
  void message(int times) {
    repeat(times, [&](const target& t, std::uint64_t) {
      return rpc(
                 world_, t.rank,
                 [](rank_state& there, std::uint32_t key) {
                   return static_cast<std::uint32_t>(++there.get<call_table>().keys[key]);
                 },
                 static_cast<std::uint32_t>(t.word))
          .get();
    });
  }
  void local(int times) {
    const auto mine = local_span(world_, words_, count_);
    repeat(times, [&](const target& t, std::uint64_t) {
      return mine[static_cast<std::size_t>(t.word)] += 1;
    });
  }
  void hot_fetch_add(int host, int times) {
    const word_ref there = shared(host, hot);
    repeat(times, [&](const target&, std::uint64_t) { return there.fetch_add(1); });
  }
  /// As in the operations of a queue: claims a turn, and waits for it. Returns the time of waiting.
  double turn(int host, int times) {
    const word_ref claim = shared(host, claims);
    const word_ref next = shared(host, turns);
    std::uint64_t waited = 0;
    repeat(times, [&](const target&, std::uint64_t) {
      const std::uint64_t mine = claim.fetch_add(1);
      const std::uint64_t begin = world_.now();
      fabric::turn wait;
      std::uint64_t seen = mine;
      while (seen != mine || !next.compare_exchange(seen, mine + 1)) {
        world_.context().await_turn(wait);
        seen = next.load();
      }
      waited += world_.now() - begin;
      return mine;
    });
    return std::max(0.0, static_cast<double>(waited) - poll_ns_ * times);
  }

 private:
  struct target {
    int rank = 0;
    std::int64_t word = 0;
  };

  template <class Operation>
  void repeat(int times, const Operation& operation) {
    for (int i = 0; i < times; ++i) {
      const target& t = targets_[next_ & (targets_.size() - 1)];
      next_ += 1 + (std::uint64_t{operation(t, next_)} >> 63);
    }
  }
  /// The time that two reads of the clock add to what is measured between them.
  [[nodiscard]] double poll_time() const {
    std::vector<double> looks(101);
    for (double& ns : looks) {
      const std::uint64_t begin = world_.now();
      ns = static_cast<double>(world_.now() - begin);
    }
    return median(std::move(looks));
  }
  [[nodiscard]] word_ref shared(int host, std::int64_t which) const {
    return {world_, shared_.on(host) + which};
  }

  const world& world_;
  std::uint64_t count_;
  ptr<std::uint64_t> words_;
  ptr<std::uint64_t> flags_;
  ptr<std::uint64_t> shared_;
  double poll_ns_;
  std::vector<target> targets_;  // a power of two
  std::uint64_t next_ = 0;
};

/// Times by distance; nothing where no rank took part.
using times_by_distance = std::array<std::optional<double>, distances>;

/// A rank's part in a round: `run` performs `times` operations and returns their time in ns.
struct part {
  distance apart = distance::self;
  bool takes_part = true;
  base::function_ref<double(int times)> run;
};

template <class Operations>
double time_of(const world& world, const Operations& run) {
  const std::uint64_t begin = world.now();
  run();
  return static_cast<double>(world.now() - begin);
}

/// The result of a round, the same on all ranks: means over the ranks that took part.
struct round {
  times_by_distance ns;  ///< time of one operation
  double wall_ns = 0;    ///< time of all of them
};

/// Collective.
round one_round(const world& world, test_bed& bed, const part& mine, int times) {
  bed.touch();
  barrier(world);
  std::array<double, 2 * distances + 1> sums{};
  if (mine.takes_part) {
    const auto d = static_cast<std::size_t>(mine.apart);
    sums.back() = time_of(world, [&] { sums[d] = mine.run(times) / times; });
    sums[distances + d] = 1;
  }
  allreduce(world, sums);
  round result;
  double parts = 0;
  for (std::size_t d = 0; d < distances; ++d) {
    parts += sums[distances + d];
    if (sums[distances + d] > 0) result.ns[d] = sums[d] / sums[distances + d];
  }
  result.wall_ns = sums.back() / parts;
  return result;
}

/// Collective: the medians over rounds. `part_of(i)` is this rank's part in round i. If ranks have
/// to wait for a core, a round may suddenly take long; then the next one has fewer operations.
template <class PartOf>
times_by_distance sample(const world& world, test_bed& bed, int max, const PartOf& part_of) {
  int times = 1;
  while (times < max && one_round(world, bed, part_of(0), times).wall_ns < round_ns) {
    times = std::min(max, 4 * times);
  }
  std::array<std::vector<double>, distances> seen;
  double spent_ns = 0;
  for (int i = 0; i < rounds; i += spent_ns < sample_ns ? 1 : rounds / 3) {
    const round one = one_round(world, bed, part_of(i), times);
    spent_ns += one.wall_ns;
    if (one.wall_ns > 4 * round_ns) times = std::max(1, times / 4);
    for (std::size_t d = 0; d < distances; ++d) {
      if (one.ns[d]) seen[d].push_back(*one.ns[d]);
    }
  }
  times_by_distance result;
  for (std::size_t d = 0; d < distances; ++d) {
    if (!seen[d].empty()) result[d] = median(std::move(seen[d]));
  }
  return result;
}

class measurement {
 public:
  measurement(const world& world, const step_watcher& watcher)
      : world_(world), bed_(world, max_times(world)), watcher_(watcher) {}

  costs_by_distance run() {
    for (const distance apart : all_distances) {
      const bool takes_part = bed_.aim_at(apart);
      if (allreduce(world_, takes_part ? 1 : 0) == 0) {
        step_ += static_cast<int>(std::size(aimed_));
        continue;
      }
      at(result_, apart) = measured_costs{{}, world_.size()};
      for (const auto& [what, loop] : aimed_) {
        tell(name_of(what));
        const auto run = [this, loop = loop](int times) {
          return time_of(world_, [&] { (bed_.*loop)(times); });
        };
        set(what, sample(world_, bed_, max_times(world_), [&](int) {
              return part{apart, takes_part, run};
            }));
      }
    }
    for (auto& there : result_) {  // fallback, if no round has a host at this distance
      if (!there) continue;
      there->costs.of(component::hot_fetch_add) = there->costs.of(component::fetch_add);
      there->costs.of(component::turn) = there->costs.of(component::compare_swap);
    }
    tell(name_of(component::hot_fetch_add));
    set(component::hot_fetch_add, at_hosts([this](int host, int times) {
          return time_of(world_, [&] { bed_.hot_fetch_add(host, times); });
        }));
    tell(name_of(component::turn));
    set_turns(at_hosts([this](int host, int times) { return bed_.turn(host, times); }));
    bed_.release();
    measure_bulk(world_, result_, [this](std::string_view what) { tell(what); });
    return result_;
  }

 private:
  using timed = void (test_bed::*)(int times);
  static constexpr std::pair<component, timed> aimed_[] = {
      {component::put, &test_bed::put},
      {component::get, &test_bed::get},
      {component::fetch_add, &test_bed::fetch_add},
      {component::compare_swap, &test_bed::compare_swap},
      {component::message, &test_bed::message},
      {component::local, &test_bed::local}};
  static constexpr int steps_ =
      static_cast<int>(distances * std::size(aimed_) + bulk_cost_kinds) + 2;

  /// All ranks use words of one rank, the host. Each round has the next host.
  times_by_distance at_hosts(base::function_ref<double(int host, int times)> run) {
    int host = 0;
    const auto run_there = [&](int times) { return run(host, times); };
    return sample(world_, bed_, max_times_at_hosts(world_), [&](int round) {
      host = round % world_.size();
      return part{distance_to(world_, host), true, run_there};
    });
  }

  void set_turns(times_by_distance turns) {
    for (std::size_t d = 0; d < distances; ++d) {
      if (!turns[d]) continue;
      // A turn takes at least one try, which the clock's resolution may hide.
      turns[d] = std::max(*turns[d], result_[d]->costs.of(component::compare_swap));
    }
    set(component::turn, turns);
  }

  void tell(std::string_view what) {
    if (watcher_) watcher_(step_, steps_, what);
    ++step_;
  }

  void set(component what, const times_by_distance& ns) {
    for (std::size_t d = 0; d < distances; ++d) {
      if (ns[d]) result_[d]->costs.of(what) = *ns[d];
    }
  }

  const world& world_;
  test_bed bed_;
  const step_watcher& watcher_;
  costs_by_distance result_;
  int step_ = 0;
};

}  // namespace

costs_by_distance measure(const world& world, const step_watcher& watcher) {
  if (world.fabric().clock() == fabric::clock_kind::none) {
    throw bad_argument(
        "costs cannot be measured in a simulated job without a profile: it has no time; give it "
        "one (far sim --profile, or far model calibrate --fabric sim --profile)");
  }
  return measurement(world, watcher).run();
}

}  // namespace far::model
