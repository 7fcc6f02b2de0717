// Words, arrays and patches that all ranks access at once, and calls.

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "bench/harness/zipf.hpp"
#include "bench/scaling/load.hpp"

namespace far::bench::scaling {
namespace {

using word = std::uint64_t;

constexpr double skew = 0.99;  // as in YCSB
constexpr std::uint64_t drawn = std::uint64_t{1} << 16;
constexpr std::uint64_t patch_rows = 128;

std::uint64_t all_words(const world& world) {
  return words_of_rank * static_cast<std::uint64_t>(world.size());
}

/// Collective. Each page of all ranks' elements exists, and is in this process' page table, before
/// the first round: else accesses at random would measure the system's page faults.
template <class Array>
void touch_pages(const world& world, const Array& words) {
  constexpr std::uint64_t page_words = 4096 / sizeof(word);
  barrier(world);
  for (std::uint64_t i = 0; i < words.size(); i += page_words) keep(words.get(i));
  barrier(world);
}

/// What array get is measured against: loads from the same pages, whose parts are found by a shift.
load gets_by_hand(world& world, const array<word>& words) {
  std::vector<word*> parts;
  for (std::uint64_t i = 0; i < words.size(); i += words_of_rank) {
    parts.push_back(reinterpret_cast<word*>(rma::direct_word(world, words.place(i))));
  }
  return load_of("get by hand, same pages",
                 [parts, n = words.size(), random = random_of(world, 1)](std::int64_t) mutable {
                   const std::uint64_t i = random.below(n);
                   word& place = parts[i / words_of_rank][i % words_of_rank];
                   keep(std::atomic_ref(place).load(std::memory_order_relaxed));
                 });
}

}  // namespace

std::vector<load> word_loads(world& world) {
  const auto words = std::make_shared<array<word>>(world, all_words(world));
  std::ranges::fill(words->local(), word{1});
  touch_pages(world, *words);
  const std::uint64_t n = words->size();
  return {load_of("fetch_add, random words",
                  [words, n, &world, random = random_of(world, 0)](std::int64_t) mutable {
                    const atomic_ref<word> there(world, words->place(random.below(n)));
                    keep(there.fetch_add(1));
                  }),
          load_of("fetch_add, one word",
                  [words, &world](std::int64_t) {
                    keep(atomic_ref<word>(world, words->place(0)).fetch_add(1));
                  }),
          load_of("array get", [words, n, random = random_of(world, 1)](
                                   std::int64_t) mutable { keep(words->get(random.below(n))); }),
          gets_by_hand(world, *words)};
}

std::vector<load> cached_array_loads(world& world) {
  const auto words = std::make_shared<cached_array<word>>(world, all_words(world));
  fill(*words, word{1});
  touch_pages(world, *words);
  const std::uint64_t n = words->size();
  const auto draws = std::make_shared<std::vector<std::uint64_t>>(
      scrambled_zipf(words_of_rank, skew, drawn, static_cast<std::uint64_t>(world.rank()) + 1));
  // Each rank begins with its own elements.
  const std::uint64_t own = words_of_rank * static_cast<std::uint64_t>(world.rank());
  return {load_of("cached_array get, in order",
                  [words, n, next = own](std::int64_t) mutable {
                    keep(words->get(next));
                    if (++next == n) next = 0;
                  }),
          load_of("cached_array apply, Zipf",
                  [words, draws, next = std::uint64_t{0}](std::int64_t) mutable {
                    words->apply((*draws)[next], word{1}, std::plus<>());
                    next = (next + 1) % drawn;
                  }),
          load_of("cached_array, lock of one element", [words](std::int64_t) {
            const auto lock = words->lock_of(0);
            const std::lock_guard guard(lock);
          })};
}

std::vector<load> accumulate_loads(world& world) {
  const auto there = allocate<double>(world, patch_rows * patch_rows);
  const auto ones = std::make_shared<std::vector<double>>(patch_rows * patch_rows, 1.0);
  barrier(world);
  return {load_of("accumulate, one patch", [there, ones, &world](std::int64_t) {
    accumulate(world, patch(there.on(0), patch_rows, patch_rows), 1.0,
               patch(ones->data(), patch_rows, patch_rows));
  })};
}

std::vector<load> call_loads(world& world) {
  const auto others = static_cast<std::uint64_t>(std::max(world.size() - 1, 1));
  return {load_of(
      "rpc, random rank", [&world, others, random = random_of(world, 0)](std::int64_t i) mutable {
        const auto away = 1 + static_cast<int>(random.below(others));
        const int rank = (world.rank() + away) % world.size();
        keep(rpc(
                 world, rank, [](word value) { return value + 1; }, static_cast<word>(i))
                 .get());
      })};
}

}  // namespace far::bench::scaling
