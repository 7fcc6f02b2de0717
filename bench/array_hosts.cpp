// far::cached_array over TCP between two hosts (row C11): sequential reads compared with one bulk
// transfer, and updates of frequent and rare elements compared with locks. far runs this benchmark
// again on the hosts: in a job, it runs its ranks' part.

#include <algorithm>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bench/array.hpp"
#include "bench/array_loops.hpp"
#include "bench/harness/registry.hpp"
#include "bench/harness/zipf.hpp"
#include "bench/pairs_on_hosts.hpp"

namespace far::bench {
namespace {

using namespace array_loops;

constexpr double skew = 0.99;
constexpr std::uint64_t default_prefetch = cached_array_options().prefetch;

/// Times are those of one element.
const std::vector<paired_subjects> rows{
    {"get in order, limit: bulk", "get", "bulk", 1 / .4},
    {"pins in order, limit: bulk", "pins", "bulk", 1 / .5},
    {"get in order, limit: one by one", "get", "one by one", 1 / 300.},
    {"get in order, no prefetch, limit: bulk", "get, no prefetch", "bulk"},
    {"apply, a quarter cached", "apply quarter", "locked", 1 / 8.},
    {"apply, all cached", "apply all", "locked", 1 / 500.},
};

struct sizes {
  std::uint64_t words;
  std::uint64_t applied;  ///< indices in a stream, and before the first round

  explicit sizes(bool quick)
      : words((quick ? 1 : 64) * std::uint64_t{1} << 17), applied(quick ? 1 << 10 : 1 << 18) {}
  [[nodiscard]] std::uint64_t bytes() const noexcept { return words * sizeof(word); }
};

cached_array_options at_rank_1(std::uint64_t cache_bytes, std::uint64_t prefetch) {
  cached_array_options how;
  how.prefetch = prefetch;
  how.begins = {0, 0};
  how.cache_bytes = cache_bytes;
  return how;
}

// ---- sequential reads ---------------------------------------------------------------------------

/// `size.words` elements at rank 1 of a cached array, with a cache for a quarter of them, and of an
/// array without a cache.
struct read_bed {
  read_bed(const world& world, const sizes& size)
      : cached(world, size.words, at_rank_1(size.bytes() / 4, default_prefetch)),
        unfetched(world, size.words, at_rank_1(size.bytes() / 4, 0)),
        plain(world, 2 * size.words),
        first(size.words),
        copy(size.words) {}

  words cached;
  words unfetched;  ///< the same without prefetch
  array<word> plain;
  std::uint64_t first;  ///< of plain's elements at rank 1
  std::vector<word> copy;
};

/// Passes are over all elements.
std::vector<subject> read_subjects(world& world, const sizes& size) {
  const auto bed = std::make_shared<read_bed>(world, size);
  const auto passes = [&](std::string name, auto pass) {
    return on_rank_0(world, bed, {std::move(name), [pass](std::int64_t count) {
                                    for (std::int64_t i = 0; i < count; ++i) keep(pass());
                                  }});
  };
  read_bed& b = *bed;
  return {
      passes("bulk",
             [&b] {
               b.plain.get(b.first, std::span(b.copy));
               return b.copy.back();
             }),
      passes("get", [&b] { return read_in_order(of_far{b.cached}, 0, b.cached.size()); }),
      passes("get, no prefetch",
             [&b] { return read_in_order(of_far{b.unfetched}, 0, b.unfetched.size()); }),
      passes("pins", [&b] { return read_pinned(of_far{b.cached}, 0, b.cached.size()); }),
      on_rank_0(world, bed,
                {"one by one",
                 [&b](std::int64_t count) {
                   word sum = 0;
                   for (std::int64_t i = 0; i < count; ++i) {
                     sum += b.plain.get(b.first + static_cast<std::uint64_t>(i) % b.first);
                   }
                   keep(sum);
                 }}),
  };
}

// ---- updates ------------------------------------------------------------------------------------

struct apply_bed {
  apply_bed(const world& world, const sizes& size)
      : quarter(world, size.words, at_rank_1(size.bytes() / 4, default_prefetch)),
        whole(world, size.words, at_rank_1(2 * size.bytes(), default_prefetch)),
        plain(world, 2 * size.words),
        first(size.words),
        indices(scrambled_zipf(size.words, skew, size.applied, 1)) {}

  words quarter;
  words whole;
  array<word> plain;
  std::uint64_t first;
  std::vector<std::uint64_t> indices;
};

/// Calls update(index) for the next indices of the stream.
template <class Update>
subject next_of_stream(std::string name, const apply_bed& bed, Update update) {
  return {std::move(name), [&bed, update, next = std::size_t{0}](std::int64_t count) mutable {
            for (std::int64_t i = 0; i < count; ++i) {
              update(bed.indices[next]);
              if (++next == bed.indices.size()) next = 0;
            }
          }};
}

std::vector<subject> apply_subjects(world& world, const sizes& size) {
  const auto bed = std::make_shared<apply_bed>(world, size);
  const apply_bed& b = *bed;
  if (world.rank() == 0) {
    // The caches are full before the first round.
    for (std::uint64_t i = 0; i < size.words; i += chunk_words) {
      b.whole.apply(i, word{1}, std::plus<>());
    }
    for (const std::uint64_t i : b.indices) b.quarter.apply(i, word{1}, std::plus<>());
  }
  std::vector<subject> result;
  const auto add = [&](std::string name, auto update) {
    result.push_back(on_rank_0(world, bed, next_of_stream(std::move(name), b, update)));
  };
  add("apply quarter", [&b](std::uint64_t i) { b.quarter.apply(i, word{1}, std::plus<>()); });
  add("apply all", [&b](std::uint64_t i) { b.whole.apply(i, word{1}, std::plus<>()); });
  add("locked", [&b](std::uint64_t i) {
    const element_mutex of_element = b.whole.lock_of(i);
    const std::scoped_lock lock(of_element);
    b.plain.put(b.first + i, b.plain.get(b.first + i) + 1);
  });
  return result;
}

// ---- the benchmark ------------------------------------------------------------------------------

round_times measure(world& world, bool quick) {
  const sizes size(quick);
  round_times times;
  const auto add = [&](auto subjects_of, const effort& how) {
    const round_times some = rounds_in_job(world, "array-hosts", subjects_of(world, size), how);
    for (std::size_t i = 0; i < some.size(); ++i) {
      std::vector<double> ns = some.of(i);
      const bool is_pass = subjects_of == read_subjects && some.name(i) != "one by one";
      for (double& pass : ns) pass /= is_pass ? static_cast<double>(size.words) : 1;
      times.add(some.name(i), std::move(ns));
    }
  };
  add(read_subjects, {.rounds = quick ? 6 : 15, .round_ms = 20});
  add(apply_subjects, {.rounds = quick ? 6 : 15, .round_ms = quick ? 1.0 : 100});
  return times;
}

report measure_array_hosts(const settings& chosen) {
  const pairs_on_hosts what{
      .name = "array-hosts",
      .measured =
          "array-hosts: a cached_array over TCP between two network namespaces, each with a rank "
          "that is not bound to a\ncore. One rank accesses 64 MB of 8-byte words of the other, "
          "with "
          "a cache for a quarter of them, or for all; the time\nis that of one word. Read: all, in "
          "order; limit: one bulk get of far::array, or its get of one element. Apply:\na "
          "scrambled "
          "Zipf distribution (0.99); limit: lock_of, get, put and unlock of an uncached element. "
          "In\nbrackets: the ratio's 95 % confidence interval.",
      .limit_s = 500,
      .rows = rows,
      .measure = measure};
  return measure_on_hosts(what, chosen);
}

const benchmark registered("array-hosts",
                           "a cached_array between two hosts, against bulk and locks",
                           measure_array_hosts);

}  // namespace
}  // namespace far::bench
