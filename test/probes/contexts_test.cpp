// Probe: two contexts of one rank. Each thread's flush covers its own operations and needs no other
//   thread; threads on other contexts continue meanwhile.

#include <array>
#include <memory>

#include "test/support/jobs.hpp"

namespace far::fabric {
namespace {

using contexts_test = test::on_ranks;

constexpr std::size_t words = 40;
using block = std::array<std::uint64_t, words>;

address area(int target, int writer, int thread) {
  const auto slot = static_cast<std::uint64_t>(2 * writer + thread);
  return {target, symmetric_segment, 1024 + slot * sizeof(block)};
}
address released(int rank) { return {rank, symmetric_segment, 64}; }

block read(context& c, address from) {
  completion done;
  block result{};
  const get_part part{from, result.data(), sizeof(result)};
  c.get({&part, 1}, &done);
  c.wait(done, {"a block", from.rank(), from});
  return result;
}

TEST_P(contexts_test, flush_independently) {
  seeds = 200;
  const std::uint64_t rounds = options.mode == job_mode::fibers ? 5 : 200;
  run_fabric([rounds](fabric& rank) {
    const auto c = rank.open_context();
    const std::array own{rank.open_context(), rank.open_context()};
    rank.set_extent(symmetric_segment, 65536);
    rank.quiesce(*c);
    // A put and a get on each of as many ranks, by two threads.
    const int others = test::rounds_in_sim(rank, 4 * static_cast<int>(rounds), rank.size());
    rank.run_threads(*c, 2, [&](int thread) {
      context& mine = *own[static_cast<std::size_t>(thread)];
      for (std::uint64_t round = 1; round <= rounds; ++round) {
        block sent;
        sent.fill(round * 2 + static_cast<std::uint64_t>(thread));
        for (int i = 0; i < others; ++i) {
          const int r = (rank.rank() + i) % rank.size();
          const put_part part{area(r, rank.rank(), thread), sent.data(), sizeof(sent)};
          mine.put({&part, 1});
        }
        for (int i = 0; i < others; ++i) {
          const int r = (rank.rank() + i) % rank.size();
          mine.flush(r);
          EXPECT_EQ(read(mine, area(r, rank.rank(), thread)), sent) << "round " << round;
        }
      }
    });
    rank.quiesce(*c);
  });
}

// One thread has a put in flight and sleeps until the other has flushed. If a flush waited for
// another context, or needed one for its completion, neither would ever wake up.
TEST_P(contexts_test, flush_needs_no_other_context) {
  seeds = 200;
  run_fabric([](fabric& rank) {
    const auto c = rank.open_context();
    const std::array own{rank.open_context(), rank.open_context()};
    rank.set_extent(symmetric_segment, 65536);
    rank.quiesce(*c);
    const int next = (rank.rank() + 1) % rank.size();
    const address mine = released(rank.rank());
    rank.run_threads(*c, 2, [&](int thread) {
      context& me = *own[static_cast<std::size_t>(thread)];
      block sent;
      sent.fill(static_cast<std::uint64_t>(thread) + 7);
      const put_part part{area(next, rank.rank(), thread), sent.data(), sizeof(sent)};
      me.put({&part, 1});
      if (thread == 0) {
        me.wait([&] { return me.peek(mine) == 1; }, never, {"the other thread", -1, mine});
      }
      me.flush(next);
      EXPECT_EQ(read(me, part.to), sent);
      const signal release{mine, 1};
      me.put({}, nullptr, nullptr, &release);
      me.flush();
    });
    rank.quiesce(*c);
  });
}

INSTANTIATE_FAR_MODES(contexts_test);

}  // namespace
}  // namespace far::fabric
