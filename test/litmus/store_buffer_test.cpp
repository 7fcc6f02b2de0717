// The inline path on a processor with store buffers: what put, get, atomic_ref and flush do with
// its instructions is allowed by the axioms.

#include "test/litmus/store_buffer.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "far/fabric/copy.hpp"
#include "test/litmus/corpus.hpp"

#ifndef FAR_THREAD_SANITIZER  // there its one thread computes for minutes
namespace far::litmus {
namespace {

/// Calls look(program, what the processor shows) for the programs that the model can run.
void on_processor(fault mistake,
                  const std::function<void(const judged&, const std::vector<outcome>&)>& look) {
  run_options options;
  options.ranks = 4;
  options.symmetric_bytes = std::uint64_t{1} << 16;
  far::run(options, [&](world& w) {
    const auto words = allocate<modelled_word>(w, 4);
    barrier(w);
    for (const judged& j : corpus()) {
      if (w.rank() != 0 || !can_model(j.text)) continue;
      look(j, store_outcomes(w, words, j.text, mistake));
    }
    barrier(w);
    deallocate(w, words);
  });
}

TEST(store_buffer, inline_path_shows_only_what_the_axioms_allow) {
  std::size_t programs = 0;
  std::size_t outcomes = 0;
  std::size_t late = 0;
  std::size_t permitted = 0;
  on_processor(fault::nothing, [&](const judged& j, const std::vector<outcome>& shown) {
    const std::vector<outcome> prompt = allowed(j.text, {false});
    for (const outcome& o : shown) {
      EXPECT_TRUE(std::ranges::binary_search(j.allowed, o))
          << text(j.text) << "\nshows " << text(j.text, o);
      if (!std::ranges::binary_search(prompt, o)) ++late;
    }
    ++programs;
    outcomes += shown.size();
    permitted += j.allowed.size();
  });
  EXPECT_GT(late, 0u) << "the processor does not show axiom 6";
  fmt::print("{} programs, {} outcomes of {} allowed, {} of them by axiom 6 alone\n", programs,
             outcomes, permitted, late);
}

// A processor that breaks its own rules breaks the axioms.
TEST(store_buffer, every_fault_is_seen) {
  for (const fault f : {fault::fence_is_nothing, fault::stores_pass_stores,
                        fault::loads_miss_own_stores, fault::updates_do_not_wait}) {
    std::size_t seen = 0;
    on_processor(f, [&](const judged& j, const std::vector<outcome>& shown) {
      if (!std::ranges::includes(j.allowed, shown)) ++seen;
    });
    EXPECT_GT(seen, 0u) << "fault " << static_cast<int>(f);
    fmt::print("fault {}: seen by {} programs\n", static_cast<int>(f), seen);
  }
}

}  // namespace
}  // namespace far::litmus
#endif
