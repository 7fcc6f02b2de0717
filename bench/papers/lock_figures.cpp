// Comparison of locks (rma-locks, figures 3 and 5; row B7).

#include "bench/papers/lock_figures.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "bench/baselines/mpi_rw_lock.hpp"
#include "bench/baselines/spin_lock.hpp"

namespace far::bench {
namespace {

// A lock that all ranks try to acquire at once costs simulation events that grow with the square of
// the ranks, so at the max number of ranks each acquires it once. Then fewer and fewer ranks try,
// which is an advantage for that lock.
constexpr double max_tries = 2 << 20;
constexpr double few_writers = 0.1;

int fewest_operations(int ranks) { return ranks > lock_places::many ? 1 : 3; }

struct rival {
  const char* name;
  lock_run run;
  bool tries_at_once = false;  ///< all waiters retry all the time
  bool is_claimed = true;      ///< a goal is about it
};

/// Operations of each rank: equal for all locks, except where many ranks write at once to a lock
/// whose waiters all retry.
int operations_of(const rival& lock, int ranks, double writers) {
  const int enough = std::clamp((1 << 15) / ranks, 32, 512);
  if (!lock.tries_at_once || writers < few_writers) return enough;
  const double tries = std::max(1.0, writers * ranks * ranks);
  return std::clamp(static_cast<int>(max_tries / tries), fewest_operations(ranks), enough);
}

const std::vector<rival>& exclusive_locks() {
  static const std::vector<rival> all{
      {lock_names::spin, lock_with<spin_lock>(0, back_off::none), true},
      {lock_names::spin_best, lock_with<spin_lock>(0, back_off::best), true, false},
      {lock_names::queue, lock_with<mcs_lock>(0)},
      {lock_names::tree, lock_with<topology_lock>()}};
  return all;
}

const std::vector<rival>& shared_locks() {
  static const std::vector<rival> all{
      {lock_names::mpi, lock_with<mpi_rw_lock>(0, back_off::none), true},
      {lock_names::mpi_best, lock_with<mpi_rw_lock>(0, back_off::best), true, false},
      {lock_names::rw, lock_with<rw_lock>()}};
  return all;
}

struct kind {
  const char* name;
  const char* text;
  lock_load load;
};
constexpr kind kinds[] = {
    {"ECSB", "an empty critical section", lock_load::empty},
    {"SOB", "one access in the critical section", lock_load::one_access},
    {"WCSB", "1 to 4 us of work in the critical section", lock_load::work_inside},
    {"WARB", "1 to 4 us of work after the release", lock_load::work_after}};

figure empty_figure(const lock_places& at, std::string name, const std::string& title, bool rates,
                    const std::string& note = {}) {
  figure result{std::move(name), fmt::format("{}; {} is better", title, rates ? "higher" : "lower"),
                "ranks"};
  result.note = note;
  result.shows = rates ? quantity::rate : quantity::time;
  for (const int n : at.ranks) result.places.push_back(std::to_string(n));
  return result;
}

// How many operations each rank does, from the min to the max number of ranks.
std::string remark_on(const std::vector<rival>& locks, const std::vector<int>& ranks,
                      double writers) {
  std::string text;
  for (const rival& lock : locks) {
    text += fmt::format("{}{} {} to {}", text.empty() ? "" : ", ", lock.name,
                        operations_of(lock, ranks.front(), writers),
                        operations_of(lock, ranks.back(), writers));
  }
  return "Operations of a rank: " + text;
}

constexpr double shares[] = {0.002, 0.02, 0.05, 0.25, 1};
constexpr double more_shares[] = {0.3, 0.5, 0.75};

}  // namespace

std::vector<figure> exclusive_figures(lock_jobs& on, const lock_places& at) {
  std::vector<figure> all;
  const std::string few = remark_on(exclusive_locks(), at.ranks, 1);
  all.push_back(empty_figure(at, "locks-figure-3-LB",
                             "Figure 3: to acquire and release a lock that all want (LB)", false,
                             few));
  for (const kind& k : kinds) {
    figure rates =
        empty_figure(at, fmt::format("locks-figure-3-{}", k.name),
                     fmt::format("Figure 3: locks/s, {} ({})", k.text, k.name), true, few);
    for (const rival& lock : exclusive_locks()) {
      curve between{lock.name, {}};
      curve latency{lock.name, {}};
      const bool first = k.load == lock_load::empty;
      for (const int ranks : at.ranks) {
        const lock_work work{k.load, operations_of(lock, ranks, 1)};
        const lock_times times =
            on.measure(ranks, fmt::format("{}, {}", k.name, lock.name), lock.run, work,
                       at.seeds_at(ranks, first && lock.is_claimed));
        between.ns.push_back(times.between);
        latency.ns.push_back(times.mean);
      }
      if (first) all.front().curves.push_back(std::move(latency));
      rates.curves.push_back(std::move(between));
    }
    all.push_back(std::move(rates));
  }
  return all;
}

std::vector<figure> shared_figures(lock_jobs& on, const lock_places& at) {
  std::vector<figure> rates;
  std::vector<figure> latencies;
  figure by_share = empty_figure(at, "locks-figure-5-RMA-RW",
                                 "Figure 5: locks/s of RMA-RW by writers' shares (ECSB)", true);
  for (const kind& k : {kinds[0], kinds[1]}) {
    for (const double share : shares) {
      const std::string percent = fmt::format("{:g}", share * 100);
      const std::string few = remark_on(shared_locks(), at.ranks, share);
      figure rate = empty_figure(
          at, fmt::format("locks-figure-5-{}-{}", k.name, percent),
          fmt::format("Figure 5: locks/s at {} % writers, {} ({})", percent, k.text, k.name), true,
          few);
      figure latency = empty_figure(
          at, fmt::format("locks-figure-5-LB-{}", percent),
          fmt::format("Figure 5: to acquire and release at {} % writers (LB)", percent), false,
          few);
      const bool first = k.load == lock_load::empty;
      if (!first && share > few_writers) continue;
      for (const rival& lock : shared_locks()) {
        curve between{lock.name, {}};
        curve readers{fmt::format("{}: readers", lock.name), {}};
        curve writers{fmt::format("{}: writers", lock.name), {}};
        for (const int ranks : at.ranks) {
          const lock_work work{k.load, operations_of(lock, ranks, share), share};
          const bool claimed = first && lock.is_claimed && share < few_writers;
          const lock_times times =
              on.measure(ranks, fmt::format("{}, {} %, {}", k.name, percent, lock.name), lock.run,
                         work, at.seeds_at(ranks, claimed));
          between.ns.push_back(times.between);
          readers.ns.push_back(times.readers);
          writers.ns.push_back(times.writers);
        }
        if (first && lock.name == std::string(lock_names::rw)) {
          by_share.curves.push_back({percent + " %", between.ns});
        }
        rate.curves.push_back(std::move(between));
        if (share < 1) latency.curves.push_back(std::move(readers));
        latency.curves.push_back(std::move(writers));
      }
      rates.push_back(std::move(rate));
      if (first) latencies.push_back(std::move(latency));
    }
  }
  for (const double share : more_shares) {
    const rival& lock = shared_locks().back();
    curve between{fmt::format("{:g} %", share * 100), {}};
    for (const int ranks : at.ranks) {
      const lock_work work{lock_load::empty, operations_of(lock, ranks, share), share};
      between.ns.push_back(
          on.measure(ranks, between.name + " writers, " + lock.name, lock.run, work, at.seeds)
              .between);
    }
    // Insert before 100 %.
    by_share.curves.insert(std::prev(by_share.curves.end()), std::move(between));
  }
  std::ranges::move(latencies, std::back_inserter(rates));
  rates.push_back(std::move(by_share));
  return rates;
}

std::vector<figure> gapless_figures(lock_jobs& on, const lock_places& at) {
  constexpr int max_job_ranks = 256;
  lock_places some = at;
  std::erase_if(some.ranks, [](int ranks) { return ranks > max_job_ranks; });
  if (some.ranks.empty()) return {};
  const std::string apart = "without a gap between atomics on one word";
  std::vector<figure> all;
  all.push_back(empty_figure(some, "locks-gapless-LB",
                             fmt::format("Figure 3 {}: to acquire and release (LB)", apart), false,
                             remark_on(exclusive_locks(), some.ranks, 1)));
  for (const rival& lock : exclusive_locks()) {
    if (!lock.is_claimed) continue;
    curve latency{lock.name, {}};
    for (const int ranks : some.ranks) {
      const lock_work work{lock_load::empty, operations_of(lock, ranks, 1)};
      latency.ns.push_back(
          on.measure(ranks, fmt::format("gapless, {}", lock.name), lock.run, work, at.seeds).mean);
    }
    all.front().curves.push_back(std::move(latency));
  }
  for (const double share : shares) {
    if (share > few_writers) continue;
    figure rate = empty_figure(
        some, fmt::format("locks-gapless-{:g}", share * 100),
        fmt::format("Figure 5 {}: locks/s at {:g} % writers (ECSB)", apart, share * 100), true,
        remark_on(shared_locks(), some.ranks, share));
    for (const rival& lock : shared_locks()) {
      curve between{lock.name, {}};
      for (const int ranks : some.ranks) {
        const lock_work work{lock_load::empty, operations_of(lock, ranks, share), share};
        between.ns.push_back(
            on.measure(ranks, fmt::format("gapless, {}", lock.name), lock.run, work, at.seeds)
                .between);
      }
      rate.curves.push_back(std::move(between));
    }
    all.push_back(std::move(rate));
  }
  return all;
}

}  // namespace far::bench
