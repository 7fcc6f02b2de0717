#include "bench/papers/lock_claims.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "bench/harness/report.hpp"
#include "bench/papers/lock_figures.hpp"

namespace far::bench {
namespace {

constexpr int many_ranks = 64;  // the paper's claims cover this many ranks and more
constexpr double flat = 1.25;   // "approximately the same": max ratio
constexpr double tie = 1.1;     // "comparable": max ratio
constexpr double needed = 0.8;  // required part of the ratio of hand-overs
constexpr double nearly = 0.95;
constexpr const char* changing = "locks-figure-4g";

const figure& named(const std::vector<figure>& all, std::string_view name) {
  const auto found = std::ranges::find(all, name, &figure::name);
  if (found == all.end()) throw std::out_of_range(fmt::format("there is no figure '{}'", name));
  return *found;
}

/// Min and max of a ratio over the places with many ranks.
struct range {
  double min = std::numeric_limits<double>::infinity();
  double max = 0;
};

range over_many(const figure& what, const std::function<double(std::size_t)>& ratio_at) {
  range result;
  for (std::size_t i = 0; i < what.places.size(); ++i) {
    if (i + 1 < what.places.size() && std::stoi(what.places[i]) < many_ranks) continue;
    const double ratio = ratio_at(i);
    result.min = std::min(result.min, ratio);
    result.max = std::max(result.max, ratio);
  }
  return result;
}
range over_many(const figure& what, const char* dividend, const char* divisor) {
  const auto& over = what.named(dividend).ns;
  const auto& under = what.named(divisor).ns;
  return over_many(what, [&](std::size_t i) { return over[i] / under[i]; });
}

claim tenth_of_spinning(const figure& latency, const std::string& where) {
  const double ratio =
      latency.named(lock_names::spin).ns.back() / latency.named(lock_names::tree).ns.back();
  return {"RMA-MCS takes at most 1/10 of the published spin lock's time, at most ranks" + where,
          fmt::format("1/{:.0f} at {} ranks", ratio, latency.places.back()), ratio >= 10};
}

// A hand-over is an atomic of the holder on the next waiter's word, which takes effect on arrival,
// and the waiter noticing it: over the network o + L + c, inside a node o + c.
double ratio_of_hand_overs(const fabric::sim::profile& machine) {
  using fabric::sim::distance;
  const auto remote =
      machine.outside.amo + machine.link(distance::group).latency + machine.completion;
  const auto local = machine.inside.amo + machine.completion;
  return static_cast<double>(remote) / static_cast<double>(local);
}

claim beats_a_plain_queue(const figure& latency, const fabric::sim::profile& machine) {
  const double wanted = ratio_of_hand_overs(machine);
  const double ratio =
      latency.named(lock_names::queue).ns.back() / latency.named(lock_names::tree).ns.back();
  return {fmt::format("D-MCS takes {} of the ratio of a remote to a local hand-over, {:.2f}, times "
                      "RMA-MCS's time",
                      needed, wanted),
          fmt::format("{:.2f} times at {} ranks, {:.2f} wanted", ratio, latency.places.back(),
                      needed * wanted),
          ratio >= needed * wanted};
}

claim has_best_throughput(const std::vector<figure>& exclusive) {
  double min = std::numeric_limits<double>::infinity();
  std::string where;
  for (const figure& f : exclusive) {
    if (f.shows != quantity::rate) continue;
    for (const char* other : {lock_names::spin, lock_names::queue}) {
      const range r = over_many(f, other, lock_names::tree);
      if (r.min >= min) continue;
      min = r.min;
      where = fmt::format("{}, {}", f.name.substr(f.name.rfind('-') + 1), other);
    }
  }
  return {fmt::format("RMA-MCS has the highest throughput of all, from {} ranks on", many_ranks),
          fmt::format("{:.2f} times at least ({})", min, where), min > 1};
}

claim six_times(const figure& rates, const char* percent, const std::string& where) {
  const range published = over_many(rates, lock_names::mpi, lock_names::rw);
  const range best = over_many(rates, lock_names::mpi_best, lock_names::rw);
  return {fmt::format("RMA-RW is more than 6 times as fast as the published MPI lock at {} % "
                      "writers, from {} ranks on{}",
                      percent, many_ranks, where),
          fmt::format("{:.1f} times at least; with back-off {:.1f}", published.min, best.min),
          published.min > 6};
}

claim slows_by(const figure& by_share, const char* percent, double max) {
  const range r = over_many(by_share, fmt::format("{} %", percent).c_str(), "0.2 %");
  return {fmt::format("0.2 % writers instead of {} % make RMA-RW {} times as fast at most", percent,
                      max),
          fmt::format("{:.2f} to {:.2f} times", r.min, r.max), r.max <= max};
}

claim is_flat(const figure& by_share) {
  const range r = over_many(by_share, [&](std::size_t i) {
    const auto [min, max] =
        std::minmax({by_share.named("30 %").ns[i], by_share.named("50 %").ns[i],
                     by_share.named("75 %").ns[i], by_share.named("100 %").ns[i]});
    return max / min;
  });
  return {"above 30 % writers RMA-RW's throughput remains about the same",
          fmt::format("differs {:.2f} to {:.2f} times", r.min, r.max), r.max <= flat};
}

claim wins_on_table(const std::vector<figure>& tables, const char* percent) {
  const figure& times = named(tables, fmt::format("locks-figure-6-{}", percent));
  const range atomics = over_many(times, lock_names::atomics, lock_names::rw);
  const range published = over_many(times, lock_names::mpi, lock_names::rw);
  return {fmt::format("hashtable, {} % inserts: RMA-RW beats atomics and the published MPI lock",
                      percent),
          fmt::format("{:.2f} to {:.2f} times atomics, {:.1f} to {:.1f} times MPI", atomics.min,
                      atomics.max, published.min, published.max),
          atomics.min > 1 && published.min > 1};
}

claim ties_on_table(const std::vector<figure>& tables) {
  const range r = over_many(named(tables, "locks-figure-6-0"), lock_names::mpi, lock_names::rw);
  return {"hashtable, only reads: RMA-RW and the published MPI lock are comparable",
          fmt::format("RMA-RW is {:.2f} to {:.2f} times as fast", r.min, r.max),
          r.max <= tie && r.min >= 1 / tie};
}

/// Speed with default thresholds relative to the best of the settings: min and max over all places.
range by_itself(const figure& settings) {
  const curve& own = settings.named(lock_names::by_itself);
  range result;
  for (std::size_t i = 0; i < settings.places.size(); ++i) {
    double best = std::numeric_limits<double>::infinity();
    for (const curve& one : settings.curves) {
      if (&one != &own) best = std::min(best, one.ns[i]);
    }
    result.min = std::min(result.min, best / own.ns[i]);
    result.max = std::max(result.max, best / own.ns[i]);
  }
  return result;
}

claim tunes_itself(const std::vector<figure>& thresholds) {
  double min = std::numeric_limits<double>::infinity();
  std::string where;
  for (const figure& f : thresholds) {
    if (f.shows != quantity::rate || f.name == changing) continue;
    const double here = by_itself(f).min;
    if (here >= min) continue;
    min = here;
    where = f.name.substr(f.name.find("figure"));
  }
  return {fmt::format("RMA-RW by itself is at least {} times as fast as with the best thresholds, "
                      "wherever these were swept",
                      nearly),
          fmt::format("{:.2f} times at least ({})", min, where), min >= nearly};
}

claim follows_changes(const figure& changes) {
  const range r = by_itself(changes);
  return {"RMA-RW by itself is faster than with any fixed thresholds while the share changes",
          fmt::format("{:.2f} to {:.2f} times", r.min, r.max), r.min > 1};
}

}  // namespace

std::vector<claim> lock_claims(const lock_results& of, const fabric::sim::profile& machine) {
  const auto& [exclusive, thresholds, shared, tables, gapless] = of;
  const figure& latency = named(exclusive, "locks-figure-3-LB");
  const figure& by_share = named(shared, "locks-figure-5-RMA-RW");
  std::vector<claim> all{tenth_of_spinning(latency, ""), beats_a_plain_queue(latency, machine),
                         has_best_throughput(exclusive)};
  for (const char* percent : {"0.2", "2", "5"}) {
    const std::string name = fmt::format("locks-figure-5-ECSB-{}", percent);
    all.push_back(six_times(named(shared, name), percent, ""));
  }
  all.insert(all.end(), {slows_by(by_share, "2", 1.8), slows_by(by_share, "5", 4.4),
                         is_flat(by_share), wins_on_table(tables, "2"), wins_on_table(tables, "5"),
                         wins_on_table(tables, "20"), ties_on_table(tables),
                         tunes_itself(thresholds), follows_changes(named(thresholds, changing))});
  if (gapless.empty()) return all;
  const std::string where = ", with same_word_gap 0";
  all.push_back(tenth_of_spinning(named(gapless, "locks-gapless-LB"), where));
  for (const char* percent : {"0.2", "2", "5"}) {
    const std::string name = fmt::format("locks-gapless-{}", percent);
    all.push_back(six_times(named(gapless, name), percent, where));
  }
  return all;
}

}  // namespace far::bench
