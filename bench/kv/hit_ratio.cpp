// How often a cache has what is asked for: memcached's eviction, that of a log of segments, and
// others, with equally many items.

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "apps/common/progress.hpp"
#include "bench/harness/registry.hpp"
#include "bench/kv/cache_models.hpp"
#include "bench/kv/log_model.hpp"
#include "bench/kv/memcached_model.hpp"
#include "bench/kv/request_streams.hpp"
#include "bench/kv/store_hits.hpp"
#include "far/base/environment.hpp"

namespace far::bench {
namespace {

constexpr int items_percents[] = {1, 10};  // of the keys
constexpr int store_percent = 10;          // for far::store itself

/// Percent of the counted requests that hit; what misses is put.
template <class Cache>
double hit_percent(Cache& cache, const request_stream& stream) {
  std::size_t hits = 0;
  for (std::size_t i = 0; i < stream.requests.size(); ++i) {
    const bool hit = cache.get(stream.requests[i]);
    if (!hit) cache.put(stream.requests[i]);
    if (hit && i >= stream.uncounted) ++hits;
  }
  return 100 * static_cast<double>(hits) /
         static_cast<double>(stream.requests.size() - stream.uncounted);
}

template <class Cache>
double hit_percent_of(const request_stream& stream, std::size_t items) {
  Cache cache(stream.keys, items);
  return hit_percent(cache, stream);
}

template <std::uint32_t promote_at>
double hit_percent_of_log(const request_stream& stream, std::size_t items) {
  log_cache cache(stream.keys, items, {.promote_at = promote_at});
  return hit_percent(cache, stream);
}

struct contender {
  const char* name;
  double (*percent)(const request_stream& stream, std::size_t items);
};
constexpr contender memcached{"memcached", hit_percent_of<memcached_cache>};
constexpr contender ours{"log, 1 use", hit_percent_of_log<1>};
constexpr std::array contenders{memcached,
                                contender{"LRU", hit_percent_of<lru_cache>},
                                contender{"SIEVE", hit_percent_of<sieve_cache>},
                                contender{"S3-FIFO", hit_percent_of<s3_fifo_cache>},
                                ours,
                                contender{"log, 2 uses", hit_percent_of_log<2>}};

std::vector<std::string> trace_files() {
  std::vector<std::string> files;
  std::string_view rest = base::environment_text("FAR_BENCH_TRACES");
  while (!rest.empty()) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    if (colon > 0) files.emplace_back(rest.substr(0, colon));
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  return files;
}

void add_stream(figure& to, const request_stream& stream, std::size_t items) {
  to.places.push_back(stream.name);
  for (std::size_t c = 0; c < contenders.size(); ++c) {
    to.curves[c].ns.push_back(contenders[c].percent(stream, items));
  }
}

/// That the caches named hit at least as often as memcached on each stream.
claim not_below_memcached(const figure& at, const char* whose) {
  const std::vector<double>& log = at.named(whose).ns;
  const std::vector<double>& theirs = at.named(memcached.name).ns;
  claim result{fmt::format("{} hits at least as often as memcached: {}", whose, at.title), "",
               true};
  double least = 100;
  for (std::size_t i = 0; i < log.size(); ++i) {
    if (log[i] - theirs[i] >= least) continue;
    least = log[i] - theirs[i];
    result.found = fmt::format("{:+.1f} % or more ({})", least, at.places[i]);
  }
  result.holds = least >= 0;
  return result;
}

/// A figure of far::store, and memcached with as many items as it had.
figure empty_figure_of_store() {
  figure table{"hit-ratio-store", "far::store with room for about 10 % of the keys", "stream"};
  table.shows = quantity::percent;
  table.line_per_curve = true;
  table.note = "memcached: with as many items";
  table.curves = {{"memcached", {}}, {"far::store", {}}};
  return table;
}

void add_stream_of_store(figure& to, const request_stream& stream, std::size_t items) {
  const store_hits found = hits_of_store(stream, items);
  to.places.push_back(stream.name);
  to.curves[0].ns.push_back(memcached.percent(stream, found.items));
  to.curves[1].ns.push_back(found.percent);
}

report measure_hit_ratios(const settings& asked) {
  const std::size_t keys = asked.quick ? 20'000 : 1'000'000;
  const std::size_t count = 6 * keys;
  std::vector<request_stream> traces;
  for (const std::string& path : trace_files()) traces.push_back(stream_of_file(path));
  report result;
  result.measured = fmt::format(
      "hit-ratio: requests that find their item, of items of equal size; what misses is put. zipf: "
      "{} requests for\n{} keys, Zipf {}; scans: 22 % of the requests are for keys that are not "
      "asked for again soon; moving: the\nmost frequent key changes each 200 requests. log: 512 "
      "segments, of which 10 % are for new items, which stay\nafter one use, or two.",
      count, keys, usual_skew);
  if (traces.empty()) {
    result.remarks.emplace_back("FAR_BENCH_TRACES names no files with requests of real programs");
  }
  apps::progress_bar progress("hit-ratio");
  std::size_t done = 0;
  figure of_store = empty_figure_of_store();
  for (const int percent : items_percents) {
    figure table{fmt::format("hit-ratio-{}", percent),
                 fmt::format("Items: {} % of the keys", percent), "stream"};
    table.shows = quantity::percent;
    table.line_per_curve = true;
    for (const contender& one : contenders) table.curves.push_back({one.name, {}});
    const auto share = [&](std::size_t of) { return of * static_cast<std::size_t>(percent) / 100; };
    const auto add = [&](const request_stream& stream, std::size_t items) {
      progress.update(done++, std::size(items_percents) * (3 + traces.size()), stream.name);
      add_stream(table, stream, items);
      if (percent == store_percent) add_stream_of_store(of_store, stream, items);
    };
    add(zipf_stream(keys, count), share(keys));
    add(zipf_stream_with_scans(keys, count, share(keys)), share(keys));
    add(moving_zipf_stream(keys, count), share(keys));
    for (const request_stream& trace : traces) {
      add(trace, std::max<std::size_t>(share(trace.keys), 100));
    }
    result.claims.push_back(not_below_memcached(table, ours.name));
    result.figures.push_back(std::move(table));
  }
  result.claims.push_back(not_below_memcached(of_store, "far::store"));
  result.figures.push_back(std::move(of_store));
  return result;
}

const benchmark registered("hit-ratio", "caches' hits, simulated, beside memcached's eviction",
                           measure_hit_ratios);

}  // namespace
}  // namespace far::bench
