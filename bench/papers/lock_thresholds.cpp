// RMA-RW with various thresholds (rma-locks, figure 4; row B7).

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "bench/papers/lock_figures.hpp"

namespace far::bench {
namespace {

struct setting {
  std::string name;
  rw_lock_thresholds thresholds;
};

struct sweep {
  const char* name;
  std::string title;
  double writers;
  std::vector<setting> settings;
  const char* latency = nullptr;  ///< the name and title of a second figure, of the mean latency
  const char* latency_title = nullptr;
};

constexpr double changing = -1;  // a share of writers that changes, see `phases`
constexpr double phases[] = {0.002, 0.25, 0.02, 1, 0.05, 0.002};

// If many ranks write, readers poll for long, which takes much time to simulate. But each rank
// should write about once or more, because its wait depends on when it last wrote. At the max
// number of ranks that would take too long, so there a few hundred writers are enough.
lock_work work_of(int ranks, double writers) {
  lock_work work{lock_load::one_access, std::clamp((1 << 15) / ranks, 128, 512), writers};
  if (writers > 0) work.operations = std::max(work.operations, static_cast<int>(1 / writers));
  if (writers > 0.1) work.operations = std::clamp((1 << 14) / ranks, 32, 256);
  if (ranks > lock_places::many) {
    work.operations = writers > 0.1 ? 8 : writers > 0 && writers < 0.01 ? 64 : 32;
  }
  if (writers == changing) work.phases.assign(std::begin(phases), std::end(phases));
  return work;
}

sweep counters(int ranks_per_machine) {
  sweep result{"a", "Figure 4a: locks/s by T_DC at 0.2 % writers, one access (SOB)", 0.002, {}};
  for (const int on_machine : {8, 4, 2, 1}) {
    rw_lock_thresholds t;
    t.counter_every = std::max(1, ranks_per_machine / on_machine);
    result.settings.push_back({fmt::format("{} a machine", on_machine), t});
  }
  for (const int machines : {2, 4}) {
    rw_lock_thresholds t;
    t.counter_every = machines * ranks_per_machine;
    result.settings.push_back({fmt::format("1 in {} machines", machines), t});
  }
  return result;
}

/// Thresholds for consecutive writers: at the job's level and on a machine.
setting passes(std::uint64_t job, std::uint64_t machine, std::string name) {
  rw_lock_thresholds t;
  t.max_passes = {job - 1, machine - 1};
  return {std::move(name), t};
}

sweep products() {
  return {"b",
          "Figure 4b: locks/s by T_W, T_L,2 of 10, at 25 % writers, one access (SOB)",
          0.25,
          {passes(1, 10, "10"), passes(5, 10, "50"), passes(10, 10, "100"), passes(50, 10, "500"),
           passes(100, 10, "1000"), passes(250, 10, "2500")}};
}

sweep shapes() {
  return {"c",  "Figure 4c: locks/s by T_L,1-T_L,2 at 25 % writers, one access (SOB)",
          0.25, {passes(100, 10, "100-10"), passes(40, 25, "40-25"), passes(20, 50, "20-50")},
          "d",  "Figure 4d: to acquire and release by T_L,1-T_L,2 at 25 % writers"};
}

sweep readers(const char* name, double writers) {
  sweep result{name,
               fmt::format("Figure 4{}: locks/s by T_R at {:g} % writers, one access (SOB)",
                           name[0], writers * 100),
               writers,
               {}};
  // The few operations here would not reach the paper's thresholds of 1000 to 6000.
  for (const std::uint64_t max : {0u, 16u, 64u, 256u, 1024u, 4096u}) {
    rw_lock_thresholds t;
    t.max_readers = max;
    result.settings.push_back({fmt::format("{}", max), t});
  }
  return result;
}

sweep changes() {
  sweep result{"g",
               "Figure 4g: locks/s by T_R and T_L,1-T_L,2 while the share of writers changes from "
               "0.2 % to 25, 2, 100, 5 and 0.2 (SOB)",
               changing,
               {}};
  for (const std::uint64_t max : {0u, 16u, 256u}) {
    for (const std::uint64_t in_a_row : {16u, 64u, 256u}) {
      setting one = passes(in_a_row, in_a_row, fmt::format("{}, {}-{}", max, in_a_row, in_a_row));
      one.thresholds.max_readers = max;
      result.settings.push_back(std::move(one));
    }
  }
  return result;
}

curve& add_curve(figure& to, const std::string& name) {
  to.curves.push_back({name, {}});
  return to.curves.back();
}

}  // namespace

std::vector<figure> threshold_figures(lock_jobs& on, const lock_places& at) {
  int ranks_per_machine = 0;
  on.run_on(at.ranks.back(), "machines", [&](world& world) {
    if (world.rank() != 0) return;
    for (int rank = 0; rank < world.size(); ++rank) {
      if (world.node_of(rank) == world.node_of(0)) ++ranks_per_machine;
    }
  });
  const sweep all[] = {
      counters(ranks_per_machine), products(),           shapes(), readers("e", 0.002),
      readers("f-2", 0.02),        readers("f-5", 0.05), changes()};
  std::vector<figure> result;
  for (const sweep& s : all) {
    figure rates{fmt::format("locks-figure-4{}", s.name), s.title + "; higher is better", "ranks"};
    rates.shows = quantity::rate;
    rates.note = fmt::format("Operations of a rank: {} to {}",
                             work_of(at.ranks.front(), s.writers).operations,
                             work_of(at.ranks.back(), s.writers).operations);
    for (const int n : at.ranks) rates.places.push_back(std::to_string(n));
    figure latency{rates.name, {}, "ranks", rates.places};
    const auto measure = [&](const std::string& name, const lock_run& lock) {
      curve& between = add_curve(rates, name);
      curve& mean = add_curve(latency, name);
      for (const int ranks : at.ranks) {
        const lock_times times = on.measure(ranks, fmt::format("figure 4{}, {}", s.name, name),
                                            lock, work_of(ranks, s.writers), at.seeds);
        between.ns.push_back(times.between);
        mean.ns.push_back(times.mean);
      }
    };
    for (const setting& one : s.settings) measure(one.name, lock_with<rw_lock>(one.thresholds));
    measure(lock_names::by_itself, lock_with<rw_lock>());
    result.push_back(std::move(rates));
    if (s.latency == nullptr) continue;
    latency.name = fmt::format("locks-figure-4{}", s.latency);
    latency.title = fmt::format("{}; lower is better", s.latency_title);
    result.push_back(std::move(latency));
  }
  return result;
}

}  // namespace far::bench
