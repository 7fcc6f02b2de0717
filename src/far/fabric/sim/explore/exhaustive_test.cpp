// All schedules of small programs. Fibers are left out under ThreadSanitizer, which cannot follow
// them.

#include "far/fabric/sim/explore/exhaustive.hpp"

#include <array>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/random.hpp"
#include "far/fabric/copy.hpp"
#include "far/fabric/sim/explore/explorer_planted_test.hpp"
#include "far/fabric/sim/explore/job.hpp"
#include "far/fabric/sim/simulation.hpp"

#ifndef FAR_THREAD_SANITIZER
namespace far::fabric::sim {
namespace {

struct outcome {
  std::string failure;
  exhaustive_result result;
};

job_options small_job(int ranks) {
  job_options options;
  options.ranks = ranks;
  options.mode = job_mode::fibers;
  options.symmetric_bytes = 8192;
  options.local_bytes = 8192;
  return options;
}

outcome explore(int ranks, const planted::body& body, exhaustive_limits limits = {}) {
  const job_options options = small_job(ranks);
  exhaustive_search search(limits);
  outcome seen;
  try {
    do {
      simulation(options, search.begin_run()).run(planted::with_context(body));
    } while (search.next_run());
  } catch (const std::exception& error) {
    seen.failure = error.what();
  }
  seen.result = search.result();
  return seen;
}

TEST(exhaustive_test, finds_each_bug) {
  const std::map<const char*, std::pair<int, void (*)(fabric&, context&, bool)>> programs{
      {"a lost wake-up", {2, planted::wake_up}},
      {"a flag before its data", {2, planted::pass_message}},
      {"a count that is not atomic", {2, planted::count}},
  };
  for (const auto& [name, program] : programs) {
    const auto run = program.second;
    const outcome seen =
        explore(program.first, [run](fabric& rank, context& c) { run(rank, c, false); });
    EXPECT_FALSE(seen.failure.empty()) << name;
    EXPECT_LT(seen.result.schedules, 500u) << name;
    RecordProperty(name, static_cast<int>(seen.result.schedules));
  }
}

TEST(exhaustive_test, proves_that_a_message_comes_after_its_data) {
  const outcome seen =
      explore(2, [](fabric& rank, context& c) { planted::pass_message(rank, c, true); });
  EXPECT_EQ(seen.failure, "");
  EXPECT_TRUE(seen.result.complete);
  EXPECT_LT(seen.result.schedules, 5000u);
  RecordProperty("schedules", static_cast<int>(seen.result.schedules));
}

TEST(exhaustive_test, proves_that_an_atomic_counts) {
  const outcome seen = explore(2, [](fabric& rank, context& c) { planted::count(rank, c, true); });
  EXPECT_EQ(seen.failure, "");
  EXPECT_TRUE(seen.result.complete);
  EXPECT_LT(seen.result.schedules, 10'000u);
  RecordProperty("schedules", static_cast<int>(seen.result.schedules));
}

TEST(exhaustive_test, says_when_there_is_more) {
  const outcome seen = explore(3, [](fabric& rank, context& c) { planted::count(rank, c, true); },
                               {.schedules = 100});
  EXPECT_EQ(seen.result.schedules, 100u);
  EXPECT_FALSE(seen.result.complete);
}

// The rules of the search are part of a trace.
TEST(exhaustive_test, findings_replay) {
  for (const auto run : {planted::wake_up, planted::pass_message, planted::count}) {
    const rank_body body =
        planted::with_context([run](fabric& rank, context& c) { run(rank, c, false); });
    const auto failure_of = [&](const std::function<void()>& job) -> std::string {
      try {
        job();
      } catch (const std::exception& failure) {
        const std::string text = failure.what();
        return text.substr(0, text.find(" at "));
      }
      return "nothing";
    };
    for (const bool verbs : {false, true}) {
      job_options options = small_job(2);
      options.driver = verbs ? "exhaustive:verbs" : "exhaustive";
      std::string trace;
      options.trace = &trace;
      const std::string found =
          failure_of([&] { run_exhaustively(options, body, {.bounded = 0, .verbs_only = verbs}); });
      options.driver = "replay:" + trace;
      EXPECT_NE(found, "nothing");
      EXPECT_EQ(failure_of([&] { run_job(options, body); }), found) << trace;
    }
  }
}

/// An operation of a rank of a small program, on one of two words of each rank.
struct small_operation {
  enum class kind { put, get, add, flush } what;
  address word;
};
using small_program = std::vector<std::vector<small_operation>>;  // by rank

small_program random_program(base::random& random) {
  small_program program(2);
  for (auto& part : program) {
    for (std::uint64_t left = 1 + random.below(3); left > 0; --left) {
      const auto what = static_cast<small_operation::kind>(random.below(4));
      const auto word = planted::data + static_cast<std::int64_t>(8 * random.below(2));
      part.push_back({what, word.on(random.below(4) == 0 ? 1 : 0)});
    }
  }
  return program;
}

/// Runs a small program, and collects what its runs read.
class reader {
 public:
  /// `reads_on`: at the end, each rank reads a word of the other one.
  explicit reader(small_program program, bool reads_on = true)
      : program_(std::move(program)), reads_on_(reads_on) {}

  [[nodiscard]] const std::set<std::string>& outcomes() const noexcept { return outcomes_; }

  void operator()(fabric& rank, context& c) {
    const auto me = static_cast<std::size_t>(rank.rank());
    read_[me].clear();
    std::vector<std::uint64_t> values(program_[me].size());  // puts read these until the flush
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = 10 * me + i + 1;
      start(c, program_[me][i], values[i], read_[me]);
    }
    c.flush();
    if (reads_on_) read_[me] += std::to_string(planted::get(c, planted::data.on(1 - rank.rank())));
    if (++ended_ % 2 == 0) outcomes_.insert(read_[0] + " | " + read_[1]);
  }

 private:
  static void start(context& c, const small_operation& op, const std::uint64_t& value,
                    std::string& read) {
    const put_part part{op.word, &value, sizeof(value)};
    switch (op.what) {
      case small_operation::kind::put:
        return c.put({&part, 1});
      case small_operation::kind::get:
        read += std::to_string(planted::get(c, op.word)) + " ";
        return;
      case small_operation::kind::add:
        return c.amo({.word = op.word, .op = amo_op::add, .operand = 1000}, nullptr);
      case small_operation::kind::flush:
        return c.flush();
    }
  }

  small_program program_;
  bool reads_on_;
  std::array<std::string, 2> read_;
  int ended_ = 0;
  std::set<std::string> outcomes_;
};

// Random runs also cover what the search does not distinguish, and pauses of all lengths.
TEST(exhaustive_test, what_chance_comes_to_is_among_all_outcomes) {
  base::random random(5);
  std::size_t outcomes = 0;
  for (int i = 0; i < 8; ++i) {
    const small_program program = random_program(random);
    reader all(program);
    const outcome seen = explore(2, std::ref(all), {.bounded = 1, .verbs_only = true});
    EXPECT_EQ(seen.failure, "");
    EXPECT_TRUE(seen.result.complete) << "program " << i << ": " << seen.result.schedules;
    reader some(program);
    job_options options = small_job(2);
    for (options.seed = 1; options.seed <= 300; ++options.seed) {
      run_job(options, planted::with_context(std::ref(some)));
    }
    for (const std::string& one : some.outcomes()) {
      EXPECT_TRUE(all.outcomes().contains(one)) << "program " << i << ": " << one;
    }
    outcomes += all.outcomes().size();
  }
  EXPECT_GE(outcomes, 12u) << "the programs are too tame";
}

// Two reductions that leave out different runs must find the same outcomes.
TEST(exhaustive_test, programs_of_verbs_alone_need_fewer_schedules) {
  base::random random(7);
  for (int i = 0; i < 4; ++i) {
    small_program program = random_program(random);
    for (auto& part : program) part.resize(1);
    reader fine(program);
    reader coarse(program);
    const outcome few = explore(2, std::ref(fine), {.bounded = 1, .verbs_only = true});
    const outcome many = explore(2, std::ref(coarse), {.bounded = 1});
    EXPECT_TRUE(few.result.complete) << few.failure;
    EXPECT_TRUE(many.result.complete) << many.failure;
    EXPECT_EQ(fine.outcomes(), coarse.outcomes()) << "program " << i;
    EXPECT_LT(few.result.schedules, many.result.schedules);
  }
}

TEST(exhaustive_test, what_is_left_out_leads_nowhere_else) {
  using kind = small_operation::kind;
  const std::vector<small_program> programs{
      {{{kind::put, planted::data.on(1)}}, {{kind::get, planted::data.on(1)}}},
      {{{kind::add, planted::data}, {kind::put, planted::data}}, {}},
      {{{kind::get, planted::data.on(1)}}, {{kind::get, planted::data}}},
  };
  for (const small_program& program : programs) {
    reader reduced(program, false);
    reader plain(program, false);
    const outcome few = explore(2, std::ref(reduced), {.bounded = 1});
    const outcome many = explore(2, std::ref(plain), {.bounded = 1, .leave_out = reduction::none});
    EXPECT_TRUE(few.result.complete) << few.failure;
    EXPECT_TRUE(many.result.complete) << many.failure;
    EXPECT_EQ(reduced.outcomes(), plain.outcomes());
    EXPECT_LT(few.result.schedules, many.result.schedules / 2);
  }
}

}  // namespace
}  // namespace far::fabric::sim
#endif
