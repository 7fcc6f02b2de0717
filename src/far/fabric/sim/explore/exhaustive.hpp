#pragma once
// All ways that a small program can go: stateless search, depth first, by running the program
// again and again from its start (Godefroid, "Model Checking for Programming Languages using
// VeriSoft", POPL 1997).
//
// First the runs that are calm but for one delay, then those with two, which find most bugs and
// make short traces of them: what is delayed waits until nothing else can happen (after Emmi,
// Qadeer, Rakamaric, "Delay-bounded scheduling", POPL 2011). An answer other than the calm one
// counts as a delay. If choices were left out by that, then all, by dynamic partial-order
// reduction: a step is tried before an earlier one if they race (causality.hpp), and then one of
// those that the reversed order may begin with is added to what is to be tried there, unless one of
// them is already (source sets: Abdulla, Aronis, Jonsson, Sagonas, "Optimal dynamic partial order
// reduction", POPL 2014). With sleep sets (Godefroid, LNCS 1032, 1996, chapter 5): once a step has
// been tried at some place, it is not tried again behind others that it does not depend on. Answers
// of a step are tried in full; asleep, it touches what it touched with any of them.
//
// No step makes another impossible, so all that can go on at some place happens later in the run:
// its races are seen there.
//
// A step of a rank may read and change all memory of that rank by plain loads and stores, which
// nobody sees; so it depends on all that others do there. For programs that reach shared words,
// and buffers of transfers under way, by verbs and peek alone, `verbs_only` leaves that out.
//
// Not told apart, so that trees stay small: an operation that takes place at once from one that
// does so right after the call; longer pauses from shorter ones; and two runs in which
// independent steps came at other moments (now() shows those). What ranks share outside of the
// fabric is not seen.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "far/fabric/sim/explore/causality.hpp"
#include "far/fabric/sim/explore/trace.hpp"

namespace far::fabric::sim {

/// What the search leaves out, beside what it never tells apart. All come to the same outcomes.
enum class reduction : std::uint8_t {
  none,        ///< nothing
  sleep_sets,  ///< steps that were tried before others on which they do not depend
  source_sets  ///< and steps that nothing depends on
};

struct exhaustive_limits {
  std::uint64_t schedules = 1'000'000;  ///< all together
  std::uint64_t bounded = 2'000;        ///< of a search with one delay, or with two; 0: no such
  std::uint64_t steps = 2'000;          ///< of one run: what follows goes calmly
  reduction leave_out = reduction::source_sets;
  bool verbs_only = false;  ///< the program makes no plain access to shared memory
};

struct exhaustive_result {
  std::uint64_t schedules = 0;  ///< runs that took place
  std::uint64_t repeated = 0;   ///< of these, runs that turned out to be like earlier ones
  bool complete = false;        ///< there are no others
};

/// The search. Ask for a driver, run the program with it, go on with next_run().
class exhaustive_search {
 public:
  explicit exhaustive_search(exhaustive_limits limits = {})
      : limits_(limits), most_delays_(limits.bounded == 0 ? 0 : 1) {}
  exhaustive_search(const exhaustive_search&) = delete;
  exhaustive_search& operator=(const exhaustive_search&) = delete;

  /// For one run; must not outlive the search.
  [[nodiscard]] std::unique_ptr<driver> begin_run();
  /// After a run that did not fail. False when no more runs are left, or allowed.
  bool next_run();
  [[nodiscard]] const exhaustive_result& result() const noexcept { return result_; }

 private:
  class follower;

  /// A step that need not be tried: an event or fiber, and what it touches.
  struct sleeper {
    std::uint64_t who;
    footprint touches;
  };

  /// A choice of the current run.
  struct node {
    std::uint64_t chosen = 0;
    std::uint64_t bound = 0;
    bool is_step = false;                // what happens next, or else an answer
    std::vector<std::uint64_t> options;  // of a step: who could be chosen, the delayed ones last
    std::vector<std::uint64_t> places;   // of the options, as the explorer counts
    std::vector<sleeper> asleep;         // when it was reached, and those tried since
    std::vector<std::uint64_t> wanted;   // of a step: those to try, unless they are asleep
    footprint touches;                   // by the chosen step, in all runs so far
  };

  std::uint64_t step(std::span<const std::uint64_t> events, std::span<const std::uint32_t> fibers);
  std::uint64_t answer(std::uint64_t bound);
  void add_options(node& next, std::span<const std::uint64_t> events,
                   std::span<const std::uint32_t> fibers) const;
  void end_step();
  [[nodiscard]] std::vector<sleeper> still_asleep() const;
  [[nodiscard]] bool may_delay(const node& last, std::uint64_t next) const noexcept;
  /// Whether it has a use for what steps touch.
  [[nodiscard]] bool follows() const noexcept {
    return most_delays_ == 0 && limits_.leave_out != reduction::none && !calm_;
  }
  [[nodiscard]] bool leaves_out_answers() const noexcept {
    return most_delays_ == 0 && limits_.leave_out != reduction::none;
  }
  void reverse(const causality::race& found);
  [[nodiscard]] static bool is_wanted(const node& at, std::uint64_t who) noexcept;
  bool backtrack();
  bool try_next(node& last);
  bool begin_search();

  exhaustive_limits limits_;
  exhaustive_result result_;
  std::uint64_t most_delays_;  // 0: any number, with reduction
  std::uint64_t in_this_search_ = 0;
  bool left_out_ = false;  // choices, because of a limit

  std::vector<node> path_;
  std::size_t depth_ = 0;                     // of the current run in path_
  std::vector<std::size_t> places_of_steps_;  // of the current run, in path_
  causality causality_;
  std::map<std::uint64_t, std::uint64_t> delayed_;  // who, and which delay of the run it was
  std::uint64_t delays_ = 0;
  std::uint64_t steps_ = 0;
  bool calm_ = false;  // the rest of the run adds no choices
};

}  // namespace far::fabric::sim
