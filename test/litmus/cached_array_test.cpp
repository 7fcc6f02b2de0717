// Litmus programs of far::cached_array on every fabric: what they show is sequentially consistent,
// but for what docs/memory_model.md says of pins.

#include "far/array/cached_array.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "far/fabric/copy.hpp"
#include "far/fabric/sim/rank_fabric.hpp"
#include "test/litmus/corpus.hpp"
#include "test/litmus/execute_cached.hpp"
#include "test/litmus/interleavings.hpp"
#include "test/support/jobs.hpp"

namespace far::litmus {
namespace {

constexpr int ranks = 4;
constexpr std::uint64_t segment_bytes = std::uint64_t{4} << 20;

using indices = std::vector<std::size_t>;

struct setting {
  const char* name;
  cached_array_options array;  ///< `cache_bytes` counts lines
  caching of_odd_ranks;
};

/// Chunks of one element, so that each has its own rights, and of two, so that the elements of a
/// home share them; caches of two lines, and of more than the programs have chunks; ranks that keep
/// copies, that go past the cache, and that decide that by what they measure; and where nothing is
/// cached.
std::vector<setting> all_settings(const world& w) {
  const auto options = [](std::uint64_t chunk, std::uint64_t lines, caching how) {
    return cached_array_options{
        .chunk = chunk, .begins = {}, .cache_bytes = lines, .force_protocol = true, .how = how};
  };
  constexpr caching always = caching::always;
  constexpr caching never = caching::never;
  constexpr caching automatic = caching::automatic;
  std::vector<setting> result = {
      {"cached, small", options(1, 2, always), always},
      {"cached, shared chunks", options(2, 64, always), always},
      {"automatic, shared chunks, small", options(2, 2, automatic), automatic},
      {"past the cache", options(1, 64, never), never},
      {"mixed, shared chunks", options(2, 64, always), never},
  };
  if (w.fabric().coherent()) {
    result.push_back({"coherent", {.chunk = 2, .begins = {}, .cache_bytes = 1}, automatic});
  }
  return result;
}

/// Whether the cache has enough lines whatever the rank's threads pin: a pinned chunk may have a
/// line for the operands of each thread.
bool fits(const program& p, const cached_array_options& how) {
  if (!how.force_protocol) return true;
  const auto is_pinned = [](const step& s) { return s.by == way::pinned; };
  return std::ranges::all_of(p.threads, [&](const thread& t) {
    const auto threads =
        static_cast<std::uint64_t>(std::ranges::count(p.threads, t.rank, &thread::rank));
    return threads == 1 || threads * threads <= how.cache_bytes ||
           std::ranges::none_of(t.steps, is_pinned);
  });
}

std::string explain(std::size_t i, const outcome& o, const setting& how) {
  const judged& j = cached_corpus()[i];
  std::string result =
      fmt::format("{}\nshowed {} ({})\nallowed are", text(j.text), text(j.text, o), how.name);
  for (const outcome& may : j.allowed) result += "\n  " + text(j.text, may);
  return result;
}

std::uint64_t seed_of(const world& w) {
  const auto* const rank = dynamic_cast<const fabric::sim::rank_fabric*>(&w.fabric());
  return rank == nullptr ? 1 : rank->job().options().seed;
}

/// Collective: runs the programs, and expects outcomes that the axioms allow.
void play_cached(world& w, const indices& which, const setting& how, std::size_t copies,
                 tally& seen) {
  indices chosen;
  for (const std::size_t i : which) {
    if (fits(cached_corpus()[i].text, how.array)) chosen.push_back(i);
  }
  std::vector<const program*> programs;
  for (const std::size_t i : chosen) programs.push_back(&cached_corpus()[i].text);
  execute_cached(w, programs, {copies, how.array, how.of_odd_ranks, seed_of(w)},
                 [&](std::size_t i, const outcome& o) {
                   if (!seen.record(chosen[i], o)) ADD_FAILURE() << explain(chosen[i], o, how);
                 });
}

/// The number of outcomes seen that sequential consistency forbids. Axiom 22 allows them, because
/// a pinned write may be late.
std::size_t weak_outcomes(const tally& seen) {
  std::size_t result = 0;
  for (std::size_t i = 0; i < cached_corpus().size(); ++i) {
    const judged& j = cached_corpus()[i];
    program strong = j.text;
    for (thread& t : strong.threads) {
      for (step& one : t.steps) one.by = way::sequential;
    }
    const std::vector<outcome> consistent = interleavings(strong);
    for (std::size_t k = 0; k < j.allowed.size(); ++k) {
      if (seen.count(i, k) > 0 && !std::ranges::binary_search(consistent, j.allowed[k])) ++result;
    }
  }
  return result;
}

class litmus_cached_array_test : public test::on_ranks {
 protected:
  litmus_cached_array_test() {
    options.ranks = ranks;
    options.symmetric_bytes = segment_bytes;
    options.local_bytes = segment_bytes;
    allowed = test::run_size::any;
  }
};
INSTANTIATE_FAR_MODES_ON(litmus_cached_array_test, ranks);

// A seed of the simulator takes a part of the programs, each with one of the options. Elsewhere a
// run takes a part, the quick tier's a small one: ranks that are processes wait long for each
// other.
TEST_P(litmus_cached_array_test, shows_only_what_the_axioms_allow) {
  constexpr std::uint64_t parts_of_seed = 5;
  const bool fibers = options.mode == job_mode::fibers;
  const bool is_quick = test::seeds_here(test::usual_seeds) < test::usual_seeds;
  const std::uint64_t parts = fibers ? parts_of_seed : is_quick ? 21 : 5;
  const std::size_t copies = fibers ? 1 : options.mode == job_mode::ucx ? 2 : 10;
  tally seen(cached_corpus());
  run([&](world& w) {
    const std::uint64_t seed = seed_of(w);
    const std::vector<setting> how = all_settings(w);
    for (std::size_t k = 0; k < how.size(); ++k) {
      indices which;
      for (std::size_t i = seed % parts; i < cached_corpus().size(); i += parts) {
        if (!fibers || (i / parts + seed / parts) % how.size() == k) which.push_back(i);
      }
      play_cached(w, which, how[k], copies, seen);
    }
  });
  EXPECT_GT(seen.runs(), 0u);
  const std::size_t weak = weak_outcomes(seen);
  // Fibers have no store buffers.
  EXPECT_TRUE(weak == 0 || !fibers);
  fmt::print("{} programs, {} runs, {} outcomes, {} of them not sequentially consistent\n",
             cached_corpus().size(), seen.runs(), seen.outcomes(), weak);
}

#ifndef FAR_THREAD_SANITIZER  // which cannot follow fibers

/// The number of seeds until some program shows an outcome that is not allowed; 0 if too many.
std::uint64_t seeds_to_find(cached_slip mistake, std::uint64_t max_seeds) {
  constexpr std::size_t every = 7;
  std::vector<const judged*> programs;
  for (std::size_t i = 0; i < cached_corpus().size(); i += every) {
    programs.push_back(&cached_corpus()[i]);
  }
  std::vector<const program*> texts;
  for (const judged* j : programs) texts.push_back(&j->text);
  run_options options;
  options.mode = job_mode::fibers;
  options.ranks = ranks;
  options.symmetric_bytes = options.local_bytes = segment_bytes;
  const cached_array_options array{
      .chunk = 1, .begins = {}, .cache_bytes = 64, .force_protocol = true};
  for (options.seed = 1; options.seed <= max_seeds; ++options.seed) {
    bool found = false;
    far::run(options, [&](world& w) {
      execute_cached(w, texts, {1, array, caching::automatic, options.seed, mistake},
                     [&](std::size_t i, const outcome& o) {
                       found = found || programs[i]->find(o) == programs[i]->allowed.size();
                     });
    });
    if (found) return options.seed;
  }
  return 0;
}

TEST(litmus_cached_array_slips, every_slip_is_found_on_the_simulator) {
  constexpr std::uint64_t max_seeds = 20;
  const auto find = [](const char* name, cached_slip mistake) {
    const std::uint64_t seeds = seeds_to_find(mistake, max_seeds);
    EXPECT_NE(seeds, 0u) << name << " was not found";
    fmt::print("{}: found with {} seeds\n", name, seeds);
  };
  find("a write after the next access", cached_slip::late_write);
  find("a read before the last access", cached_slip::early_read);
  find("a read of an old copy", cached_slip::stale_copy);
  find("an apply by get and set", cached_slip::update_by_two);
  find("an operand that is lost", cached_slip::lost_operand);
  EXPECT_EQ(seeds_to_find(cached_slip::nothing, 3), 0u);
}

#endif

}  // namespace
}  // namespace far::litmus
