#pragma once
// All runs of a small program: stateless depth-first search, which runs the program again and again
// from its start (Godefroid, "Model Checking for Programming Languages using VeriSoft", POPL 1997).
//
// The search first tries the runs that are calm except for one delay, then those with two. These
// find most bugs, with short traces. A delayed event or fiber waits until nothing else can happen
// (after Emmi, Qadeer, Rakamaric, "Delay-bounded scheduling", POPL 2011). An answer other than the
// calm one counts as a delay. If the bound left choices out, the search then tries all runs, by
// dynamic partial-order reduction: if two steps race (causality.hpp), the later one is also tried
// before the earlier one. For this, one of the steps with which the reversed order may begin is
// added to those to try there, unless one of them is there already (source sets: Abdulla, Aronis,
// Jonsson, Sagonas, "Optimal dynamic partial order reduction", POPL 2014). With sleep sets
// (Godefroid, LNCS 1032, 1996, chapter 5), a step that has been tried at some place is not tried
// again after other steps that it does not depend on. All answers of a step are tried; asleep, the
// step counts as touching what it touched with any of them.
//
// No step disables another, so everything that is enabled at some place happens later in the run,
// and its races are seen there.
//
// A step of a rank may read and change all memory of that rank by plain loads and stores, which the
// simulator does not see. So it depends on everything that others do there. `verbs_only` drops
// these dependences, for programs that access shared words, and buffers of transfers in flight,
// only by verbs and peek.
//
// To keep trees small, the search does not distinguish an operation that takes place at once from
// one that does so right after the call; longer pauses from shorter ones; and two runs in which
// independent steps came at other times (now() shows those). It does not see what ranks share
// outside of the fabric.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "far/fabric/sim/explore/causality.hpp"
#include "far/fabric/sim/explore/trace.hpp"

namespace far::fabric::sim {

/// What the search leaves out, besides what it never distinguishes. All reach the same outcomes.
enum class reduction : std::uint8_t {
  none,        ///< nothing
  sleep_sets,  ///< steps that were tried before others that they do not depend on
  source_sets  ///< and steps that no step depends on
};

struct exhaustive_limits {
  std::uint64_t schedules = 1'000'000;  ///< in total
  std::uint64_t bounded = 2'000;  ///< of each search with one or two delays; 0: no such searches
  std::uint64_t steps = 2'000;    ///< of one run; it continues calmly after these
  reduction leave_out = reduction::source_sets;
  bool verbs_only = false;  ///< the program makes no plain access to shared memory
};

struct exhaustive_result {
  std::uint64_t schedules = 0;  ///< runs that took place
  std::uint64_t repeated = 0;   ///< runs that turned out to be equivalent to earlier ones
  bool complete = false;        ///< no runs are left
};

/// The search. Get a driver from begin_run(), run the program with it, then call next_run().
class exhaustive_search {
 public:
  explicit exhaustive_search(exhaustive_limits limits = {})
      : limits_(limits), max_delays_(limits.bounded == 0 ? 0 : 1) {}
  exhaustive_search(const exhaustive_search&) = delete;
  exhaustive_search& operator=(const exhaustive_search&) = delete;

  /// A driver for one run; must not outlive the search.
  [[nodiscard]] std::unique_ptr<driver> begin_run();
  /// Call it after a run that did not fail. Returns false when no more runs are left, or allowed.
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
    bool is_step = false;                // what happens next; else an answer
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
  /// Whether it needs to know what steps touch.
  [[nodiscard]] bool follows() const noexcept {
    return max_delays_ == 0 && limits_.leave_out != reduction::none && !calm_;
  }
  [[nodiscard]] bool leaves_out_answers() const noexcept {
    return max_delays_ == 0 && limits_.leave_out != reduction::none;
  }
  void reverse(const causality::race& found);
  [[nodiscard]] static bool is_wanted(const node& at, std::uint64_t who) noexcept;
  bool backtrack();
  bool try_next(node& last);
  bool begin_search();

  exhaustive_limits limits_;
  exhaustive_result result_;
  std::uint64_t max_delays_;  // 0: no limit, with reduction
  std::uint64_t in_this_search_ = 0;
  bool left_out_ = false;  // a limit has left choices out

  std::vector<node> path_;
  std::size_t depth_ = 0;                     // of the current run in path_
  std::vector<std::size_t> places_of_steps_;  // of the current run, in path_
  causality causality_;
  std::map<std::uint64_t, std::uint64_t> delayed_;  // who: by which delay of the run
  std::uint64_t delays_ = 0;
  std::uint64_t steps_ = 0;
  bool calm_ = false;  // the rest of the run adds no choices
};

}  // namespace far::fabric::sim
