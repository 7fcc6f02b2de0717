#include "bench/papers/array_claims.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace far::bench {
namespace {

namespace names = array_names;

constexpr double steady = 1.2;      // "consistent": max ratio
constexpr double flat = 1.25;       // "roughly stable": max ratio
constexpr double comparable = 1.1;  // max ratio
constexpr double min_pin_gain = 1.8;
constexpr double max_pin_gain = 2.9;
constexpr double scales = 0.8;  // far::array by threads: less is "hindered"

/// Scalability to 12 nodes in the paper, of read, write and operate.
constexpr double paper_scalability[] = {0.82, 0.76, 0.87};

/// Min and max of a ratio over the places.
struct range {
  double min = std::numeric_limits<double>::infinity();
  double max = 0;

  void add(double value) {
    min = std::min(min, value);
    max = std::max(max, value);
  }
  [[nodiscard]] std::string text() const {
    return min == max ? fmt::format("{:.2f} times", min)
                      : fmt::format("{:.2f} to {:.2f} times", min, max);
  }
};

range ratios(const figure& what, const char* dividend, const char* divisor) {
  range result;
  for (std::size_t i = 0; i < what.places.size(); ++i) {
    result.add(what.named(dividend).ns[i] / what.named(divisor).ns[i]);
  }
  return result;
}

/// The first place with at least so many nodes, or the last one.
std::size_t place_of(const figure& what, int nodes) {
  std::size_t i = 0;
  while (i + 1 < what.places.size() && std::stoi(what.places[i]) < nodes) ++i;
  return i;
}

/// T(n) / (n T(1)) of a throughput, from the first place to the last.
double scalability(const figure& what, const char* name) {
  const auto& ns = what.named(name).ns;
  const double times = std::stod(what.places.back()) / std::stod(what.places.front());
  return ns.front() / ns.back() / times;
}

claim is_fastest(const figure& what) {
  double min = std::numeric_limits<double>::infinity();
  std::string where;
  for (const curve& other : what.curves) {
    if (other.name == names::cached) continue;
    const double here = ratios(what, other.name.c_str(), names::cached).min;
    if (here >= min) continue;
    min = here;
    where = other.name;
  }
  const std::string number = what.title.substr(0, what.title.find(':'));
  return {fmt::format("{}: cached_array has the highest throughput at every number of {}", number,
                      what.axis),
          fmt::format("{:.1f} times at least ({})", min, where), min > 1};
}

claim gap_grows(const figure& operates) {
  bool grows = true;
  double last = 0;
  double first = 0;
  for (std::size_t i = 0; i < operates.places.size(); ++i) {
    const double gap =
        1000 / operates.named(names::cached).ns[i] - 1000 / operates.named(names::exclusive).ns[i];
    if (i == 0) first = gap;
    grows &= gap > last;
    last = gap;
  }
  return {"Figure 12c: the gap to exclusive accesses grows with the threads",
          fmt::format("from {:.0f} to {:.0f} million/s", first, last), grows};
}

claim plain_is_hindered(const figure& reads) {
  const double ratio = scalability(reads, names::uncached);
  return {"Figure 12a: reads without a cache do not scale with the threads (BCL, by MPI)",
          fmt::format("T({0}) is {1:.2f} of {0} T({2})", reads.places.back(), ratio,
                      reads.places.front()),
          ratio < scales};
}

claim scales_as_paper(const figure& what, array_access how) {
  const double ratio = scalability(what, names::cached);
  const double paper = paper_scalability[static_cast<std::size_t>(how)];
  return {fmt::format("Figure 13: T(n) / n T(1) of {}s is at least the paper's, {} at 12 nodes",
                      name_of(how), paper),
          fmt::format("{:.2f} at {} nodes: {:.2f} ns an access of one node, for {:.2f} alone",
                      ratio, what.places.back(),
                      what.named(names::cached).ns.back() * std::stod(what.places.back()),
                      what.named(names::cached).ns.front() * std::stod(what.places.front())),
          ratio >= paper};
}

claim scales_better(const figure& what, array_access how) {
  const double cached = scalability(what, names::cached);
  const double plain = scalability(what, names::uncached);
  return {fmt::format("Figure 13: {}s scale better than without a cache", name_of(how)),
          fmt::format("{:.2f}, {:.3f} without", cached, plain), cached > plain};
}

claim updates_scale(const figure& rates) {
  const auto& ns = rates.named(names::cached).ns;
  const auto second = static_cast<std::ptrdiff_t>(place_of(rates, 2));
  const bool grows =
      std::ranges::adjacent_find(ns.begin() + second, ns.end(), std::less_equal<>()) == ns.end();
  return {"Figure 14a: the throughput of apply grows with every node, from 2 on",
          fmt::format("{:.1f} times from {} to {} nodes; {:.2f} times with the second",
                      ns.front() / ns.back(), rates.places.front(), rates.places.back(),
                      ns.front() / ns[place_of(rates, 2)]),
          grows};
}

/// From two nodes on.
double growth(const figure& times, const char* name) {
  const auto& ns = times.named(name).ns;
  return ns.back() / ns[place_of(times, 2)];
}

claim updates_are_steady(const figure& times) {
  const double ratio = growth(times, names::cached);
  return {"Figure 14b: the latency of apply remains the same from 2 nodes on",
          fmt::format("{:.2f} times", ratio), ratio < steady};
}

claim locks_lose_throughput(const figure& rates) {
  const auto& ns = rates.named(names::exclusive).ns;
  const double ratio = ns.front() / ns.back();
  return {
      "Figure 14a: the throughput of lock, get, put falls with the nodes",
      fmt::format("{:.2f} times from {} to {} nodes; {:.2f} with the second", ratio,
                  rates.places.front(), rates.places.back(), ns.front() / ns[place_of(rates, 2)]),
      ratio < 1};
}

claim locks_take_longer(const figure& times) {
  const auto& ns = times.named(names::exclusive).ns;
  return {"Figure 14b: the latency of lock, get, put grows significantly",
          fmt::format("{:.1f} times from {} to {} nodes, {:.1f} from 2 on", ns.back() / ns.front(),
                      times.places.front(), times.places.back(), growth(times, names::exclusive)),
          ns.back() > 2 * ns.front()};
}

claim pins_gain(const figure& pins, const char* unpinned, const char* text) {
  const range r = ratios(pins, unpinned, names::pinned);
  return {fmt::format("Figure 15: a pin makes reads {} to {} times as fast{}", min_pin_gain,
                      max_pin_gain, text),
          r.text(), r.min >= min_pin_gain && r.max <= max_pin_gain};
}

claim caches_in_order(const figure& first) {
  const double ratio =
      first.named(names::uncached).ns.back() / first.named(names::cached).ns.back();
  return {
      fmt::format("Figure 1: on {} nodes a cache makes reads in order faster", first.places.back()),
      fmt::format("{:.0f} times", ratio), ratio > 1};
}

claim pins_are_fastest(const figure& first) {
  const range own = ratios(first, names::cached, names::pinned);
  return {"Figure 1: pinned reads are faster than others", own.text(), own.min > 1};
}

claim alone_as_plain(const std::vector<figure>& random) {
  range r;
  for (const figure& f : random) {
    r.add(f.named(names::cached).ns.front() / f.named(names::uncached).ns.front());
  }
  return {
      fmt::format("Figure 18: on {} node{} random accesses take at most about far::array's time",
                  random.front().places.front(), random.front().places.front() == "1" ? "" : "s"),
      r.text(), r.max <= comparable};
}

claim plain_is_stable(const figure& reads) {
  const double ratio = growth(reads, names::uncached);
  return {"Figure 18a: without a cache the latency remains roughly the same from 2 nodes on",
          fmt::format("{:.2f} times", ratio), ratio <= flat};
}

claim caching_loses(const std::vector<figure>& random) {
  range r;
  for (const figure& f : random) {
    r.add(f.named(names::always).ns.back() / f.named(names::uncached).ns.back());
  }
  return {"Figure 18: an array that always caches takes longer than without a cache, at most nodes",
          r.text(), r.min > 1};
}

claim writes_take_longer(const std::vector<figure>& random) {
  const auto ratio = [&](const char* name) {
    return random[1].named(name).ns.back() / random[0].named(name).ns.back();
  };
  return {"Figure 18: random writes take longer than reads, at most nodes",
          fmt::format("{:.2f} times, {:.2f} where everything is cached", ratio(names::cached),
                      ratio(names::always)),
          ratio(names::cached) > 1};
}

}  // namespace

std::vector<claim> array_claims(const array_results& of) {
  std::vector<claim> all{caches_in_order(of.first), pins_are_fastest(of.first)};
  for (const figure& f : of.by_threads) all.push_back(is_fastest(f));
  all.push_back(gap_grows(of.by_threads[2]));
  all.push_back(plain_is_hindered(of.by_threads[0]));
  for (const figure& f : of.by_nodes) all.push_back(is_fastest(f));
  for (const array_access how : all_accesses) {
    const figure& f = of.by_nodes[static_cast<std::size_t>(how)];
    all.push_back(scales_as_paper(f, how));
    all.push_back(scales_better(f, how));
  }
  all.insert(all.end(), {updates_scale(of.updates), updates_are_steady(of.update_times),
                         locks_lose_throughput(of.updates), locks_take_longer(of.update_times),
                         pins_gain(of.pins, names::cached, ""),
                         pins_gain(of.pins, names::counted, ", if others take the paper's path"),
                         alone_as_plain(of.random), plain_is_stable(of.random[0]),
                         caching_loses(of.random), writes_take_longer(of.random)});
  return all;
}

std::vector<row> array_goals(const array_results& of, const array_places& at,
                             const fabric::sim::profile& machine) {
  constexpr double share_of_limit = 0.8;
  constexpr double ps = 1000;
  const int nodes = at.nodes.back();
  const double wire = static_cast<double>(machine.link(fabric::sim::distance::group).kilobyte) *
                      sizeof(std::uint64_t) / 1024 / ps;
  std::vector<row> rows;
  for (const char* cache : {"", ", with evictions"}) {
    for (const array_access how : all_accesses) {
      const auto k = static_cast<std::size_t>(how);
      const bool evicts = cache[0] != '\0';
      const double between =
          evicts ? of.small_cache[k] : of.by_nodes[k].named(names::cached).ns.back();
      const bool combines = how == array_access::operate && nodes > 1;
      const auto hit = static_cast<double>(combines ? machine.array_apply : machine.array_hit) / ps;
      row r{fmt::format("{} in order, by a node of {}{}", name_of(how), nodes, cache),
            between * nodes, std::max(hit, wire)};
      r.wanted.max_ratio = 1 / share_of_limit;
      r.note = evicts ? fmt::format("a cache of {} chunks of {}", at.small_cache.cache_chunks,
                                    at.small_cache.node_chunks * static_cast<unsigned>(nodes))
                      : "limit: a hit";
      rows.push_back(std::move(r));
    }
  }
  const int threads = at.some_nodes * at.threads.back();
  const auto apart = [&](const array_sizes& sizes) {
    return sizes.node_chunks / static_cast<unsigned>(at.threads.back());
  };
  row close{fmt::format("write in order, by one of {} threads", threads), of.close_writes * threads,
            of.by_threads[1].named(names::cached).ns.back() * threads};
  close.note = fmt::format("{} chunks apart; limit: {} apart", apart(at.close_sweeps),
                           apart(at.thread_sweeps));
  rows.push_back(std::move(close));
  const figure& times = of.update_times;
  row updates{fmt::format("apply, Zipf, {} nodes", nodes), times.named(names::cached).ns.back(),
              times.named(names::cached).ns[place_of(times, 2)]};
  updates.wanted.max_ratio = steady;
  updates.note = "limit: on 2 nodes";
  rows.push_back(std::move(updates));
  for (const array_access how : all_accesses) {
    const figure& f = of.random[static_cast<std::size_t>(how)];
    const auto add = [&](const char* limit, const char* more = "") {
      row r{fmt::format("a random {}, {} nodes{}", name_of(how), nodes, more),
            f.named(names::cached).ns.back(), f.named(limit).ns.back()};
      r.wanted.max_ratio = comparable;
      r.note = fmt::format("limit: {}", limit);
      rows.push_back(std::move(r));
    };
    add(names::uncached);
    if (how == array_access::write) add(names::stored, ", limit: a store");
  }
  return rows;
}

}  // namespace far::bench
