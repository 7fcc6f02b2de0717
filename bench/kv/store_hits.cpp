#include "bench/kv/store_hits.hpp"

#include <algorithm>
#include <string>

#include "bench/kv/key_stream.hpp"
#include "far/far.hpp"
#include "far/store/store.hpp"

namespace far::bench {

store_hits hits_of_store(const request_stream& stream, std::size_t items) {
  constexpr std::size_t item_bytes = 24 + 24 + kv_value_bytes + 12;  // header, key, value, index
  constexpr std::size_t min_memory_bytes = 400'000;
  store_hits found;
  run({.ranks = 1, .mode = job_mode::threads}, [&](world& world) {
    const store cache(world, {.memory_bytes = std::max(items * item_bytes, min_memory_bytes),
                              .max_item_bytes = 512});
    const std::string value(kv_value_bytes, 'v');
    std::size_t hits = 0;
    for (std::size_t i = 0; i < stream.requests.size(); ++i) {
      const std::string key = kv_key(stream.requests[i]);
      const bool hit = cache.contains(key);
      if (!hit) cache.put(key, value);
      if (hit && i >= stream.uncounted) ++hits;
    }
    found.percent = 100 * static_cast<double>(hits) /
                    static_cast<double>(stream.requests.size() - stream.uncounted);
    found.items = cache.counts(0).items;
  });
  return found;
}

}  // namespace far::bench
