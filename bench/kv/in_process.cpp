#include "bench/kv/in_process.hpp"

#include <array>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bench/harness/measure.hpp"
#include "bench/kv/key_stream.hpp"
#include "far/base/error.hpp"
#include "far/far.hpp"
#include "far/store/store.hpp"

namespace far::bench {
namespace {

using value_buffer = std::array<char, kv_value_bytes>;

class locked_maps {
 public:
  bool get(const std::string& key, value_buffer& into) {
    part& of = part_of(key);
    const std::scoped_lock guard(of.mutex);
    const auto found = of.items.find(key);
    if (found == of.items.end()) return false;
    std::memcpy(into.data(), found->second.data(), found->second.size());
    return true;
  }
  void put(const std::string& key, std::string_view value) {
    part& of = part_of(key);
    const std::scoped_lock guard(of.mutex);
    of.items[key] = value;
  }

 private:
  struct alignas(64) part {
    std::mutex mutex;
    std::unordered_map<std::string, std::string> items;
  };
  part& part_of(const std::string& key) {
    return parts_[std::hash<std::string>()(key) >> 56];  // the maps use the other bits
  }

  std::array<part, 256> parts_;
};

class shared_items {
 public:
  explicit shared_items(const world& world)
      : store_(world, {.memory_bytes = std::uint64_t{128} << 20}) {}

  bool get(const std::string& key, value_buffer& into) {
    return store_.read(key, [&](const item_info&) { return into.data(); });
  }
  void put(const std::string& key, std::string_view value) { store_.put(key, value); }

 private:
  store store_;
};

/// Repeats operations of the stream.
template <class Cache>
subject operations_on(const char* name, std::shared_ptr<Cache> cache,
                      std::shared_ptr<const key_stream> stream) {
  const std::string value(kv_value_bytes, 'v');
  for (const std::string& key : stream->keys) cache->put(key, value);
  std::size_t at = 0;
  return {name, [=](std::int64_t count) mutable {
            value_buffer buffer{};
            for (std::int64_t i = 0; i < count; ++i) {
              const kv_operation& next = stream->operations[at++ % stream->operations.size()];
              const std::string& key = stream->keys[next.key];
              if (next.is_put) {
                cache->put(key, value);
              } else if (!cache->get(key, buffer)) {
                throw error("kv: an item is not there");
              }
            }
            keep(buffer[0]);
          }};
}

}  // namespace

in_process_times measure_in_process(bool quick) {
  effort how;
  if (quick) how.rounds = 7;
  const round_times times = rounds_on_processes(
      1, "kv",
      [](world& world) {
        const auto stream = std::make_shared<const key_stream>(std::size_t{1} << 20);
        return std::vector<subject>{
            operations_on("store", std::make_shared<shared_items>(world), stream),
            operations_on("maps", std::make_shared<locked_maps>(), stream)};
      },
      how);
  return {median(times.of("store")), median(times.of("maps")),
          paired_ratio(times.of("store"), times.of("maps"))};
}

}  // namespace far::bench
