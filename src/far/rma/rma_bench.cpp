// Words and bulk to another process's memory, against a baseline of plain accesses to memory that
// two processes map. Also the overhead of a future for an operation that completes at once.

#include <atomic>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/harness/measure.hpp"
#include "bench/harness/random_places.hpp"
#include "bench/harness/registry.hpp"
#include "far/memory/memory.hpp"
#include "far/rma/rma.hpp"

namespace far::bench {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t small_bulk = 64 << 10;
constexpr std::size_t large_bulk = 4 << 20;

// Sizes, in words, of the arrays that small operations access at random: one that fits in a core's
// own caches, one that just does not fit, and one far larger.
constexpr int min_bits = 15;
constexpr int middle_bits = 20;
constexpr int max_bits = 23;
constexpr std::size_t words = random_places<max_bits>::words;

using word = std::atomic_ref<std::uint64_t>;

// The four small operations, by libfar and as a baseline (plain_*). Each pair differs only in the
// access.

template <int Bits>
void puts(world& world, ptr<std::uint64_t> target, std::int64_t count) {
  random_places<Bits> place;
  for (std::int64_t i = 0; i < count; ++i) {
    put(world, target + place(), static_cast<std::uint64_t>(i));
  }
}

template <int Bits>
void plain_puts(std::uint64_t* target, std::int64_t count) {
  random_places<Bits> place;
  for (std::int64_t i = 0; i < count; ++i) {
    word(target[place()]).store(static_cast<std::uint64_t>(i), std::memory_order_release);
  }
}

template <int Bits>
void gets(world& world, ptr<std::uint64_t> target, std::int64_t count) {
  random_places<Bits> place;
  std::uint64_t sum = 0;
  for (std::int64_t i = 0; i < count; ++i) sum += get(world, target + place());
  keep(sum);
}

template <int Bits>
void plain_gets(std::uint64_t* target, std::int64_t count) {
  random_places<Bits> place;
  std::uint64_t sum = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    sum += word(target[place()]).load(std::memory_order_acquire);
  }
  keep(sum);
}

template <int Bits>
void fetch_adds(world& world, ptr<std::uint64_t> target, std::int64_t count) {
  random_places<Bits> place;
  std::uint64_t sum = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    sum += atomic_ref<std::uint64_t>(world, target + place()).fetch_add(1);
  }
  keep(sum);
}

template <int Bits>
void plain_fetch_adds(std::uint64_t* target, std::int64_t count) {
  random_places<Bits> place;
  std::uint64_t sum = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    sum += word(target[place()]).fetch_add(1, std::memory_order_acq_rel);
  }
  keep(sum);
}

template <int Bits>
void compare_swaps(world& world, ptr<std::uint64_t> target, std::int64_t count) {
  random_places<Bits> place;
  std::uint64_t sum = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint64_t found = 0;
    const atomic_ref<std::uint64_t> there(world, target + place());
    there.compare_exchange(found, static_cast<std::uint64_t>(i));
    sum += found;
  }
  keep(sum);
}

template <int Bits>
void plain_compare_swaps(std::uint64_t* target, std::int64_t count) {
  random_places<Bits> place;
  std::uint64_t sum = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint64_t found = 0;
    word(target[place()])
        .compare_exchange_strong(found, static_cast<std::uint64_t>(i), std::memory_order_acq_rel,
                                 std::memory_order_acquire);
    sum += found;
  }
  keep(sum);
}

// The same with futures. Each is used at once, or 64 are kept in flight.

template <int Bits>
void puts_async(world& world, ptr<std::uint64_t> target, std::int64_t count) {
  random_places<Bits> place;
  for (std::int64_t i = 0; i < count; ++i) {
    put_async(world, target + place(), static_cast<std::uint64_t>(i)).get();
  }
}

template <int Bits>
void gets_async(world& world, ptr<std::uint64_t> target, std::int64_t count) {
  random_places<Bits> place;
  std::uint64_t sum = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    auto result = get_async(world, target + place());
    sum += result.get();
  }
  keep(sum);
}

template <int Bits>
void gets_async_in_groups(world& world, ptr<std::uint64_t> target, std::int64_t count) {
  constexpr std::size_t group = 64;
  random_places<Bits> place;
  std::uint64_t sum = 0;
  std::vector<future<std::uint64_t>> in_flight;
  in_flight.reserve(group);
  const auto take_all = [&] {
    for (auto& result : in_flight) sum += result.get();
    in_flight.clear();
  };
  for (std::int64_t i = 0; i < count; ++i) {
    in_flight.push_back(get_async(world, target + place()));
    if (in_flight.size() == group) take_all();
  }
  take_all();
  keep(sum);
}

template <int Bits>
void fetch_adds_async(world& world, ptr<std::uint64_t> target, std::int64_t count) {
  random_places<Bits> place;
  std::uint64_t sum = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    sum += atomic_ref<std::uint64_t>(world, target + place()).fetch_add_async(1).get();
  }
  keep(sum);
}

// Writes a word of each cache line, so that no subject pays for the cache state that an earlier one
// left.
template <int Bits>
void touch(std::uint64_t* array) {
  constexpr std::size_t step = 64 / sizeof(std::uint64_t);
  for (std::size_t i = 0; i < random_places<Bits>::words; i += step) {
    word(array[i]).store(0, std::memory_order_relaxed);
  }
}

// Each operation by libfar, followed by its baseline.
template <int Bits>
std::vector<subject> small_operations(world& world, ptr<std::uint64_t> there,
                                      std::uint64_t* baseline) {
  using count = std::int64_t;
  auto* const mapped = reinterpret_cast<std::uint64_t*>(world.fabric().direct(there.address()));
  const auto touch_theirs = [mapped] { touch<Bits>(mapped); };
  const auto touch_ours = [baseline] { touch<Bits>(baseline); };
  const auto name = [](const char* what) { return fmt::format("{} 2^{}", what, Bits); };
  return {
      {name("put"), [=, &world](count n) { puts<Bits>(world, there, n); }, touch_theirs},
      {name("put by hand"), [=](count n) { plain_puts<Bits>(baseline, n); }, touch_ours},
      {name("get"), [=, &world](count n) { gets<Bits>(world, there, n); }, touch_theirs},
      {name("get by hand"), [=](count n) { plain_gets<Bits>(baseline, n); }, touch_ours},
      {name("add"), [=, &world](count n) { fetch_adds<Bits>(world, there, n); }, touch_theirs},
      {name("add by hand"), [=](count n) { plain_fetch_adds<Bits>(baseline, n); }, touch_ours},
      {name("swap"), [=, &world](count n) { compare_swaps<Bits>(world, there, n); }, touch_theirs},
      {name("swap by hand"), [=](count n) { plain_compare_swaps<Bits>(baseline, n); }, touch_ours},
  };
}

// Operations with a future, each followed by the blocking one.
template <int Bits>
std::vector<subject> with_futures(world& world, ptr<std::uint64_t> there) {
  using count = std::int64_t;
  auto* const mapped = reinterpret_cast<std::uint64_t*>(world.fabric().direct(there.address()));
  const auto touched = [mapped] { touch<Bits>(mapped); };
  const subject blocking_get{"get", [=, &world](count n) { gets<Bits>(world, there, n); }, touched};
  return {
      {"put_async", [=, &world](count n) { puts_async<Bits>(world, there, n); }, touched},
      {"put", [=, &world](count n) { puts<Bits>(world, there, n); }, touched},
      {"get_async", [=, &world](count n) { gets_async<Bits>(world, there, n); }, touched},
      blocking_get,
      {"64 get_async", [=, &world](count n) { gets_async_in_groups<Bits>(world, there, n); },
       touched},
      blocking_get,
      {"fetch_add_async", [=, &world](count n) { fetch_adds_async<Bits>(world, there, n); },
       touched},
      {"fetch_add", [=, &world](count n) { fetch_adds<Bits>(world, there, n); }, touched},
  };
}

// Put and get of `bytes` bytes between the caller's buffer and the target; the baseline of both is
// memcpy. All buffers start at a page, because the offsets of two buffers within their pages affect
// the speed of memcpy.
std::vector<subject> bulk(world& world, ptr<std::byte> target, std::byte* baseline,
                          std::shared_ptr<std::byte> buffer, std::size_t bytes) {
  const std::string size = fmt::format(" {} KB", bytes >> 10);
  std::vector<subject> subjects = {
      {"put" + size,
       [=, &world](std::int64_t count) {
         for (std::int64_t i = 0; i < count; ++i) put(world, target, {buffer.get(), bytes});
       }},
      {"memcpy there" + size,
       [=](std::int64_t count) {
         for (std::int64_t i = 0; i < count; ++i) {
           std::memcpy(baseline, buffer.get(), bytes);
           keep(baseline);
         }
       }},
      {"get" + size,
       [=, &world](std::int64_t count) {
         for (std::int64_t i = 0; i < count; ++i) get(world, target, {buffer.get(), bytes});
       }},
      {"memcpy back" + size,
       [=](std::int64_t count) {
         for (std::int64_t i = 0; i < count; ++i) {
           std::memcpy(buffer.get(), baseline, bytes);
           keep(buffer.get());
         }
       }},
  };
  for (subject& s : subjects) s.warm_up = [run = s.run] { run(2); };
  return subjects;
}

std::vector<subject> all_subjects(world& world, const shared_memory& baseline) {
  const auto array = allocate<std::uint64_t>(world, words);
  auto blocks = allocate<std::byte>(world, large_bulk + page);
  // The owner touches its memory first.
  std::memset(local(world, array), 0, words * sizeof(std::uint64_t));
  std::memset(local(world, blocks), 0, large_bulk + page);

  const auto place = reinterpret_cast<std::uintptr_t>(local(world, blocks));
  blocks += static_cast<std::int64_t>((page - place % page) % page);
  const std::shared_ptr<std::byte> buffer(
      static_cast<std::byte*>(std::aligned_alloc(page, large_bulk)), &std::free);
  std::memset(buffer.get(), 1, large_bulk);

  // Rank 1's arrays are rank 0's targets.
  std::vector<subject> subjects;
  auto append = [&subjects](std::vector<subject> more) {
    for (subject& s : more) subjects.push_back(std::move(s));
  };
  auto* const baseline_words = baseline.as<std::uint64_t>();
  append(small_operations<min_bits>(world, array.on(1), baseline_words));
  append(small_operations<middle_bits>(world, array.on(1), baseline_words));
  append(small_operations<max_bits>(world, array.on(1), baseline_words));
  auto* const baseline_bytes = baseline.as<std::byte>() + words * sizeof(std::uint64_t);
  append(bulk(world, blocks.on(1), baseline_bytes, buffer, small_bulk));
  append(bulk(world, blocks.on(1), baseline_bytes, buffer, large_bulk));
  append(with_futures<middle_bits>(world, array.on(1)));

  if (world.rank() != 0) {
    // The operations are one-sided: the target sleeps.
    for (subject& s : subjects) s = {s.name, [](std::int64_t) {}};
  }
  return subjects;
}

std::string speed(std::size_t bytes, double ns) {
  return fmt::format("{:.1f} GB/s", static_cast<double>(bytes) / ns);
}

report measure_rma() {
  const shared_memory baseline(words * sizeof(std::uint64_t) + large_bulk);
  const auto ns = measure_on_processes(2, "rma", [&](world& world) {
    if (world.rank() == 1) {
      std::memset(baseline.data(), 0, words * sizeof(std::uint64_t) + large_bulk);
    }
    return all_subjects(world, baseline);
  });

  report result;
  result.measured =
      "rma: rank 0 accesses the memory of rank 1, a sleeping process. 8 bytes: one operation after "
      "another at\nrandom places of an array. Bulk: the same pages repeatedly. Limit: "
      "atomic_ref (release, acquire,\nacq_rel) and memcpy on memory that both processes map; for "
      "operations "
      "with a future,\nused at once or kept with 63 others, the blocking ones.";
  // Each time is followed by that of its baseline.
  const double* next = ns.data();
  for (const char* within : {"256 KB", "8 MB", "64 MB"}) {
    for (const char* verb : {"put", "get", "fetch-and-add", "compare-and-swap"}) {
      const auto name = fmt::format("{} 8 bytes in {}", verb, within);
      result.rows.push_back({name, next[0], next[1], {}, {.max_ratio = 1.2}, ""});
      next += 2;
    }
  }
  for (const std::size_t bytes : {small_bulk, large_bulk}) {
    for (const char* verb : {"put", "get"}) {
      const auto name =
          bytes == small_bulk ? fmt::format("{} 64 KB", verb) : fmt::format("{} 4 MB", verb);
      result.rows.push_back(
          {name, next[0], next[1], {}, {.max_ratio = 1 / 0.9}, speed(bytes, next[0])});
      next += 2;
    }
  }
  const goal at_once{.max_ratio = 1.5};
  const std::initializer_list<std::pair<const char*, goal>> futures = {
      {"put_async", at_once},
      {"get_async", at_once},
      {"64 get_async", {}},
      {"fetch_add_async", at_once}};
  for (const auto& [verb, wanted] : futures) {
    result.rows.push_back(
        {fmt::format("{} 8 bytes in 8 MB", verb), next[0], next[1], {}, wanted, ""});
    next += 2;
  }
  return result;
}

const benchmark registered("rma", "words and bulk to another process, against plain shared memory",
                           measure_rma);

}  // namespace
}  // namespace far::bench
