#include "bench/papers/array_figures.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace far::bench {
namespace {

namespace names = array_names;

/// A system of a figure.
struct rival {
  const char* name;
  array_load load;
};

/// `sizes`: of sweeps over everything; `sample`: of those whose accesses all cost the same.
std::vector<rival> sweeping(const array_sizes& sizes, std::uint64_t sample, array_access how) {
  array_sizes some = sizes;
  some.sample = sample;
  std::vector<rival> all{{names::uncached, sweep<uncached_user>(some, how)}};
  if (how == array_access::operate) {
    all.push_back({names::exclusive, sweep<exclusive_user>(some, how)});
  }
  all.push_back({names::cached, sweep<cached_user>(sizes, how)});
  return all;
}

std::vector<rival> at_any_place(const array_places& at, array_access how) {
  array_sizes always = at.uniform_plain;
  always.how = caching::always;
  std::vector<rival> all{{names::uncached, at_random<uncached_user>(at.uniform_plain, how, true)}};
  if (how == array_access::write) {
    all.push_back({names::stored, at_random<storing_user>(at.uniform_plain, how, true)});
  }
  all.push_back({names::cached, at_random<cached_user>(at.uniform, how, true)});
  all.push_back({names::always, at_random<cached_user>(always, how, true)});
  return all;
}

figure empty_figure(const std::string& number, std::string title, const char* axis, bool rates,
                    const std::vector<int>& places, std::string note) {
  figure result{"paper-c-figure-" + number, fmt::format("Figure {}: {}", number, title), axis};
  result.shows = rates ? quantity::rate : quantity::time;
  result.note = std::move(note);
  for (const int n : places) result.places.push_back(std::to_string(n));
  return result;
}

/// Fills a figure of total throughput, or of the mean latency, by nodes.
void measure_by_nodes(array_jobs& on, const std::vector<int>& nodes, figure& into,
                      const std::vector<rival>& all) {
  for (const rival& r : all) {
    curve line{r.name, {}};
    for (const int n : nodes) {
      const access_log log = on.measure({n, 1}, into.name + ", " + r.name, r.load);
      line.ns.push_back(into.shows == quantity::rate ? log.between() : log.mean());
    }
    into.curves.push_back(std::move(line));
  }
}

/// `sample`: of accesses without a cache, if not 0.
std::string text_of_sizes(const array_sizes& sizes, std::uint64_t sample = 0) {
  const std::uint64_t kilobyte = sizes.node_chunks * chunk_words * sizeof(std::uint64_t) / 1024;
  std::string text = fmt::format("{} KB at each node", kilobyte);
  if (sample > 0) text += fmt::format("; without a cache, {} words of each part", sample);
  text += sizes.cache_chunks == 0
              ? "; a cache of 16 MB"
              : fmt::format("; a cache of {} KB", sizes.cache_chunks * chunk_words * 8 / 1024);
  return text;
}

figure first_figure(array_jobs& on, const array_places& at) {
  std::vector<int> nodes{1};
  if (at.few_nodes > 1) nodes.push_back(at.few_nodes);
  figure result = empty_figure("1", "to read 8 bytes, in order; lower is better", "nodes", false,
                               nodes, text_of_sizes(at.sweeps, at.samples.sample));
  measure_by_nodes(on, nodes, result,
                   {{names::uncached, sweep<uncached_user>(at.samples, array_access::read)},
                    {names::cached, sweep<cached_user>(at.sweeps, array_access::read)},
                    {names::counted, sweep<counted_user>(at.sweeps, array_access::read)},
                    {names::pinned, pinned_sweep(at.sweeps)}});
  return result;
}

figure figure_by_threads(array_jobs& on, const array_places& at, char letter, array_access how) {
  figure result = empty_figure(
      fmt::format("12{}", letter),
      fmt::format("{}s/s in order on {} nodes; higher is better", name_of(how), at.some_nodes),
      "threads a node", true, at.threads, text_of_sizes(at.thread_sweeps, at.samples.sample));
  for (const rival& r : sweeping(at.thread_sweeps, at.samples.sample, how)) {
    curve line{r.name, {}};
    for (const int threads : at.threads) {
      line.ns.push_back(
          on.measure({at.some_nodes, threads}, result.name + ", " + r.name, r.load).between());
    }
    result.curves.push_back(std::move(line));
  }
  return result;
}

figure figure_by_nodes(array_jobs& on, const array_places& at, char letter, array_access how) {
  figure result = empty_figure(
      fmt::format("13{}", letter), fmt::format("{}s/s in order; higher is better", name_of(how)),
      "nodes", true, at.nodes, text_of_sizes(at.sweeps, at.samples.sample));
  measure_by_nodes(on, at.nodes, result, sweeping(at.sweeps, at.samples.sample, how));
  return result;
}

/// Both halves of figure 14, from the same jobs.
void measure_updates(array_jobs& on, const array_places& at, array_results& into) {
  const std::string note = fmt::format(
      "{}; {} updates of a thread after {}; under locks {} after {}", text_of_sizes(at.updates),
      at.updates.accesses, at.updates.warm_up, at.locked.accesses, at.locked.warm_up);
  into.updates = empty_figure("14a", "updates/s by a Zipf distribution (0.99); higher is better",
                              "nodes", true, at.nodes, note);
  into.update_times = empty_figure("14b", "an update by a Zipf distribution; lower is better",
                                   "nodes", false, at.nodes, note);
  const rival all[] = {
      {names::exclusive, at_random<exclusive_user>(at.locked, array_access::operate, false)},
      {names::cached, at_random<cached_user>(at.updates, array_access::operate, false)}};
  for (const rival& r : all) {
    curve rates{r.name, {}};
    curve times{r.name, {}};
    for (const int n : at.nodes) {
      const access_log log = on.measure({n, 1}, into.updates.name + ", " + r.name, r.load);
      rates.ns.push_back(log.between());
      times.ns.push_back(log.mean());
    }
    into.updates.curves.push_back(std::move(rates));
    into.update_times.curves.push_back(std::move(times));
  }
}

/// `reads`: figure 13a, whose curve of cached_array is in this figure, too.
figure pin_figure(array_jobs& on, const array_places& at, const figure& reads) {
  figure result = empty_figure("15", "reads/s in order, pinned or not; higher is better", "nodes",
                               true, at.nodes, text_of_sizes(at.sweeps));
  result.curves.push_back(reads.named(names::cached));
  measure_by_nodes(on, at.nodes, result,
                   {{names::counted, sweep<counted_user>(at.sweeps, array_access::read)},
                    {names::pinned, pinned_sweep(at.sweeps)}});
  return result;
}

figure random_figure(array_jobs& on, const array_places& at, char letter, array_access how) {
  figure result = empty_figure(
      fmt::format("18{}", letter), fmt::format("a random {}; lower is better", name_of(how)),
      "nodes", false, at.nodes,
      fmt::format("{}; {} accesses of a thread after {}; of the other curves after {}",
                  text_of_sizes(at.uniform), at.uniform.accesses, at.uniform.warm_up,
                  at.uniform_plain.warm_up));
  measure_by_nodes(on, at.nodes, result, at_any_place(at, how));
  return result;
}

}  // namespace

const char* name_of(array_access how) noexcept {
  switch (how) {
    case array_access::read:
      return "read";
    case array_access::write:
      return "write";
    case array_access::operate:
      return "operate";
  }
  return "";
}

array_places array_places_of(std::vector<int> nodes, bool quick) {
  array_places at;
  at.nodes = std::move(nodes);
  if (at.nodes.empty()) {
    at.nodes = quick ? std::vector<int>{1, 2, 3} : std::vector<int>{1, 2, 4, 6, 8, 10, 12};
  }
  at.threads = quick ? std::vector<int>{1, 2} : std::vector<int>{1, 2, 4, 8, 16};
  at.few_nodes = std::min(at.few_nodes, at.nodes.back());
  at.some_nodes = std::min(at.some_nodes, at.nodes.back());
  at.sweeps.node_chunks = quick ? 40 : 128;
  at.samples = at.sweeps;
  at.samples.sample = quick ? 16 : 128;
  // The paper's threads are thousands of chunks apart. Here they must be further apart than chunks
  // are requested ahead (32), or else they take from each other what is in use.
  constexpr std::uint64_t apart = 34;
  constexpr std::uint64_t close = 5;
  const auto max_threads = static_cast<std::uint64_t>(at.threads.back());
  at.thread_sweeps.node_chunks = apart * max_threads;
  at.close_sweeps.node_chunks = close * max_threads;
  at.small_cache = at.sweeps;
  at.small_cache.cache_chunks = 2 * at.sweeps.node_chunks;
  at.updates = at.sweeps;
  at.updates.warm_up = quick ? 2'000 : 50'000;
  at.updates.accesses = quick ? 2'000 : 100'000;
  at.locked = at.updates;
  at.locked.warm_up = quick ? 10 : 100;
  at.locked.accesses = quick ? 50 : 1'000;
  at.uniform.node_chunks = quick ? 64 : 512;
  at.uniform.cache_chunks = quick ? 8 : 64;
  at.uniform.warm_up = quick ? 1'000 : 30'000;
  at.uniform.accesses = quick ? 200 : 2'000;
  at.uniform_plain = at.uniform;
  at.uniform_plain.warm_up = quick ? 100 : 500;
  return at;
}

std::size_t array_jobs_of(const array_places& at) {
  constexpr std::size_t sweeps = 2 + 2 + 3;  // figures 12 and 13: of reads, writes, operates
  constexpr std::size_t random = 3 + 4 + 3;
  const std::size_t first = 4 * (at.few_nodes > 1 ? 2 : 1);
  return first + at.threads.size() * sweeps + at.nodes.size() * (sweeps + 2 + 2 + random) +
         std::size(all_accesses) + 1;
}

array_results measure_arrays(array_jobs& on, const array_places& at) {
  array_results all;
  all.first = first_figure(on, at);
  char letter = 'a';
  for (const array_access how : all_accesses) {
    all.by_threads.push_back(figure_by_threads(on, at, letter++, how));
  }
  letter = 'a';
  for (const array_access how : all_accesses) {
    all.by_nodes.push_back(figure_by_nodes(on, at, letter++, how));
  }
  for (const array_access how : all_accesses) {
    all.small_cache.push_back(
        on.measure({at.nodes.back(), 1}, "evictions", sweep<cached_user>(at.small_cache, how))
            .between());
  }
  all.close_writes = on.measure({at.some_nodes, at.threads.back()}, "close threads",
                                sweep<cached_user>(at.close_sweeps, array_access::write))
                         .between();
  measure_updates(on, at, all);
  all.pins = pin_figure(on, at, all.by_nodes.front());
  letter = 'a';
  for (const array_access how : all_accesses) {
    all.random.push_back(random_figure(on, at, letter++, how));
  }
  return all;
}

}  // namespace far::bench
