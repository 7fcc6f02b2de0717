// Words and bulk to another process's memory, beside the same by hand on memory that two processes
// map.

#include <atomic>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "bench/measure.hpp"
#include "bench/random_places.hpp"
#include "bench/registry.hpp"
#include "far/memory/memory.hpp"
#include "far/rma/rma.hpp"

namespace far::bench {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t small_bulk = 64 << 10;
constexpr std::size_t large_bulk = 4 << 20;

// The four small operations of libfar; the bodies by hand below differ in nothing but the access.
// Rank 1's array is rank 0's target.

std::vector<subject> small_operations(world& view, ptr<std::uint64_t> target) {
  return {
      {"put",
       [&view, target](std::int64_t count) {
         random_places place;
         for (std::int64_t i = 0; i < count; ++i) {
           put(view, target + place(), static_cast<std::uint64_t>(i));
         }
       }},
      {"get",
       [&view, target](std::int64_t count) {
         random_places place;
         std::uint64_t sum = 0;
         for (std::int64_t i = 0; i < count; ++i) sum += get(view, target + place());
         keep(sum);
       }},
      {"fetch-and-add",
       [&view, target](std::int64_t count) {
         random_places place;
         std::uint64_t sum = 0;
         for (std::int64_t i = 0; i < count; ++i) {
           sum += atomic_ref<std::uint64_t>(view, target + place()).fetch_add(1);
         }
         keep(sum);
       }},
      {"compare-and-swap",
       [&view, target](std::int64_t count) {
         random_places place;
         std::uint64_t sum = 0;
         for (std::int64_t i = 0; i < count; ++i) {
           std::uint64_t expected = 0;
           const atomic_ref<std::uint64_t> word(view, target + place());
           word.compare_exchange(expected, static_cast<std::uint64_t>(i));
           sum += expected;
         }
         keep(sum);
       }},
  };
}

std::vector<subject> small_operations_by_hand(std::uint64_t* target) {
  using word = std::atomic_ref<std::uint64_t>;
  return {
      {"put by hand",
       [target](std::int64_t count) {
         random_places place;
         for (std::int64_t i = 0; i < count; ++i) {
           word(target[place()]).store(static_cast<std::uint64_t>(i), std::memory_order_release);
         }
       }},
      {"get by hand",
       [target](std::int64_t count) {
         random_places place;
         std::uint64_t sum = 0;
         for (std::int64_t i = 0; i < count; ++i) {
           sum += word(target[place()]).load(std::memory_order_acquire);
         }
         keep(sum);
       }},
      {"fetch-and-add by hand",
       [target](std::int64_t count) {
         random_places place;
         std::uint64_t sum = 0;
         for (std::int64_t i = 0; i < count; ++i) {
           sum += word(target[place()]).fetch_add(1, std::memory_order_acq_rel);
         }
         keep(sum);
       }},
      {"compare-and-swap by hand",
       [target](std::int64_t count) {
         random_places place;
         std::uint64_t sum = 0;
         for (std::int64_t i = 0; i < count; ++i) {
           std::uint64_t expected = 0;
           word(target[place()])
               .compare_exchange_strong(expected, static_cast<std::uint64_t>(i),
                                        std::memory_order_acq_rel, std::memory_order_acquire);
           sum += expected;
         }
         keep(sum);
       }},
  };
}

// Put and get of `bytes` between the caller's buffer and the target; memcpy for both by hand. All
// four places start at a page: the distance of two places within pages decides a memcpy's speed.
std::vector<subject> bulk(world& view, ptr<std::byte> target, std::byte* by_hand,
                          std::shared_ptr<std::byte> buffer, std::size_t bytes) {
  const std::string size = fmt::format(" {} KB", bytes >> 10);
  return {
      {"put" + size,
       [=, &view](std::int64_t count) {
         for (std::int64_t i = 0; i < count; ++i) put(view, target, {buffer.get(), bytes});
       }},
      {"get" + size,
       [=, &view](std::int64_t count) {
         for (std::int64_t i = 0; i < count; ++i) get(view, target, {buffer.get(), bytes});
       }},
      {"memcpy there" + size,
       [=](std::int64_t count) {
         for (std::int64_t i = 0; i < count; ++i) {
           std::memcpy(by_hand, buffer.get(), bytes);
           keep(by_hand);
         }
       }},
      {"memcpy back" + size,
       [=](std::int64_t count) {
         for (std::int64_t i = 0; i < count; ++i) {
           std::memcpy(buffer.get(), by_hand, bytes);
           keep(buffer.get());
         }
       }},
  };
}

std::vector<subject> all_subjects(world& view, const shared_memory& by_hand) {
  constexpr std::size_t words = random_places::words;
  const auto array = allocate<std::uint64_t>(view, words);
  auto blocks = allocate<std::byte>(view, large_bulk + page);
  // Its target, and nobody else, has touched the memory before.
  std::memset(local(view, array), 0, words * sizeof(std::uint64_t));
  std::memset(local(view, blocks), 0, large_bulk + page);

  const auto place = reinterpret_cast<std::uintptr_t>(local(view, blocks));
  blocks += static_cast<std::int64_t>((page - place % page) % page);
  const std::shared_ptr<std::byte> buffer(
      static_cast<std::byte*>(std::aligned_alloc(page, large_bulk)), &std::free);
  std::memset(buffer.get(), 1, large_bulk);

  std::vector<subject> subjects = small_operations(view, array.on(1));
  auto append = [&subjects](std::vector<subject> more) {
    for (subject& s : more) subjects.push_back(std::move(s));
  };
  append(small_operations_by_hand(by_hand.as<std::uint64_t>()));
  auto* const bytes_by_hand = by_hand.as<std::byte>() + words * sizeof(std::uint64_t);
  append(bulk(view, blocks.on(1), bytes_by_hand, buffer, small_bulk));
  append(bulk(view, blocks.on(1), bytes_by_hand, buffer, large_bulk));

  if (view.rank() != 0) {
    for (subject& s : subjects) s.run = [](std::int64_t) {};  // one-sided: the target sleeps
  }
  return subjects;
}

std::string speed(std::size_t bytes, double ns) {
  return fmt::format("{:.1f} GB/s", static_cast<double>(bytes) / ns);
}

report measure_rma() {
  const shared_memory by_hand(random_places::words * sizeof(std::uint64_t) + large_bulk);
  const auto ns = measure_on_processes(2, "rma", [&](world& view) {
    if (view.rank() == 1) {
      std::memset(by_hand.data(), 0, random_places::words * sizeof(std::uint64_t) + large_bulk);
    }
    return all_subjects(view, by_hand);
  });

  report result;
  result.measured =
      "rma: rank 0 works on the memory of rank 1, a sleeping process. 8 bytes: one after another "
      "at random\nplaces in 8 MB. Bulk: the same pages again and again. Limit: atomic_ref "
      "(release, acquire, acq_rel)\nand memcpy on memory that both processes map.";
  const char* small[] = {"put 8 bytes", "get 8 bytes", "fetch-and-add 8 bytes",
                         "compare-and-swap 8 bytes"};
  for (std::size_t i = 0; i < 4; ++i) {
    result.rows.push_back({small[i], ns[i], ns[4 + i], {}, {.most_ratio = 1.2}, ""});
  }
  const std::pair<std::size_t, const char*> sizes[] = {{small_bulk, "64 KB"}, {large_bulk, "4 MB"}};
  for (std::size_t i = 0; i < 2; ++i) {
    const auto [bytes, name] = sizes[i];
    const double* times = &ns[8 + 4 * i];
    const goal wanted{.most_ratio = 1 / 0.9};
    result.rows.push_back(
        {fmt::format("put {}", name), times[0], times[2], {}, wanted, speed(bytes, times[0])});
    result.rows.push_back(
        {fmt::format("get {}", name), times[1], times[3], {}, wanted, speed(bytes, times[1])});
  }
  return result;
}

const benchmark registered("rma", "words and bulk to another process, beside shared memory by hand",
                           measure_rma);

}  // namespace
}  // namespace far::bench
