#include "bench/papers/store_figures.hpp"

#include <iterator>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace far::bench {
namespace {

namespace names = store_names;

struct store_contender {
  const char* name;
  array_load (*load)(const store_sizes& sizes);
  bool learns = false;  // needs a long warm-up
};
constexpr store_contender store_contenders[] = {
    {names::element_locks, store_load<element_lock_store>},
    {names::copies, store_load<item_store<copying::automatic>>, true},
    {names::no_copies, store_load<item_store<copying::never>>},
    {names::calls, store_load<called_store>}};

constexpr std::uint64_t learning = 40;  // how many times as long the warm-up then is

struct mix_of_operations {
  char letter;       // of the figure by nodes
  char by_threads;   // of the one by threads
  const char* name;  // YCSB's
  int get_percent;
  double goal;  // of far::store on most nodes: times the throughput of calls
};
constexpr mix_of_operations mixes[] = {
    {'a', 'd', "C", 100, 20}, {'b', 'e', "B", 95, 1.5}, {'c', 'f', "A", 50, .9}};

figure empty_figure(const mix_of_operations& mix, bool by_nodes, int nodes,
                    const store_sizes& sizes) {
  const char letter = by_nodes ? mix.letter : mix.by_threads;
  figure result{
      fmt::format("paper-c-figure-17{}", letter),
      fmt::format("Figure 17{}: operations/s of a store, YCSB {} ({} % get){}; higher is better",
                  letter, mix.name, mix.get_percent,
                  by_nodes ? "" : fmt::format(", on {} nodes", nodes)),
      by_nodes ? "nodes" : "threads a node"};
  result.shows = quantity::rate;
  result.note = fmt::format(
      "{} keys of {} bytes, values of {}, Zipf 0.99; {} operations of a thread after {} of its "
      "node "
      "({}: after {})",
      sizes.keys, store_key_bytes, store_value_bytes, sizes.operations, sizes.warm_up,
      names::copies, sizes.warm_up * learning);
  return result;
}

/// Adds a place to a figure.
void measure_place(array_jobs& on, const array_place& where, int shown, const store_sizes& sizes,
                   figure& into) {
  into.places.push_back(std::to_string(shown));
  if (into.curves.empty()) {
    for (const store_contender& one : store_contenders) into.curves.push_back({one.name, {}});
  }
  for (std::size_t i = 0; i < std::size(store_contenders); ++i) {
    const store_contender& one = store_contenders[i];
    store_sizes own = sizes;
    if (one.learns) own.warm_up *= learning;
    const access_log log = on.measure(where, into.name + ", " + one.name, one.load(own));
    into.curves[i].ns.push_back(log.between());
  }
}

/// "Figure 17a".
std::string title_of(const figure& what) { return what.title.substr(0, what.title.find(':')); }

/// T(1) / (n T(n)) by threads.
double scalability(const figure& what, const char* name) {
  const std::vector<double>& ns = what.named(name).ns;
  return ns.front() / ns.back() / std::stod(what.places.back());
}

}  // namespace

store_places store_places_of(std::vector<int> nodes, bool quick) {
  constexpr int most = 6;  // the paper's
  if (nodes.front() <= most) std::erase_if(nodes, [](int n) { return n > most; });
  if (quick) return {std::move(nodes), {1, 2}, {.keys = 500, .warm_up = 20, .operations = 50}};
  return {std::move(nodes), {1, 2, 4}, {}};
}

std::size_t store_jobs_of(const store_places& at) {
  return std::size(mixes) * std::size(store_contenders) * (at.nodes.size() + at.threads.size());
}

store_results measure_stores(array_jobs& on, const store_places& at) {
  store_results found;
  for (const mix_of_operations& mix : mixes) {
    store_sizes sizes = at.sizes;
    sizes.get_percent = mix.get_percent;
    const int most = at.nodes.back();
    figure by_nodes = empty_figure(mix, true, most, sizes);
    for (const int nodes : at.nodes) measure_place(on, {nodes, 1}, nodes, sizes, by_nodes);
    found.by_nodes.push_back(std::move(by_nodes));
    figure by_threads = empty_figure(mix, false, most, sizes);
    for (const int threads : at.threads) {
      measure_place(on, {most, threads}, threads, sizes, by_threads);
    }
    found.by_threads.push_back(std::move(by_threads));
  }
  return found;
}

std::vector<claim> store_claims(const store_results& found) {
  constexpr double bound = .63;
  std::vector<claim> claims;
  if (found.by_nodes.front().places.back() == "1") return claims;  // nothing is remote
  for (const figure& one : found.by_threads) {
    const double scales = scalability(one, names::element_locks);
    claims.push_back({fmt::format("{}: T(1) / n T(n) of {} is at least {} (the paper)",
                                  title_of(one), names::element_locks, bound),
                      fmt::format("{:.2f} with {} threads", scales, one.places.back()),
                      scales >= bound});
  }
  for (std::size_t i = 0; i < std::size(mixes); ++i) {
    const figure& one = found.by_nodes[i];
    const double ahead = one.named(names::calls).ns.back() / one.named(names::copies).ns.back();
    claims.push_back({fmt::format("{}: {} has at least {} times the throughput of calls (libfar's "
                                  "goal)",
                                  title_of(one), names::copies, mixes[i].goal),
                      fmt::format("{:.2f} times, on {} nodes", ahead, one.places.back()),
                      ahead >= mixes[i].goal});
  }
  return claims;
}

}  // namespace far::bench
