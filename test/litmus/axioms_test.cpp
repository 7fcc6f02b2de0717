// The abstract machine, compared with results from elsewhere.

#include "test/litmus/axioms.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/fabric/copy.hpp"
#include "test/litmus/corpus.hpp"

#ifndef FAR_THREAD_SANITIZER  // there its one thread computes for minutes
namespace far::litmus {
namespace {

/// All interleavings of a program of words, each operation at one moment: the outcomes under
/// sequential consistency.
class word_interleavings {
 public:
  explicit word_interleavings(const program& p) : program_(&p) { go_on({}, {}); }
  [[nodiscard]] std::vector<outcome> all() const { return {all_.begin(), all_.end()}; }

 private:
  void go_on(const outcome& now, const std::array<std::size_t, max_threads>& next) {
    bool ended = true;
    for (std::size_t t = 0; t < program_->threads.size(); ++t) {
      const auto& steps = program_->threads[t].steps;
      if (next[t] == steps.size()) continue;
      ended = false;
      outcome after = now;
      auto then = next;
      perform(steps[then[t]++], after);
      go_on(after, then);
    }
    if (ended) all_.insert(now);
  }
  void perform(const step& s, outcome& o) const {
    if (s.place == none) return;
    std::uint8_t& cell = o.memory[program_->first_cell(s.place)];
    const std::uint8_t old = cell;
    if (writes(s.what)) {
      cell = s.what == verb::fetch_add ? static_cast<std::uint8_t>(old + s.value) : s.value;
    }
    if (reads(s.what)) o.registers[s.reg] = old;
  }

  const program* program_;
  std::set<outcome> all_;
};

bool any_step(const program& p, bool (*holds)(const step&)) {
  return std::ranges::any_of(p.threads,
                             [&](const thread& t) { return std::ranges::any_of(t.steps, holds); });
}

/// Whether the program has only blocking word operations, and no plain put that might fall into an
/// update.
bool is_simple(const program& p) {
  if (any_step(p, [](const step& s) { return s.async || s.cells > 1 || s.signal != none; })) {
    return false;
  }
  return !any_step(p, [](const step& s) { return is_update(s.what); }) ||
         !any_step(p, [](const step& s) { return s.what == verb::put; });
}

TEST(litmus_axioms, blocking_words_without_axiom_6_are_sequentially_consistent) {
  int programs = 0;
  for (const judged& j : corpus()) {
    if (!is_simple(j.text)) continue;
    EXPECT_EQ(allowed(j.text, {false}), word_interleavings(j.text).all()) << text(j.text);
    ++programs;
  }
  EXPECT_GT(programs, 300);
}

TEST(litmus_axioms, blocking_words_with_flushes_are_sequentially_consistent) {
  int programs = 0;
  for (const judged& j : corpus()) {
    if (!is_simple(j.text)) continue;
    program flushed = j.text;
    step flush;
    flush.what = verb::flush;
    for (thread& t : flushed.threads) {
      for (std::size_t i = t.steps.size(); i > 0; --i) {
        t.steps.insert(t.steps.begin() + static_cast<std::ptrdiff_t>(i), flush);
      }
    }
    EXPECT_EQ(allowed(flushed), word_interleavings(j.text).all()) << text(flushed);
    ++programs;
  }
  EXPECT_GT(programs, 300);
}

// An additional rule never allows more outcomes.
TEST(litmus_axioms, order_takes_outcomes_away) {
  std::map<std::string, const judged*> by_name;
  for (const judged& j : corpus()) by_name[j.text.name] = &j;
  int pairs = 0;
  for (std::size_t i = 0; i < corpus().size(); ++i) {
    const judged& j = corpus()[i];
    EXPECT_FALSE(j.allowed.empty()) << text(j.text);
    if (i % 4 == 0) {
      EXPECT_TRUE(std::ranges::includes(j.allowed, allowed(j.text, {false}))) << text(j.text);
    }
    for (const char* order : {"+flushr", "+flush", "+wait"}) {
      std::string without = j.text.name;
      const std::size_t place = without.find(order + std::string("+"));
      if (place == std::string::npos) continue;
      const auto weaker = by_name.find(without.erase(place, std::string(order).size()));
      if (weaker == by_name.end()) continue;
      EXPECT_TRUE(std::ranges::includes(weaker->second->allowed, j.allowed)) << text(j.text);
      ++pairs;
    }
  }
  EXPECT_GT(pairs, 1000);
}

// The corpus shows each mistake, too, not only the table.
TEST(litmus_axioms, every_defect_shows_in_the_corpus) {
  for (const defect mistake :
       {defect::flush_does_nothing, defect::signal_before_payload, defect::words_tear,
        defect::updates_lose, defect::puts_out_of_order, defect::own_puts_unseen}) {
    const auto shows = [&](const judged& j) {
      return !std::ranges::includes(j.allowed, allowed(j.text, {.mistake = mistake}));
    };
    constexpr std::size_t stride = 101;  // visits all kinds of programs early
    std::size_t tried = 0;
    while (tried < corpus().size() && !shows(corpus()[tried * stride % corpus().size()])) ++tried;
    EXPECT_LT(tried, corpus().size()) << static_cast<int>(mistake);
  }
}

}  // namespace
}  // namespace far::litmus
#endif
