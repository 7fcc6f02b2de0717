// Members that are in different collectives notice it in every build. Debug builds notice earlier,
// so these tests call what lies under the check of debug builds.

#include "far/team/mismatch.hpp"

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/team/exchange.hpp"
#include "far/team/link.hpp"
#include "far/team/matching.hpp"
#include "far/team/rendezvous.hpp"
#include "far/team/team.hpp"
#include "test/support/placements.hpp"

namespace far {
namespace {

using detail::collective;

class mismatch_test : public test::on_placed_ranks {
 protected:
  /// All ranks make a few calls, then `program`; the report must contain all of `words`.
  void expect_report(const std::vector<std::string>& words,
                     const std::function<void(world&, detail::team_state&)>& program) {
    run_to_failure<bad_argument>(
        [&](world& w) {
          barrier(w);
          (void)allreduce(w, 1);
          program(w, detail::world_team_state(w.state()));
        },
        [&](const std::string& what) {
          EXPECT_NE(what.find("collectives do not match"), std::string::npos) << what;
          for (const std::string& word : words) {
            EXPECT_NE(what.find(word), std::string::npos) << word << " is not in: " << what;
          }
        });
  }

  static void note(detail::team_state& team, collective what, int root = -1,
                   std::uint64_t element_bytes = 0, std::uint64_t elements = 0) {
    team.note_call(static_cast<unsigned>(what), root, element_bytes, elements);
  }
};
INSTANTIATE_FAR_MODES_ON(mismatch_test, 2, 3, 5);

TEST_P(mismatch_test, a_barrier_meets_an_allreduce) {
  expect_report({"rank 0", "called barrier", "called allreduce of 1 elements of 4 bytes",
                 "as call 3 of a team of "},
                [](world& w, detail::team_state& team) {
                  if (w.rank() == 0) {
                    note(team, collective::barrier);
                  } else {
                    note(team, collective::allreduce, -1, sizeof(int), 1);
                  }
                  detail::rendezvous(w.context(), team, "test");
                });
}

TEST_P(mismatch_test, lengths_differ_at_the_last_rank) {
  expect_report({"allreduce of 10 elements of 8 bytes", "allreduce of 11 elements of 8 bytes"},
                [](world& w, detail::team_state& team) {
                  note(team, collective::allreduce, -1, 8, w.rank() + 1 < w.size() ? 10 : 11);
                  detail::rendezvous(w.context(), team, "test");
                });
}

// A call that needs no answer does not wait; the next call of its rank meets the others.
TEST_P(mismatch_test, one_call_too_many_is_noticed_later) {
  expect_report({"rank 0", "called scan", "called barrier", "as call 3 of a team of "},
                [](world& w, detail::team_state& team) {
                  if (w.rank() == 0) note(team, collective::scan);
                  note(team, collective::barrier);
                  detail::rendezvous(w.context(), team, "test");
                });
}

TEST_P(mismatch_test, data_of_another_call_are_not_taken) {
  expect_report({"rank 0", "called broadcast of 2 elements of 4 bytes, root rank 0", "rank 1",
                 "called scan of 2 elements of 4 bytes"},
                [](world& w, detail::team_state& team) {
                  detail::link_set links(w.context(), team);
                  const int down = detail::link_at(0, detail::direction::down);
                  std::vector<int> list(2);
                  const auto bytes = std::as_writable_bytes(std::span(list));
                  if (w.rank() == 0) {
                    note(team, collective::broadcast, 0, sizeof(int), 2);
                    fabric::completion sent;
                    links.send(down, bytes.data(), bytes.size(), sent);
                    links.finish(sent);
                  } else if (w.rank() == 1) {
                    note(team, collective::scan, -1, sizeof(int), 2);
                    links.receive(down, bytes.data(), bytes.size());
                  }
                  w.fabric().quiesce(w.context());
                });
}

TEST_P(mismatch_test, exchanges_of_different_calls_do_not_mix) {
  expect_report({"called alltoallv", "called allgatherv"}, [](world& w, detail::team_state& team) {
    detail::learn_all_blocks(w.context(), team);
    note(team, w.rank() == 0 ? collective::alltoallv : collective::allgatherv);
    std::vector<std::byte> out(100);
    std::vector<std::byte> in(100 * static_cast<std::size_t>(w.size()));
    const auto outgoing = [&](int) { return std::span<const std::byte>(out); };
    const auto incoming = [&](int member) {
      return std::span(in).subspan(100 * static_cast<std::size_t>(member), 100);
    };
    detail::exchange(w.context(), team, {outgoing, incoming});
  });
}

// Nothing is sent, so only time tells. A simulation ends by itself, and lists who waits for what.
TEST_P(mismatch_test, members_that_wait_for_each_other_look_at_each_other) {
  if (is_simulated()) return;
  expect_report({"rank 0", "called barrier", "called broadcast of 1 elements of 4 bytes"},
                [](world& w, detail::team_state& team) {
                  if (w.rank() == 0) {
                    note(team, collective::barrier);
                    detail::rendezvous(w.context(), team, "test");
                  } else {
                    note(team, collective::broadcast, 0, sizeof(int), 1);
                    detail::link_set links(w.context(), team);
                    int value = 0;
                    links.receive(detail::link_at(0, detail::direction::down),
                                  reinterpret_cast<std::byte*>(&value), sizeof(value));
                  }
                });
}

struct leaves_at_end {
  const world& view;
  collective_scope scope = {};

  ~leaves_at_end() { scope.leave(view); }
};

TEST_P(mismatch_test, destructors_are_noticed) {
  run_to_failure<bad_argument>(
      [](world& w) {
        barrier(w);
        if (w.rank() == 0) {
          const leaves_at_end at_end{w};
        } else {
          EXPECT_EQ(allreduce(w, 1), w.size());
        }
        barrier(w);
      },
      [](const std::string& what) {
        EXPECT_NE(what.find("called barrier"), std::string::npos) << what;
        EXPECT_NE(what.find("called allreduce of 1 elements"), std::string::npos) << what;
      });
}

// Notes wrap around, and codes as well.
TEST_P(mismatch_test, equal_calls_go_on) {
  seeds = 2;
  constexpr int rounds = 40;
  run_placed([&](world& w) {
    for (int i = 0; i < rounds; ++i) {
      barrier(w);
      ASSERT_EQ(allreduce(w, i), i * w.size());
      ASSERT_EQ(broadcast(w, w.rank() + i, i % w.size()), i % w.size() + i);
    }
  });
}

}  // namespace
}  // namespace far
