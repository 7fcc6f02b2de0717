// What an operation costs whose target computes meanwhile (rdma-vs-rpc, section IV, Fig. 6; row
// A9): every rank computes between its operations, and makes no progress then.

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

/// What ranks compute between operations, in the first half of them and in the second.
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
constexpr std::uint64_t least_operations = 32;   // of a rank, between two meetings
constexpr std::uint64_t least_simulated = 2048;  // where computing takes no time
constexpr std::uint64_t most_operations = 2048;
constexpr std::uint64_t first_operations = 8;    // to get a way going
constexpr std::uint64_t meeting_ns = 5'000'000;  // apart, where that makes more than the least
constexpr int clock_rounds = 81;                 // by a real clock; a virtual one repeats itself

/// How operations are done. The first is the row's own figure, the others stand beside it.
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

/// What the operations of a rank work on.
class bed {
 public:
  explicit bed(world& view)
      : view_(view),
        inserted_(view, keys_of(view)),
        found_(view, keys_of(view)),
        queues_(view, 4 * most_operations),
        pushes_{queues_.concurrent(), queues_.concurrent(policy::one_sided),
                queues_.concurrent(policy::rpc)},
        random_(base::mix(static_cast<std::uint64_t>(view.rank()) + 1)) {
    for (std::uint64_t i = 0; i < most_operations; ++i) (void)found_.insert(key(i), i);
    barrier(view);
  }

  /// Collective: there is room for the keys and values of a round.
  void reset() {
    next_ = 0;
    inserted_.clear();
    auto mine = queues_.local();
    while (mine.try_pop(std::span(values_)) > 0) continue;
    barrier(view_);
  }

  // Each at a rank that is any, this one too.
  void insert(const way& how) {
    keep(inserted_.with(how.how).insert(key(next_), next_));
    ++next_;
  }
  void find(const way& how) {
    // On from where the way before stopped: it has left its keys in the caches.
    keep(found_.with(how.how).find(key(sought_++ % most_operations)));
  }
  void push(const way& how) {
    const auto host = static_cast<int>(random_.below(static_cast<std::uint64_t>(view_.size())));
    keep(pushes_[static_cast<std::size_t>(how.how)].at(host).try_push(next_));
  }

  /// Half to one and a half of it: ranks that compute equally long would soon all be attentive at
  /// the same time.
  void compute(std::uint64_t mean_ns) {
    if (mean_ns > 0) view_.compute(mean_ns / 2 + random_.below(mean_ns));
  }

 private:
  static std::uint64_t keys_of(const world& view) {
    return 2 * most_operations * static_cast<std::uint64_t>(view.size());
  }
  /// The index-th of this rank.
  [[nodiscard]] std::uint64_t key(std::uint64_t index) const {
    return index * static_cast<std::uint64_t>(view_.size()) +
           static_cast<std::uint64_t>(view_.rank());
  }

  world& view_;
  hash_map<std::uint64_t, std::uint64_t> inserted_;
  hash_map<std::uint64_t, std::uint64_t> found_;
  queues<std::uint64_t> queues_;
  std::array<queues<std::uint64_t>::concurrent_view, 3> pushes_;  // by policy
  std::array<std::uint64_t, 1024> values_{};
  base::random random_;
  std::uint64_t next_ = 0;  // of the keys to insert
  std::uint64_t sought_ = 0;
};

struct operation {
  const char* name;
  void (bed::*once)(const way&);
};
constexpr operation operations[] = {
    {"insert", &bed::insert}, {"find", &bed::find}, {"push", &bed::push}};

constexpr std::size_t cells = std::size(operations) * std::size(computed) * std::size(ways);

/// Of a cell, round by round.
using times = std::vector<double>;

/// Nanoseconds of an operation, the mean of all ranks; what they compute is not in it.
double measure(world& view, bed& mine, const operation& what, const way& how,
               const computation& between, std::uint64_t clock_ns) {
  std::optional<service> thread;
  if (how.service) thread.emplace(view);
  const bool simulated = view.fabric().name().starts_with("sim");
  const std::uint64_t least = simulated ? least_simulated : least_operations;
  const auto apart = between.changes() ? 4 * meeting_ns : meeting_ns;
  const auto count = std::clamp(apart / (between.longest_ns() + 1000), least, most_operations);
  mine.reset();
  // What was learnt of another cell is unlearnt first, unless that is what is measured.
  const auto before = between.changes() ? first_operations : std::max(count / 4, least_operations);
  for (std::uint64_t i = 0; i < before; ++i) {
    mine.compute(between.mean_ns);
    (mine.*what.once)(how);
  }
  std::uint64_t spent = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    mine.compute(i < count / 2 ? between.mean_ns : between.later_ns);
    const std::uint64_t begin = view.now();
    (mine.*what.once)(how);
    spent += view.now() - begin - clock_ns;
  }
  const double own = static_cast<double>(spent) / static_cast<double>(count);
  return allreduce(view, own, std::plus<>()) / view.size();
}

/// What reading the clock adds to a time.
std::uint64_t time_of_clock(const world& view) {
  std::uint64_t least = ~std::uint64_t{0};
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t begin = view.now();
    least = std::min(least, view.now() - begin);
  }
  return least;
}

/// In the order operation, computation, way. Collective; the same on all ranks but for the clock's
/// rounds.
std::vector<times> measure_all(world& view, int rounds) {
  apps::progress_settings drawing;
  if (view.rank() != 0) drawing.columns = 0;
  apps::progress_bar bar("attentiveness", drawing);
  bed mine(view);
  const std::uint64_t clock_ns = time_of_clock(view);
  std::vector<times> result(cells);
  std::array<std::size_t, std::size(ways)> order{};
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::minstd_rand chance;  // all ranks draw the same
  std::size_t step = 0;
  for (int round = 0; round < rounds; ++round) {
    std::size_t cell = 0;
    for (const operation& what : operations) {
      for (const computation& between : computed) {
        // Each finds the caches as the one before left them.
        std::ranges::shuffle(order, chance);
        for (const std::size_t turn : order) {
          bar.update(step++, cells * static_cast<std::size_t>(rounds), what.name);
          result[cell + turn].push_back(measure(view, mine, what, ways[turn], between, clock_ns));
        }
        cell += std::size(ways);
      }
    }
  }
  return result;
}

/// On two processes of this machine.
std::vector<times> measure_here() {
  const shared_memory memory(cells * clock_rounds * sizeof(double));
  run({.ranks = 2, .mode = job_mode::processes}, [&](world& view) {
    if (view.size() <= core_count()) take_own_core(view.rank());
    const std::vector<times> measured = measure_all(view, clock_rounds);
    if (view.rank() != 0) return;
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
      // At most a tenth dearer than the better one that it chooses from; cheaper than both where
      // what is better changes, which it does not on one machine.
      const times& better = median(of[1]) < median(of[2]) ? of[1] : of[2];
      line.limit_ns = median(better);
      if (better.size() > 1) line.paired = paired_ratio(of[0], better);
      line.wanted.most_ratio = between.changes() && machine.starts_with("sim") ? 1 : 1.1;
      result.rows.push_back(std::move(line));
    }
    result.figures.push_back(std::move(drawn));
  }
}

report measure_attentiveness() {
  report result;
  const auto tell = [&](const std::string& machines) {
    result.measured = fmt::format(
        "attentiveness: {}. Every rank computes so long on average between its operations, "
        "and makes no progress\nthen. The time is that inside an operation on a rank that is any. "
        "far: {};\nlimit: the better one of one-sided and by calls; by a real clock, in brackets: "
        "where the ratio lies with\n95 % confidence, by {} rounds of both. What a service thread "
        "takes from the computation is not in it.",
        machines, ways[0].name, clock_rounds);
  };
  if (fabric::in_job()) {
    std::string machine;
    std::vector<times> measured;
    run([&](world& view) {
      const bool simulated = view.fabric().name().starts_with("sim");
      std::vector<times> mine = measure_all(view, simulated ? 1 : clock_rounds);
      if (view.rank() != 0) return;
      machine = fmt::format("{}, {} ranks", view.fabric().name(), view.size());
      measured = std::move(mine);
    });
    if (machine.empty()) return result;  // another rank's process tells
    tell(machine);
    add_rows(result, machine, "job", measured);
    return result;
  }
  add_rows(result, "shm", "shm", measure_here());
  std::vector<times> simulated;
  run({.ranks = simulated_ranks, .mode = job_mode::fibers, .profile = simulated_machine},
      [&](world& view) {
        std::vector<times> mine = measure_all(view, 1);
        if (view.rank() == 0) simulated = std::move(mine);
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
