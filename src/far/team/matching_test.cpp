// Debug builds report the ranks whose collectives do not match.

#include "far/team/matching.hpp"

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/memory/memory.hpp"
#include "far/team/team.hpp"
#include "test/support/placements.hpp"

namespace far {
namespace {

class matching_test : public test::on_placed_ranks {
 protected:
  /// After a few matching calls, rank 0 runs `first` and the others run `others`; the report must
  /// contain all of `words`.
  void expect_report(const std::vector<std::string>& words,
                     const std::function<void(world&)>& first,
                     const std::function<void(world&)>& others) {
    run_to_failure<bad_argument>(
        [&](world& w) {
          barrier(w);
          (void)allreduce(w, 1);
          w.rank() == 0 ? first(w) : others(w);
          barrier(w);
        },
        [&](const std::string& what) {
          for (const std::string& word : words) {
            EXPECT_NE(what.find(word), std::string::npos) << word << " is not in: " << what;
          }
        });
  }
};
INSTANTIATE_FAR_MODES_ON(matching_test, 2, 3);

TEST_P(matching_test, names_are_those_of_the_functions) {
  EXPECT_STREQ(detail::name_of(detail::collective::barrier), "barrier");
  EXPECT_STREQ(detail::name_of(detail::collective::split), "split");
}

#ifdef FAR_DEBUG_CHECKS

TEST_P(matching_test, different_collectives) {
  expect_report(
      {"rank 0", "rank 1", "called barrier", "called broadcast of 5 elements of 4 bytes"},
      [](world& w) { barrier(w); },
      [](world& w) {
        std::vector<int> list(5);
        broadcast(w, list, 1);
      });
}

TEST_P(matching_test, different_lengths) {
  const auto call = [](world& w) {
    std::vector<double> list(w.rank() == 0 ? 10 : 11);
    allreduce(w, list);
  };
  expect_report({"rank 0", "allreduce of 10 elements of 8 bytes",
                 "allreduce of 11 elements of 8 bytes", "call 3 of a team of"},
                call, call);
}

TEST_P(matching_test, different_roots) {
  const auto call = [](world& w) { (void)broadcast(w, 1, w.rank() == 0 ? 0 : 1); };
  expect_report({"root rank 0", "root rank 1"}, call, call);
}

TEST_P(matching_test, different_operations) {
  expect_report(
      {"rank 0", "operations of different types"},
      [](world& w) { (void)allreduce(w, 1, minimum{}); },
      [](world& w) { (void)allreduce(w, 1, maximum{}); });
}

TEST_P(matching_test, different_allocations) {
  expect_report(
      {"rank 0", "different calls of far::allocate"}, [](world& w) { (void)allocate<int>(w, 100); },
      [](world& w) { (void)allocate<int>(w, 200); });
}

TEST_P(matching_test, one_call_too_many) {
  expect_report(
      {"rank 0", "called split", "called barrier"}, [](world& w) { (void)team::of(w).split(w, 0); },
      [](world&) {});
}

#endif

TEST_P(matching_test, a_collective_inside_another_is_refused) {
  run_placed([](world& w) {
    detail::team_state& state = detail::world_team_state(w.state());
    const detail::team_state::use inside(state, "allreduce");
    EXPECT_THROW(barrier(w), bad_argument);
  });
}

}  // namespace
}  // namespace far
