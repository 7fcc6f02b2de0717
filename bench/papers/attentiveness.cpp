// The cost of operations whose target computes meanwhile (rdma-vs-rpc, section IV, Fig. 6; row
// A9): every rank computes between its operations, and makes no progress while it computes.

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "apps/common/progress.hpp"
#include "bench/harness/measure.hpp"
#include "bench/harness/registry.hpp"
#include "far/base/random.hpp"
#include "far/far.hpp"

namespace far::bench {
namespace {

constexpr int simulated_ranks = 64;  // two nodes of Cori
constexpr const char* simulated_machine = "cori-aries";

/// How long ranks compute between operations, in the first and in the second half of them.
struct computation {
  std::uint64_t mean_ns;
  std::uint64_t later_ns = mean_ns;

  [[nodiscard]] bool changes() const noexcept { return later_ns != mean_ns; }
  [[nodiscard]] std::uint64_t longest_ns() const noexcept { return std::max(mean_ns, later_ns); }
  [[nodiscard]] std::string name() const {
    const auto us = [](std::uint64_t ns) { return static_cast<double>(ns) / 1000; };
    return changes() ? fmt::format("{}, then {}", us(mean_ns), us(later_ns))
                     : fmt::format("{}", us(mean_ns));
  }
};
constexpr computation computed[] = {{0, 64000}, {0},      {500},   {1000},  {2000},
                                    {4000},     {8000},   {16000}, {32000}, {64000},
                                    {128000},   {256000}, {512000}};
constexpr std::uint64_t min_operations = 32;   // of a rank, between two meetings
constexpr std::uint64_t min_simulated = 2048;  // the same in a simulation, where computing is free
constexpr std::uint64_t max_operations = 2048;
constexpr std::uint64_t first_operations = 8;    // uncounted, to warm up a way
constexpr std::uint64_t meeting_ns = 5'000'000;  // time between meetings, within these limits
constexpr int clock_rounds = 81;                 // by a real clock; a virtual one is deterministic

/// How operations are done. The first is the row's own time, the others are its peers.
struct way {
  const char* name;
  policy how;
  bool service;  ///< with a service thread on every rank
};
constexpr way ways[] = {
    {"automatic", policy::automatic, false},
    {"one-sided", policy::one_sided, false},
    {"by calls", policy::rpc, false},
    {"by calls, service", policy::rpc, true},
};

/// The structures that a rank's operations use.
class bed {
 public:
  explicit bed(world& world)
      : world_(world),
        inserted_(world, keys_of(world)),
        found_(world, keys_of(world)),
        queues_(world, 4 * max_operations),
        pushes_{queues_.with(policy::automatic), queues_.with(policy::one_sided),
                queues_.with(policy::rpc)},
        random_(base::mix(static_cast<std::uint64_t>(world.rank()) + 1)) {
    for (std::uint64_t i = 0; i < max_operations; ++i) (void)found_.insert(key(i), i);
    barrier(world);
  }

  /// Collective: makes space for the keys and values of a round.
  void reset() {
    next_ = 0;
    inserted_.clear();
    auto mine = queues_.local();
    while (mine.try_pop(std::span(values_)) > 0) continue;
    barrier(world_);
  }

  // Each operates on a random rank, possibly this one.
  void insert(const way& how) {
    keep(inserted_.with(how.how).insert(key(next_), next_));
    ++next_;
  }
  void find(const way& how) {
    // Continues after the keys of the previous way, which are in the caches.
    keep(found_.with(how.how).find(key(sought_++ % max_operations)));
  }
  void push(const way& how) {
    const auto host = static_cast<int>(random_.below(static_cast<std::uint64_t>(world_.size())));
    keep(pushes_[static_cast<std::size_t>(how.how)].at(host).try_push(next_));
  }

  /// Computes for 0.5 to 1.5 times the mean: ranks that compute equally long would soon all be
  /// attentive at the same time.
  void compute(std::uint64_t mean_ns) {
    if (mean_ns > 0) world_.compute(mean_ns / 2 + random_.below(mean_ns));
  }

 private:
  static std::uint64_t keys_of(const world& world) {
    return 2 * max_operations * static_cast<std::uint64_t>(world.size());
  }
  /// The index-th key of this rank.
  [[nodiscard]] std::uint64_t key(std::uint64_t index) const {
    return index * static_cast<std::uint64_t>(world_.size()) +
           static_cast<std::uint64_t>(world_.rank());
  }

  world& world_;
  hash_map<std::uint64_t, std::uint64_t> inserted_;
  hash_map<std::uint64_t, std::uint64_t> found_;
  queues<std::uint64_t> queues_;
  std::array<queues<std::uint64_t>::view_type, 3> pushes_;  // by policy
  std::array<std::uint64_t, 1024> values_{};
  base::random random_;
  std::uint64_t next_ = 0;  // index of the next key to insert
  std::uint64_t sought_ = 0;
};

struct operation {
  const char* name;
  void (bed::*once)(const way&);
};
constexpr operation operations[] = {
    {"insert", &bed::insert}, {"find", &bed::find}, {"push", &bed::push}};

constexpr std::size_t cells = std::size(operations) * std::size(computed) * std::size(ways);

/// The times of a cell, round by round.
using times = std::vector<double>;

/// Nanoseconds of an operation, the mean of all ranks, without their computation.
double measure(world& world, bed& mine, const operation& what, const way& how,
               const computation& between, std::uint64_t clock_ns) {
  std::optional<service> thread;
  if (how.service) thread.emplace(world);
  const bool simulated = world.fabric().simulated();
  const std::uint64_t min = simulated ? min_simulated : min_operations;
  const auto apart = between.changes() ? 4 * meeting_ns : meeting_ns;
  const auto count = std::clamp(apart / (between.longest_ns() + 1000), min, max_operations);
  mine.reset();
  // First let the cost model forget the previous cell, unless adapting is what is measured.
  const auto before = between.changes() ? first_operations : std::max(count / 4, min_operations);
  for (std::uint64_t i = 0; i < before; ++i) {
    mine.compute(between.mean_ns);
    (mine.*what.once)(how);
  }
  std::uint64_t spent = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    mine.compute(i < count / 2 ? between.mean_ns : between.later_ns);
    const std::uint64_t begin = world.now();
    (mine.*what.once)(how);
    spent += world.now() - begin - clock_ns;
  }
  const double own = static_cast<double>(spent) / static_cast<double>(count);
  return allreduce(world, own, std::plus<>()) / world.size();
}

/// The time that reading the clock adds to a measurement.
std::uint64_t time_of_clock(const world& world) {
  std::uint64_t min = ~std::uint64_t{0};
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t begin = world.now();
    min = std::min(min, world.now() - begin);
  }
  return min;
}

/// Collective. Returns times in the order operation, computation, way; the same on all ranks.
std::vector<times> measure_all(world& world, int rounds) {
  apps::progress_settings drawing;
  if (world.rank() != 0) drawing.columns = 0;
  apps::progress_bar bar("attentiveness", drawing);
  bed mine(world);
  const std::uint64_t clock_ns = time_of_clock(world);
  std::vector<times> result(cells);
  std::array<std::size_t, std::size(ways)> order{};
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::minstd_rand chance;  // the same sequence on all ranks
  std::size_t step = 0;
  for (int round = 0; round < rounds; ++round) {
    std::size_t cell = 0;
    for (const operation& what : operations) {
      for (const computation& between : computed) {
        // In random order, because each finds the caches as the previous one left them.
        std::ranges::shuffle(order, chance);
        for (const std::size_t turn : order) {
          bar.update(step++, cells * static_cast<std::size_t>(rounds), what.name);
          result[cell + turn].push_back(measure(world, mine, what, ways[turn], between, clock_ns));
        }
        cell += std::size(ways);
      }
    }
  }
  return result;
}

/// Measures on two processes of this machine.
std::vector<times> measure_here() {
  const shared_memory memory(cells * clock_rounds * sizeof(double));
  run({.ranks = 2, .mode = job_mode::processes}, [&](world& world) {
    if (world.size() <= core_count()) take_own_core(world.rank());
    const std::vector<times> measured = measure_all(world, clock_rounds);
    if (world.rank() != 0) return;
    double* told = memory.as<double>();
    for (const times& cell : measured) told = std::ranges::copy(cell, told).out;
  });
  std::vector<times> result;
  for (std::size_t i = 0; i < cells; ++i) {
    const double* first = memory.as<double>() + i * clock_rounds;
    result.emplace_back(first, first + clock_rounds);
  }
  return result;
}

/// `machine` is a short name: "shm".
void add_rows(report& result, const std::string& machine, const std::string& short_name,
              std::span<const times> measured) {
  std::size_t cell = 0;
  for (const operation& what : operations) {
    figure drawn{fmt::format("attentiveness-{}-{}", short_name, what.name),
                 fmt::format("{}: {} by ranks that compute between", machine, what.name),
                 "us of computation"};
    drawn.only_drawn = true;
    for (const way& how : ways) {
      drawn.curves.push_back({how.name, {}});
    }
    for (const computation& between : computed) {
      const auto of = measured.subspan(cell, std::size(ways));
      cell += std::size(ways);
      if (!between.changes()) {
        drawn.places.push_back(between.name());
        for (std::size_t i = 0; i < std::size(ways); ++i) {
          drawn.curves[i].ns.push_back(median(of[i]));
        }
      }
      row line{fmt::format("{}: {}, {} us", machine, what.name, between.name()), median(of[0])};
      for (std::size_t i = 1; i < std::size(ways); ++i) {
        line.peers[ways[i].name] = median(of[i]);
      }
      // The goal: at most 10 % more expensive than the better of the two ways that it chooses from.
      // Where the better way changes, cheaper than both; on one machine it does not change.
      const times& better = median(of[1]) < median(of[2]) ? of[1] : of[2];
      line.limit_ns = median(better);
      if (better.size() > 1) line.paired = paired_ratio(of[0], better);
      line.wanted.max_ratio = between.changes() && machine.starts_with("sim") ? 1 : 1.1;
      result.rows.push_back(std::move(line));
    }
    result.figures.push_back(std::move(drawn));
  }
}

report measure_attentiveness() {
  report result;
  const auto tell = [&](const std::string& machines) {
    result.measured = fmt::format(
        "attentiveness: {}. Every rank computes between its operations for the given mean time, "
        "and makes no\nprogress then. The time is that inside an operation on a random rank. "
        "far: {};\nlimit: the better of one-sided and by calls. In brackets, by a real clock: the "
        "ratio's 95 % confidence\ninterval from {} rounds of both. The time that a service thread "
        "takes from the computation is not included.",
        machines, ways[0].name, clock_rounds);
  };
  if (fabric::in_job()) {
    std::string machine;
    std::vector<times> measured;
    run([&](world& world) {
      const bool simulated = world.fabric().simulated();
      std::vector<times> mine = measure_all(world, simulated ? 1 : clock_rounds);
      if (world.rank() != 0) return;
      machine = fmt::format("{}, {} ranks", world.fabric().name(), world.size());
      measured = std::move(mine);
    });
    if (machine.empty()) return result;  // the process of rank 0 reports
    tell(machine);
    add_rows(result, machine, "job", measured);
    return result;
  }
  add_rows(result, "shm", "shm", measure_here());
  std::vector<times> simulated;
  run({.ranks = simulated_ranks, .mode = job_mode::fibers, .profile = simulated_machine},
      [&](world& world) {
        std::vector<times> mine = measure_all(world, 1);
        if (world.rank() == 0) simulated = std::move(mine);
      });
  add_rows(result, "sim", "sim", simulated);
  tell(fmt::format("2 processes of this machine (shm), and {} ranks of a simulated {} (sim)",
                   simulated_ranks, simulated_machine));
  return result;
}

const benchmark registered("attentiveness",
                           "operations whose targets compute meanwhile, one-sided and by calls",
                           measure_attentiveness);

}  // namespace
}  // namespace far::bench
