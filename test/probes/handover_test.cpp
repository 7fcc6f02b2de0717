// Probe: the hand-over of a lock. One baton goes round. A rank without it sleeps on a word of its
//   own memory; its predecessor stores there and wakes it up. A lost wake-up is a hang.

#include "test/support/jobs.hpp"

namespace far::fabric {
namespace {

using handover_test = test::on_ranks;

constexpr address turn(0, symmetric_segment, 64);     // on each rank: the last round it may run
constexpr address counter(0, symmetric_segment, 72);  // on rank 0; only the holder changes it

std::uint64_t read_word(context& c, address from) {
  completion done;
  std::uint64_t value = 0;
  const get_part part{from, &value, sizeof(value)};
  c.get({&part, 1}, &done);
  c.wait(done, {"value", from.rank(), from});
  return value;
}

void write(context& c, address to, std::uint64_t value) {
  const put_part part{to, &value, sizeof(value)};
  c.put({&part, 1});
  c.flush(to.rank());
}

TEST_P(handover_test, wakes_a_sleeping_waiter) {
  seeds = 200;
  const std::uint64_t rounds = options.mode == job_mode::fibers ? 10 : 300;
  run_fabric([rounds](fabric& rank) {
    const auto c = rank.open_context();
    rank.set_extent(symmetric_segment, 4096);
    rank.quiesce(*c);
    const int next = (rank.rank() + 1) % rank.size();
    const address mine = turn.on(rank.rank());
    for (std::uint64_t round = 1; round <= rounds; ++round) {
      if (rank.rank() > 0 || round > 1) {
        c->wait([&] { return c->peek(mine) == round; }, never, {"the baton", -1, mine});
      }
      // No other rank does this now, so a read and a write make an increment.
      const std::uint64_t before = read_word(*c, counter);
      EXPECT_EQ(before, (round - 1) * static_cast<std::uint64_t>(rank.size()) +
                            static_cast<std::uint64_t>(rank.rank()));
      write(*c, counter, before + 1);

      amo_request pass;
      pass.word = turn.on(next);
      pass.op = amo_op::store;
      pass.operand = next == 0 ? round + 1 : round;
      pass.wake = true;
      c->amo(pass, nullptr);
    }
    c->flush();
    rank.quiesce(*c);
    EXPECT_EQ(read_word(*c, counter), rounds * static_cast<std::uint64_t>(rank.size()));
    rank.quiesce(*c);
  });
}

// The same wait with a deadline: it ends at the deadline if no signal comes, and early if one does.
TEST_P(handover_test, ends_at_a_deadline) {
  seeds = 200;
  run_fabric([](fabric& rank) {
    const auto c = rank.open_context();
    rank.set_extent(symmetric_segment, 4096);
    rank.quiesce(*c);
    const address mine = turn.on(rank.rank());
    const std::uint64_t until = rank.now() + 1'000'000;
    EXPECT_FALSE(c->wait([&] { return c->peek(mine) != 0; }, until, {"nobody", -1, mine}));
    EXPECT_GE(rank.now(), until);
    rank.quiesce(*c);

    const signal wake{turn.on((rank.rank() + 1) % rank.size()), 7};
    c->put({}, nullptr, nullptr, &wake);
    EXPECT_TRUE(c->wait([&] { return c->peek(mine) == 7; }, never, {"a signal", -1, mine}));
    c->flush();
    rank.quiesce(*c);
  });
}

INSTANTIATE_FAR_MODES(handover_test);

}  // namespace
}  // namespace far::fabric
