#include "bench/papers/object_figures.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "bench/papers/simulated.hpp"
#include "far/base/error.hpp"

namespace far::bench {
namespace {

namespace names = object_names;

constexpr object_case cases[] = {
    {"by messages",
     "no RDMA",
     apps::object_protocol::messages,
     {0, 49.9, 49.9},
     {},
     {56.4, 41.2, 16.5},
     {47.3, 30.1, 19.6}},
    {"one-sided replies",
     "RDMA-request invalidation",
     apps::object_protocol::invalidate,
     {0, 24.6, 24.6},
     {1000, 64.0, 13.3},
     {56.4, 40.2, 13.1},
     {47.3, 32.9, 18.9}},
    {"updates",
     "RDMA-diff-array update",
     apps::object_protocol::update,
     {},
     {1200, 84.0, 7.7},
     {56.9, 36.6, 20.0},
     {47.0, 41.1, 23.2}},
    {"updates in place",
     "RDMA-in-place-update",
     apps::object_protocol::in_place,
     {},
     {1200, 91.0, 9.6},
     {56.9, 41.1, 26.8},
     {47.0, 37.5, 26.1}},
    {"automatic", nullptr, apps::object_protocol::automatic, {}, {}, {}, {}},
};

/// For what does not depend on the protocol.
constexpr apps::object_protocol usual = apps::object_protocol::invalidate;

constexpr paper_numbers locks_of_second = {568181, 566051, 1768};
constexpr paper_numbers barriers_of_second = {0, 15015, 9174};

/// 0 if the paper did not measure on so many machines.
double paper_at(const paper_numbers& numbers, int machines) noexcept {
  return machines == 1 ? numbers[0] : machines == 2 ? numbers[1] : machines == 8 ? numbers[2] : 0;
}

/// Whether the loop of changes is measured: the paper has it with one-sided replies only.
bool has_changes(const object_case& of) noexcept {
  return of.how != apps::object_protocol::messages;
}

/// The paper's curve, from its numbers; none if it has no number at all.
template <class Time>
void add_paper(figure& to, const std::string& name, const std::vector<int>& machines,
               const paper_numbers& numbers, Time time_of) {
  curve line{name, {}};
  for (const int m : machines) {
    const double number = paper_at(numbers, m);
    line.ns.push_back(number > 0 ? time_of(number) : 0);
  }
  if (std::ranges::any_of(line.ns, [](double ns) { return ns > 0; })) {
    to.curves.push_back(std::move(line));
  }
}

figure empty_figure(const char* name, const char* title, quantity shows,
                    const std::vector<int>& machines) {
  figure result{fmt::format("paper-e-{}", name), title, "machines"};
  result.shows = shows;
  for (const int m : machines) result.places.push_back(std::to_string(m));
  return result;
}

double of_rate(double per_second) { return 1e9 / per_second; }
double of_bandwidth(double mb_s) { return 1000 / mb_s; }
double of_seconds(double s) { return s * 1e9; }
double of_microseconds(double us) { return us * 1000; }

/// What one machine has to compute so that it takes as long as the paper's.
double missing(double paper_ns, double here_ns) { return std::max(paper_ns - here_ns, 0.0); }

figure lock_figure(object_jobs& on, const object_places& at) {
  figure result = empty_figure("table-1-locks", "Table 1: locks/s of one object; higher is better",
                               quantity::rate, at.machines);
  const object_space_options how = options_of(usual);
  const double work =
      missing(of_rate(locks_of_second[0]), lock_loop(on, 1, how, at.lock_ns, 0).all);
  curve all{names::all, {}};
  curve home{names::home, {}};
  curve remote{names::remote, {}};
  for (const int m : at.machines) {
    const lock_times times = lock_loop(on, m, how, at.lock_ns, work);
    all.ns.push_back(times.all);
    home.ns.push_back(times.home);
    remote.ns.push_back(times.remote);
  }
  result.curves = {std::move(all), std::move(home), std::move(remote)};
  add_paper(result, names::paper, at.machines, locks_of_second, of_rate);
  result.note =
      fmt::format("between two locks a thread computes {:.0f} ns, fitted on one machine", work);
  return result;
}

figure barrier_figure(object_jobs& on, const object_places& at) {
  figure result = empty_figure("table-1-barriers", "Table 1: barriers/s; higher is better",
                               quantity::rate, at.machines);
  curve line{names::barrier, {}};
  for (const int m : at.machines) {
    line.ns.push_back(m == 1 ? 0 : barrier_loop(on, m, options_of(usual), at.barriers));
  }
  result.curves.push_back(std::move(line));
  add_paper(result, names::paper, at.machines, barriers_of_second, of_rate);
  return result;
}

figure request_figure(object_jobs& on, const object_places& at) {
  figure result =
      empty_figure("table-1-requests", "Table 1: a node of a list fetched; lower is better",
                   quantity::time, at.machines);
  for (const object_case& c : cases) {
    if (c.request_us[1] == 0) continue;
    curve line{c.name, {}};
    for (const int m : at.machines) {
      line.ns.push_back(m == 1 ? 0 : list_walk(on, m, options_of(c.how), at.nodes));
    }
    result.curves.push_back(std::move(line));
    add_paper(result, paper_curve(c), at.machines, c.request_us, of_microseconds);
  }
  return result;
}

/// The time that a round computes, by protocol: comparing, and writing the elements. For one that
/// the paper does not have, that of invalidation.
double change_work(object_jobs& on, const object_places& at, const object_case& c) {
  const double alone = change_loop(on, 1, options_of(c.how), 1, at.rounds, 0);
  const object_case& known = c.paper_name == nullptr ? case_of(usual) : c;
  return missing(of_bandwidth(known.bandwidth_mb_s[0]) * changed_bytes, alone);
}

void measure_changes(object_jobs& on, const object_places& at, object_results& into) {
  into.bandwidth = empty_figure("table-1-bandwidth",
                                "Table 1: 32 KB array, changes propagated; higher is better",
                                quantity::bandwidth, at.machines);
  into.bandwidth.note =
      "each of N machines changes every N-th element, so that together they change all";
  for (const int m : at.machines) {
    if (m == 1) continue;
    figure gaps{fmt::format("paper-e-table-1-gaps-{}", m),
                fmt::format("Table 1: a round, {} machines, each changing every N-th element of a "
                            "32 KB array; lower is better",
                            m),
                "N"};
    for (const int gap : at.gaps) gaps.places.push_back(std::to_string(gap));
    into.gaps.push_back(std::move(gaps));
  }
  for (const object_case& c : cases) {
    if (!has_changes(c)) continue;
    const object_space_options how = options_of(c.how);
    const double work = change_work(on, at, c);
    curve line{c.name, {}};
    auto gaps = into.gaps.begin();
    for (const int m : at.machines) {
      line.ns.push_back(change_loop(on, m, how, m, at.rounds, work) /
                        static_cast<double>(changed_bytes));
      if (m == 1) continue;
      curve by_gap{c.name, {}};
      for (const int gap : at.gaps) {
        by_gap.ns.push_back(change_loop(on, m, how, std::max(gap, m), at.rounds, work));
      }
      gaps++->curves.push_back(std::move(by_gap));
    }
    into.bandwidth.curves.push_back(std::move(line));
    const bool in_paper =
        std::ranges::all_of(at.machines, [&](int m) { return paper_at(c.bandwidth_mb_s, m) > 0; });
    if (in_paper) {
      add_paper(into.bandwidth, paper_curve(c), at.machines, c.bandwidth_mb_s, of_bandwidth);
    }
  }
}

double difference(const apps::water::energies& a, const apps::water::energies& b) {
  return std::max({std::abs(a.kinetic - b.kinetic), std::abs(a.bonded - b.bonded),
                   std::abs(a.pairs - b.pairs)}) /
         b.kinetic;
}

void measure_water(object_jobs& on, const object_places& at, object_results& into) {
  into.water =
      empty_figure("table-2-water", "Table 2: Water; lower is better", quantity::time, at.machines);
  const double pair_ns = pair_ns_of(water_size{}, cases[0].water_s[0]);
  into.water.note = fmt::format(
      "{} molecules, {} computations of all forces, of which {} are simulated; {:.0f} ns a pair",
      at.water.molecules, at.water.evaluations, 2 * at.water.simulated, pair_ns);
  std::optional<apps::water::energies> first;
  for (const object_case& c : cases) {
    curve line{c.name, {}};
    for (const int m : at.machines) {
      const water_run run = run_water(on, m, c.how, at.water, pair_ns);
      if (!first) first = run.last;
      into.water_spread = std::max(into.water_spread, difference(run.last, *first));
      line.ns.push_back(of_seconds(run.seconds));
    }
    into.water.curves.push_back(std::move(line));
    if (at.full && c.paper_name != nullptr) {
      add_paper(into.water, paper_curve(c), at.machines, c.water_s, of_seconds);
    }
  }
}

void measure_lu(object_jobs& on, const object_places& at, object_results& into) {
  into.lu = empty_figure("table-2-lu", "Table 2: LU; lower is better", quantity::time, at.machines);
  const double flop_ns = flop_ns_of(lu_size{}, cases[0].lu_s[0]);
  into.lu.note = fmt::format("{0} x {0} elements in blocks of {1} x {1}; {2:.2g} ns an operation",
                             at.lu.n, at.lu.block, flop_ns);
  std::optional<double> first;
  for (const object_case& c : cases) {
    curve line{c.name, {}};
    for (const int m : at.machines) {
      const lu_run run = run_lu(on, m, c.how, at.lu, flop_ns);
      if (!first) first = run.log_determinant;
      into.same_determinant &= run.log_determinant == *first;
      line.ns.push_back(of_seconds(run.seconds));
    }
    into.lu.curves.push_back(std::move(line));
    if (at.full && c.paper_name != nullptr) {
      add_paper(into.lu, paper_curve(c), at.machines, c.lu_s, of_seconds);
    }
  }
}

}  // namespace

std::span<const object_case> object_cases() noexcept { return cases; }

const object_case& case_of(apps::object_protocol how) {
  const auto found = std::ranges::find(cases, how, &object_case::how);
  if (found == std::end(cases)) throw std::out_of_range("a protocol that is not in the tables");
  return *found;
}

std::string paper_curve(const object_case& of) { return fmt::format("paper, {}", of.paper_name); }

object_places object_places_of(std::vector<int> machines, bool quick) {
  object_places at;
  machines.push_back(1);
  if (machines.size() == 1) machines = {1, 2, 8};
  at.machines = ascending(std::move(machines));
  if (at.machines.size() == 1) throw bad_argument("--ranks 1: paper-e needs more than one machine");
  at.gaps = quick ? std::vector<int>{16, 1024} : std::vector<int>{8, 16, 64, 256, 1024, 4096};
  at.lock_ns = quick ? 2'000'000 : 20'000'000;
  at.barriers = quick ? 20 : 500;
  at.nodes = quick ? 70 : 2800;
  at.rounds = quick ? 5 : 50;
  at.full = !quick;
  if (quick) {
    at.water.molecules = 64;
    at.lu = {.n = 128, .block = 16};
  }
  return at;
}

std::size_t object_jobs_of(const object_places& at) {
  const std::size_t many = at.machines.size() - 1;
  std::size_t jobs = 1 + 1 + at.machines.size() + many;  // the machine, locks, barriers
  for (const object_case& c : cases) {
    if (c.request_us[1] > 0) jobs += many;
    if (has_changes(c)) jobs += 1 + at.machines.size() + many * at.gaps.size();
    jobs += 3 * at.machines.size();  // Water's two, and LU
  }
  return jobs;
}

object_results measure_object_tables(object_jobs& on, const object_places& at) {
  object_results all;
  all.machine = time_machine(on);
  all.locks = lock_figure(on, at);
  all.barriers = barrier_figure(on, at);
  all.requests = request_figure(on, at);
  measure_changes(on, at, all);
  measure_water(on, at, all);
  measure_lu(on, at, all);
  return all;
}

}  // namespace far::bench
