// The generated programs in every order that the simulator has: they show exactly what the axioms
// allow. Fibers are left out under ThreadSanitizer, which cannot follow them.

#include "far/fabric/sim/explore/exhaustive.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "far/fabric/copy.hpp"
#include "far/fabric/sim/simulation.hpp"
#include "test/litmus/corpus.hpp"

#ifndef FAR_THREAD_SANITIZER
namespace far::litmus {
namespace {

using namespace fabric;

using cell = std::uint64_t;
constexpr cell spread = 0x0101010101010101;  // repeats a small value in every byte

address word_of(const program& p, std::size_t place) {
  return {p.places[place].home, symmetric_segment, 64 + 64 * static_cast<std::uint64_t>(place)};
}

/// For a place that transfers access, one byte represents all.
std::uint8_t value_of(cell c, bool bytes) {
  const auto low = static_cast<std::uint8_t>(c);
  return bytes || c == low * spread ? low : torn;
}

/// The thread of one rank.
class player {
 public:
  player(context& c, const program& p, outcome& result) : c_(&c), program_(&p), result_(&result) {}

  void play(const thread& t) {
    for (const step& s : t.steps) one(s);
    c_->flush();
    c_->wait(in_flight_, {"what is under way", -1, {}});
    for (const coming& c : coming_) keep(c);
  }

 private:
  struct coming {
    std::array<cell, 2> values{};
    const step* from = nullptr;
  };

  void one(const step& s) {
    if (s.what == verb::flush) return c_->flush(s.rank == every_rank ? all_ranks : s.rank);
    if (s.what == verb::complete) return c_->wait(in_flight_, {"completion", -1, {}});
    const address word = word_of(*program_, s.place);
    if (s.what == verb::wait_signal) {
      c_->wait([&] { return c_->peek(word) != 0; }, never, {"signal", -1, word});
    }
    coming& c = coming_.emplace_back();
    c.from = &s;
    completion blocking;
    completion& done = s.async ? in_flight_ : blocking;
    if (s.what == verb::wait_signal) {
      c.values[0] = c_->peek(word);
    } else if (s.what == verb::put) {
      c.values.fill(s.value * spread);
      const put_part part{word, c.values.data(), s.cells * sizeof(cell)};
      const signal after{s.signal == none ? address() : word_of(*program_, s.signal), spread};
      c_->put({&part, 1}, &done, nullptr, s.signal == none ? nullptr : &after);
    } else if (s.what == verb::get) {
      const get_part part{word, c.values.data(), s.cells * sizeof(cell)};
      c_->get({&part, 1}, &done);
    } else {
      c_->amo(request_of(s, word, c.values[0]), &done);
    }
    c_->wait(blocking, {"completion", -1, word});
  }

  static amo_request request_of(const step& s, address word, cell& fetched) {
    amo_request r;
    r.word = word;
    r.operand = s.value * spread;
    r.op = s.what == verb::store       ? amo_op::store
           : s.what == verb::load      ? amo_op::load
           : s.what == verb::fetch_add ? amo_op::add
                                       : amo_op::swap;
    if (s.what != verb::store) r.fetched = &fetched;
    return r;
  }

  void keep(const coming& c) {
    const step& s = *c.from;
    for (std::size_t i = 0; s.reg != none && i < s.cells; ++i) {
      result_->registers[s.reg + i] =
          value_of(c.values[i], program_->is_moved_by_transfer(s.place));
    }
  }

  context* c_;
  const program* program_;
  outcome* result_;
  completion in_flight_;
  std::deque<coming> coming_;
};

struct shown {
  std::set<outcome> outcomes;
  sim::exhaustive_result result;
};

shown show(const program& p) {
  job_options options;
  options.ranks = p.ranks();
  options.mode = job_mode::fibers;
  options.symmetric_bytes = 8192;
  options.local_bytes = 8192;
  sim::exhaustive_search search({.bounded = 0, .verbs_only = true});
  shown all;
  do {
    outcome one;
    sim::simulation(options, search.begin_run()).run([&](far::fabric::fabric& rank) {
      const auto c = rank.open_context();
      rank.set_extent(symmetric_segment, 8192);
      rank.quiesce(*c);
      for (const thread& t : p.threads) {
        if (t.rank == rank.rank()) player(*c, p, one).play(t);
      }
      rank.quiesce(*c);
      for (std::size_t i = 0; i < p.places.size(); ++i) {
        if (p.places[i].home != rank.rank()) continue;
        for (std::size_t k = 0; k < static_cast<std::size_t>(p.places[i].cells); ++k) {
          one.memory[p.first_cell(i) + k] = value_of(
              c->peek(word_of(p, i) + static_cast<std::int64_t>(8 * k)), p.is_moved_by_transfer(i));
        }
      }
    });
    all.outcomes.insert(one);
  } while (search.next_run());
  all.result = search.result();
  return all;
}

/// Whether the simulator shows only some of the program's outcomes. The axioms let a transfer see
/// what a later get does not see yet (11), and a put fall into an update (4). The simulator does
/// neither.
bool is_shown_in_part(const program& p) {
  const auto any = [&](auto what) {
    return std::ranges::any_of(p.threads,
                               [&](const thread& t) { return std::ranges::any_of(t.steps, what); });
  };
  return any([](const step& s) { return s.what == verb::get && s.cells > 1; }) ||
         (any([](const step& s) { return is_update(s.what); }) &&
          any([](const step& s) { return s.what == verb::put; }));
}

TEST(litmus_exhaustive_test, shows_all_that_the_axioms_allow_and_nothing_else) {
  constexpr std::size_t every = 5;
  std::uint64_t programs = 0;
  std::uint64_t whole = 0;
  std::uint64_t schedules = 0;
  std::uint64_t repeated = 0;
  std::uint64_t max = 0;
  for (std::size_t i = 0; i < corpus().size(); i += every) {
    const program& p = corpus()[i].text;
    const shown all = show(p);
    const std::vector<outcome> may = allowed(p, {.late_changes = false, .rewrites = false});
    EXPECT_TRUE(all.result.complete) << text(p);
    for (const outcome& o : all.outcomes) {
      EXPECT_TRUE(std::ranges::binary_search(may, o)) << text(p) << "\nshows " << text(p, o);
    }
    ++programs;
    schedules += all.result.schedules;
    repeated += all.result.repeated;
    max = std::max(max, all.result.schedules);
    if (is_shown_in_part(p)) continue;
    ++whole;
    for (const outcome& o : may) {
      EXPECT_TRUE(all.outcomes.contains(o)) << text(p) << "\nlacks " << text(p, o);
    }
  }
  EXPECT_GE(whole, programs / 3);
  fmt::print("{} programs, {} schedules, {} of them repeated, at most {} of one\n", programs,
             schedules, repeated, max);
}

}  // namespace
}  // namespace far::litmus
#endif
