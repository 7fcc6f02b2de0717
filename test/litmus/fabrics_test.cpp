// The generated programs on every fabric: the simulator and shared memory show only what the axioms
// allow, and shared memory shows only what the simulator may show.

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "far/fabric/copy.hpp"
#include "test/litmus/corpus.hpp"
#include "test/litmus/execute.hpp"
#include "test/litmus/store_buffer.hpp"
#include "test/support/jobs.hpp"

namespace far::litmus {
namespace {

constexpr std::uint64_t heap_bytes = std::uint64_t{8} << 20;
constexpr int sim_seeds = 8;
constexpr std::size_t sim_copies = 2;
constexpr std::size_t shm_copies = 40;
constexpr std::size_t shm_copies_of_late = 2000;

using indices = std::vector<std::size_t>;

/// The programs for the given number of ranks.
indices of_ranks(int ranks) {
  indices result;
  for (std::size_t i = 0; i < corpus().size(); ++i) {
    if (corpus()[i].text.ranks() == ranks) result.push_back(i);
  }
  return result;
}

std::string explain(std::size_t i, const outcome& o) {
  const judged& j = corpus()[i];
  std::string result = fmt::format("{}\nshowed {}\nallowed are", text(j.text), text(j.text, o));
  for (const outcome& may : j.allowed) result += "\n  " + text(j.text, may);
  return result;
}

/// Some of the programs with an outcome that only axiom 6 allows. It appears only if two processors
/// run at the same moment.
indices that_need_late_changes(int ranks) {
  constexpr std::size_t every = 10;
  indices result;
  for (const std::size_t i : of_ranks(ranks)) {
    const judged& j = corpus()[i];
    if (i % every != 0 || !j.text.name.starts_with("sb")) continue;
    if (allowed(j.text, {false}) != j.allowed) result.push_back(i);
  }
  return result;
}

std::size_t allowed_outcomes() {
  std::size_t sum = 0;
  for (const judged& j : corpus()) sum += j.allowed.size();
  return sum;
}

/// Collective: runs the programs and counts their outcomes. Fails for an outcome that is not
///   allowed.
void play(world& w, const indices& which, std::size_t copies, tally& seen) {
  std::vector<const program*> programs;
  for (const std::size_t i : which) programs.push_back(&corpus()[i].text);
  execute(w, programs, {copies}, [&](std::size_t i, const outcome& o) {
    if (!seen.record(which[i], o)) ADD_FAILURE() << explain(which[i], o);
  });
}

/// What each mode has shown, with all numbers of ranks run so far.
tally& seen_by(job_mode mode) {
  static std::map<job_mode, std::unique_ptr<tally>> all;
  std::unique_ptr<tally>& mine = all[mode];
  if (!mine) mine = std::make_unique<tally>();
  return *mine;
}

/// Runs all programs of the given number of ranks in this mode, unless already done.
void run_once(job_mode mode, int ranks) {
  static std::map<std::pair<job_mode, int>, bool> done;
  if (std::exchange(done[{mode, ranks}], true)) return;
  run_options options;
  options.mode = mode;
  options.ranks = ranks;
  options.symmetric_bytes = heap_bytes;
  const indices which = of_ranks(ranks);
  const std::size_t copies = mode == job_mode::fibers ? sim_copies : shm_copies;
  tally& seen = seen_by(mode);
  const indices late = mode == job_mode::fibers ? indices{} : that_need_late_changes(ranks);
  const auto body = [&](world& w) {
    play(w, which, copies, seen);
    play(w, late, shm_copies_of_late, seen);
  };
  test::run(options, body, sim_seeds, test::run_size::any);  // each run has all programs
}

using litmus_test = test::on_ranks;
INSTANTIATE_FAR_MODES_ON(litmus_test, 2, 3, 4);

TEST_P(litmus_test, shows_only_what_the_axioms_allow) {
  run_once(GetParam().mode, GetParam().count);
  const tally& seen = seen_by(GetParam().mode);
  EXPECT_GT(seen.runs(), 0u);
  fmt::print("{} runs of this mode so far, {} outcomes of {} allowed\n", seen.runs(),
             seen.outcomes(), allowed_outcomes());
}

#ifndef FAR_THREAD_SANITIZER  // which cannot follow fibers

/// One seed of the simulator.
void simulate(std::uint64_t seed, int ranks, const std::function<void(world&)>& body) {
  run_options options;
  options.mode = job_mode::fibers;
  options.ranks = ranks;
  options.symmetric_bytes = heap_bytes;
  options.seed = seed;
  far::run(options, body);
}

struct sighting {
  std::size_t program;
  std::size_t outcome;
};

/// The outcomes that shared memory has shown and the simulator has not.
std::vector<sighting> unseen_on_sim() {
  std::vector<sighting> result;
  for (std::size_t i = 0; i < corpus().size(); ++i) {
    for (std::size_t k = 0; k < corpus()[i].allowed.size(); ++k) {
      const bool shown = seen_by(job_mode::threads).count(i, k) > 0 ||
                         seen_by(job_mode::processes).count(i, k) > 0;
      if (shown && seen_by(job_mode::fibers).count(i, k) == 0) result.push_back({i, k});
    }
  }
  return result;
}

/// Whether the model of store buffers shows the outcome (store_buffer.hpp).
bool store_buffers_show(const world& w, ptr<modelled_word> words, const sighting& one) {
  const judged& j = corpus()[one.program];
  if (!can_model(j.text)) return true;  // transfers and signals have no model
  return std::ranges::binary_search(store_outcomes(w, words, j.text, fault::nothing),
                                    j.allowed[one.outcome]);
}

/// Runs the programs of `wanted` under more seeds, and removes the outcomes that appear. Returns
/// the number of seeds used.
std::uint64_t search_on_sim(std::vector<sighting>& wanted, std::uint64_t max_seeds) {
  constexpr std::uint64_t first = 1001;
  tally& seen = seen_by(job_mode::fibers);
  std::uint64_t tried = 0;
  for (; tried < max_seeds && !wanted.empty(); ++tried) {
    indices programs;
    const std::size_t times = wanted.size() < 50 ? 32 : 4;  // per seed
    for (const sighting& one : wanted) programs.insert(programs.end(), times, one.program);
    simulate(first + tried, 4, [&](world& w) { play(w, programs, 1, seen); });
    std::erase_if(wanted,
                  [&](const sighting& one) { return seen.count(one.program, one.outcome) > 0; });
  }
  return tried;
}

// The simulator completes a put before it returns, so it shows no outcome that needs axiom 6; and
// it writes the bytes of a transfer once. The model of store buffers covers the first. The
// simulator must show everything else that shared memory shows; where it has not by chance, it gets
// more seeds.
TEST(litmus_shm, shows_only_what_the_simulator_may_show) {
  constexpr std::uint64_t max_seeds = 5000;
  // If the simulator lacks an order, dozens of programs miss outcomes at once. A few outcomes may
  // be rare: they need a processor that pauses for long, which random orders hardly ever produce.
  constexpr std::size_t most_rare = 5;
  for (const job_mode mode : {job_mode::threads, job_mode::processes, job_mode::fibers}) {
    for (const int ranks : {2, 3, 4}) run_once(mode, ranks);
  }
  std::vector<sighting> late;
  std::vector<sighting> wanted;
  std::size_t last = corpus().size();
  std::vector<outcome> prompt;  // what that program may show without axiom 6 and rewrites
  for (const sighting& one : unseen_on_sim()) {
    const judged& j = corpus()[one.program];
    if (std::exchange(last, one.program) != one.program)
      prompt = allowed(j.text, {.late_changes = false, .rewrites = false});
    const bool on_time = std::ranges::binary_search(prompt, j.allowed[one.outcome]);
    (on_time ? wanted : late).push_back(one);
  }
  fmt::print("not on sim: {} outcomes by axiom 6 or writing again, {} to look for\n", late.size(),
             wanted.size());
  const std::uint64_t tried = search_on_sim(wanted, max_seeds);
  fmt::print("looked for with {} more seeds: {} not found\n", tried, wanted.size());
  for (const sighting& one : wanted) {
    if (wanted.size() <= most_rare) break;
    const judged& j = corpus()[one.program];
    ADD_FAILURE() << text(j.text) << "\nshows " << text(j.text, j.allowed[one.outcome])
                  << " in shared memory, and not on the simulator in " << max_seeds << " seeds";
  }
  run_options options;
  options.ranks = 4;
  far::run(options, [&](world& w) {
    const auto words = allocate<modelled_word>(w, 4);
    barrier(w);
    for (const sighting& one : late) {
      EXPECT_TRUE(w.rank() != 0 || store_buffers_show(w, words, one))
          << explain(one.program, corpus()[one.program].allowed[one.outcome]);
    }
    barrier(w);
    deallocate(w, words);
  });
}

/// The number of seeds until some program shows an outcome that is not allowed; 0 if too many.
std::uint64_t seeds_to_find(slip mistake, const std::function<bool(const step&)>& concerns) {
  constexpr std::uint64_t max_seeds = 50;
  constexpr std::size_t max_programs = 300;
  indices which;
  for (const std::size_t i : of_ranks(2)) {
    const auto& threads = corpus()[i].text.threads;
    if (std::ranges::any_of(
            threads, [&](const thread& t) { return std::ranges::any_of(t.steps, concerns); })) {
      which.push_back(i);
    }
  }
  indices some;
  for (std::size_t i = 0; i < which.size(); i += 1 + which.size() / max_programs) {
    some.push_back(which[i]);
  }
  std::vector<const program*> programs;
  for (const std::size_t i : some) programs.push_back(&corpus()[i].text);
  for (std::uint64_t seed = 1; seed <= max_seeds; ++seed) {
    bool found = false;
    simulate(seed, 2, [&](world& w) {
      execute(w, programs, {1, mistake}, [&](std::size_t i, const outcome& o) {
        const judged& j = corpus()[some[i]];
        found = found || j.find(o) == j.allowed.size();
      });
    });
    if (found) return seed;
  }
  return 0;
}

TEST(litmus_slips, every_slip_is_found_on_the_simulator) {
  const auto find = [](const char* name, slip mistake, bool (*concerns)(const step&)) {
    const std::uint64_t seeds = seeds_to_find(mistake, concerns);
    EXPECT_NE(seeds, 0u) << name << " was not found";
    fmt::print("{}: found with {} seeds\n", name, seeds);
  };
  find("a flush left out", slip::no_flush, [](const step& s) { return s.what == verb::flush; });
  find("a signal before its payload", slip::signal_first,
       [](const step& s) { return s.signal != none; });
  find("words in halves", slip::half_words,
       [](const step& s) { return s.what == verb::put && s.cells == 1; });
  find("an update by get and put", slip::update_by_get_put,
       [](const step& s) { return is_update(s.what); });
  find("a put that returns too early", slip::unfinished_put,
       [](const step& s) { return s.what == verb::put && !s.async; });
  EXPECT_EQ(seeds_to_find(slip::nothing, [](const step&) { return true; }), 0u);
}

#endif

}  // namespace
}  // namespace far::litmus
