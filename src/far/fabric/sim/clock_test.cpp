// Virtual time: the time of each operation follows from the profile by the equations of
// docs/simulator_internals.md, to the picosecond, and the same program takes the same time again.

#include <unistd.h>

#include <fstream>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/base/random.hpp"
#include "far/containers/map/key_work.hpp"
#include "far/fabric/copy.hpp"
#include "far/fabric/handlers.hpp"
#include "far/fabric/job.hpp"
#include "far/fabric/sim/clock_machine_test.hpp"
#include "far/fabric/sim/profile.hpp"

#ifndef FAR_THREAD_SANITIZER

namespace far::fabric {
namespace {

using namespace clock_machine;

/// The time that `what` takes rank 0 of a job of `ranks` ranks, in ns.
std::uint64_t time_of(int ranks, const machine_file& machine, const body& what) {
  std::uint64_t took = 0;
  run(ranks, machine, [&](fabric& rank, context& c) {
    if (rank.rank() != 0) return;
    const std::uint64_t begin = rank.now();
    what(rank, c);
    took = rank.now() - begin;
  });
  return took;
}

TEST(clock_test, small_operations_take_what_the_equations_say) {
  const machine_file machine;
  std::vector<std::byte> small(8);
  const auto to_other = [&](const body& what) { return time_of(2, machine, what); };
  // Start, out, service, back, completion; at 100 ns per 1024 bytes, 8 bytes take 0.78 ns.
  EXPECT_EQ(to_other([&](fabric&, context& c) { put(c, word.on(1), small); }),
            10u + 1000 + 100 + 1000 + 3);
  EXPECT_EQ(to_other([&](fabric&, context& c) { get(c, word.on(1), small); }),
            20u + 1000 + 200 + 1000 + 3 + 1);
  EXPECT_EQ(to_other([&](fabric&, context& c) { update(c, word.on(1), amo_op::add); }),
            30u + 1000 + 400 + 1000 + 3);
  EXPECT_EQ(to_other([&](fabric&, context& c) { update(c, word.on(1), amo_op::swap); }),
            30u + 1000 + 300 + 1000 + 3);
}

TEST(clock_test, distance_is_by_node_and_group) {
  const machine_file machine;
  std::vector<std::byte> small(8);
  const auto put_to = [&](int rank) {
    return time_of(4, machine, [&](fabric&, context& c) { put(c, word.on(rank), small); });
  };
  EXPECT_EQ(put_to(2) - put_to(1), 2u * (5000 - 1000));
  EXPECT_LT(put_to(0), put_to(1));
}

TEST(clock_test, inside_a_node_the_processor_does_it) {
  const machine_file machine(R"(, "ranks_per_node": 2, "inside": {"put": 7, "get": 8, "amo": 9},
                                  "links": {"node": {"kilobyte": 10}}, "line_transfer": 60)");
  std::vector<std::byte> small(8);
  std::vector<std::byte> bytes(large_bytes);
  const auto to_other = [&](const body& what) { return time_of(2, machine, what); };
  EXPECT_EQ(to_other([&](fabric&, context& c) { put(c, word.on(1), small); }), 7u);
  EXPECT_EQ(to_other([&](fabric&, context& c) { get(c, word.on(1), small); }), 8u);
  EXPECT_EQ(to_other([&](fabric&, context& c) { update(c, word.on(1), amo_op::load); }), 8u);
  EXPECT_EQ(to_other([&](fabric&, context& c) { update(c, word.on(1), amo_op::add); }), 9u);
  EXPECT_EQ(to_other([&](fabric&, context& c) { put(c, large.on(1), bytes); }), 7u + 10 * 1024);

  // The line is fetched from the rank that touched it last, then stays.
  run(2, machine, [&](fabric& rank, context& c) {
    if (rank.rank() == 1) {
      update(c, word, amo_op::add);
      return rank.quiesce(c);
    }
    rank.quiesce(c);
    const std::uint64_t begin = rank.now();
    update(c, word, amo_op::add);
    EXPECT_EQ(rank.now() - begin, 9u + 60);
    update(c, word + 8, amo_op::add);
    EXPECT_EQ(rank.now() - begin, 9u + 60 + 9);
  });
}

TEST(clock_test, copying_has_a_beginning_and_leaves_the_nearest_cache) {
  const machine_file machine(R"(, "ranks_per_node": 2, "inside": {"put": 7},
                                  "copy": 5, "spilled_kilobyte": 20)");
  const auto copy_of = [&](std::size_t count) {
    const std::vector<std::byte> some(count);
    return time_of(2, machine, [&](fabric&, context& c) { put(c, large.on(1), some); });
  };
  EXPECT_EQ(copy_of(64), 7u);
  EXPECT_EQ(copy_of(65), 7u + 5);
  EXPECT_EQ(copy_of(16 << 10), 7u + 5);
  EXPECT_EQ(copy_of(64 << 10), 7u + 5 + 48 * 20);
}

TEST(clock_test, a_signal_after_bytes_costs_more_than_one_alone) {
  const machine_file machine(R"(, "ranks_per_node": 2, "inside": {"put": 7}, "payload": 30)");
  std::vector<std::byte> bytes(8);
  const auto tell = [&](std::size_t count) {
    return time_of(2, machine, [&](fabric&, context& c) {
      completion done;
      const put_part part{large.on(1), bytes.data(), count};
      const signal after{word.on(1), 1};
      c.put({&part, 1}, &done, nullptr, &after);
      c.wait(done, {"a signal", 1, {}});
    });
  };
  EXPECT_EQ(tell(8) - tell(0), 30u);
}

TEST(clock_test, keys_are_worked_on) {
  const machine_file machine(R"(, "batch_key": 5, "first_key": 30)");
  const auto time_of_keys = [&](std::size_t keys) {
    return time_of(2, machine,
                   [keys](fabric& f, context& c) { containers::key_work(f).charge(c, keys); });
  };
  EXPECT_EQ(time_of_keys(256), 30u + 5u * 256);
  EXPECT_EQ(time_of_keys(0), 0u);
}

TEST(clock_test, own_work_is_charged) {
  const machine_file machine(R"(, "batch_key": 5)");
  const auto time_of_work = [&](std::string_view figure) {
    return time_of(2, machine,
                   [figure](fabric& f, context& c) { c.charge(3 * f.work_cost_ps(figure)); });
  };
  EXPECT_EQ(time_of_work("batch_key"), 15u);
  EXPECT_EQ(time_of_work("no such figure"), 0u);
}

TEST(clock_test, bytes_take_their_time_once) {
  const machine_file machine(R"(, "get_kilobyte": 50)");
  std::vector<std::byte> bytes(large_bytes);
  const std::uint64_t wire = 100 * 1024;
  EXPECT_EQ(time_of(2, machine, [&](fabric&, context& c) { put(c, large.on(1), bytes); }),
            10u + 1000 + wire + 100 + 1000 + 3);
  EXPECT_EQ(time_of(2, machine, [&](fabric&, context& c) { get(c, large.on(1), bytes); }),
            20u + 1000 + 200 + 50 * 1024 + 1000 + wire + 3);
}

TEST(clock_test, an_interface_takes_one_after_the_other) {
  const machine_file machine(R"(, "gap": 500)");
  std::vector<std::byte> small(8);
  const auto puts = [&](int count) {
    return time_of(2, machine, [&](fabric&, context& c) {
      completion done;
      const put_part part{word.on(1), small.data(), small.size()};
      for (int i = 0; i < count; ++i) c.put({&part, 1}, &done);
      c.wait(done, {"puts", 1, {}});
    });
  };
  EXPECT_EQ(puts(11) - puts(1), 10u * 500);
}

TEST(clock_test, atomics_queue_at_their_word) {
  std::uint64_t last = 0;
  const auto contend = [&](int ranks_per_node, bool same) {
    const machine_file machine(
        fmt::format(R"(, "same_word_gap": 10000, "ranks_per_node": {})", ranks_per_node));
    last = 0;
    run(8, machine, [&](fabric& rank, context& c) {
      const std::uint64_t begin = rank.now();
      update(c, same ? word.on(0) : word.on(0) + 8 * rank.rank(), amo_op::add);
      last = std::max(last, rank.now() - begin);
    });
    return last;
  };
  const std::uint64_t apart = contend(1, false);
  EXPECT_GE(contend(1, true), 6u * 10000) << "all but the word's own rank come to the interface";
  EXPECT_LT(apart, 20000u);
  EXPECT_LT(contend(8, true), 1000u) << "it is the interface that is slow";
}

struct echo {
  static void run(message& m) { m.reply(m.bytes()); }
};

std::uint64_t round_trip(bool service, std::uint64_t computing_ns, const char* more = "") {
  const machine_file machine(more);
  std::uint64_t took = 0;
  run(
      2, machine,
      [&](fabric& rank, context& c) {
        if (rank.rank() == 1) return c.compute(computing_ns);
        const std::uint64_t begin = rank.now();
        request answer;
        c.send(
            {.rank = 1, .handler = handler_of<echo>::index(), .reply = &answer, .reply_bytes = 8});
        c.wait(answer, {"answer", 1, {}});
        took = rank.now() - begin;
      },
      service);
  return took;
}

TEST(clock_test, handlers_wait_for_attention) {
  const std::uint64_t attentive = round_trip(false, 0);
  EXPECT_GE(attentive, 2u * 1000 + 2 * 40 + 50);
  EXPECT_LT(attentive, 2500u);
  EXPECT_EQ(round_trip(false, 0, R"(, "answer": 70)"), attentive + 70);
  EXPECT_GE(round_trip(false, 1'000'000), 1'000'000u);
  EXPECT_LT(round_trip(true, 1'000'000), 10'000u);
}

/// Replies with the request's bytes, which land.
struct landing_echo {
  static void run(message& m) {
    const gather data{m.bytes().data(), m.bytes().size()};
    m.reply({}, {&data, 1});
  }
};

// Its data are put, and nobody receives a message.
TEST(clock_test, a_reply_that_only_lands_is_no_message) {
  const auto took_with = [](const char* more) {
    const machine_file machine(more);
    std::uint64_t took = 0;
    run(2, machine, [&](fabric& rank, context& c) {
      if (rank.rank() == 1) return;
      const std::uint64_t begin = rank.now();
      const landing place{word, sizeof(begin)};
      request answer;
      c.send({.rank = 1,
              .handler = handler_of<landing_echo>::index(),
              .head = std::as_bytes(std::span(&begin, 1)),
              .reply = &answer,
              .landings = {&place, 1}});
      c.wait(answer, {"answer", 1, {}});
      EXPECT_EQ(c.peek(word), begin);
      took = rank.now() - begin;
    });
    return took;
  };
  const std::uint64_t took = took_with("");
  EXPECT_EQ(took_with(R"(, "answer": 70)"), took);
  // A descriptor at each end instead of a message's 40 ns.
  EXPECT_EQ(took_with(R"(, "descriptor_segments": 1, "descriptor": 10)"), took + 10 - 40 + 10);
}

TEST(clock_test, a_busy_service_thread_is_not_woken_again) {
  const machine_file machine(R"(, "handoff": 5000)");
  std::uint64_t took = 0;
  run(
      2, machine,
      [&](fabric& rank, context& c) {
        if (rank.rank() == 1) return c.compute(1'000'000);
        const std::uint64_t begin = rank.now();
        std::vector<request> answers(10);
        for (request& answer : answers) {
          c.send({.rank = 1,
                  .handler = handler_of<echo>::index(),
                  .reply = &answer,
                  .reply_bytes = 8});
        }
        for (request& answer : answers) c.wait(answer, {"answer", 1, {}});
        took = rank.now() - begin;
      },
      true);
  EXPECT_GE(took, 5000u + 2 * 1000);
  EXPECT_LT(took, 2u * 5000 + 2 * 1000);
}

TEST(clock_test, loops_over_progress_let_time_pass) {
  const machine_file machine;
  run(2, machine, [&](fabric& rank, context& c) {
    const std::uint64_t end = rank.now() + 10'000;
    while (rank.now() < end) c.progress();
  });
}

TEST(clock_test, the_same_program_takes_the_same_time) {
  const auto ends = [] {
    std::vector<std::uint64_t> times;
    job_options options;
    options.ranks = 64;
    options.mode = job_mode::fibers;
    options.profile = "cori-aries";
    run_job(options, [&](fabric& rank) {
      const auto c = rank.open_context();
      rank.set_extent(symmetric_segment, 8192);
      rank.quiesce(*c);
      for (int i = 1; i <= 20; ++i) {
        update(*c, word.on((rank.rank() * 7 + i) % rank.size()), amo_op::add);
      }
      times.push_back(rank.now());
      rank.quiesce(*c);
    });
    return times;
  };
  const std::vector<std::uint64_t> times = ends();
  EXPECT_EQ(times, ends());
  // The same with every compiler and library. Another number here means that predictions change:
  // say so in the changelog.
  std::uint64_t digest = 0;
  for (const std::uint64_t t : times) digest = base::mix(digest ^ t);
  EXPECT_EQ(digest, 0xb24795b9cb150063u) << fmt::format("{:#x}", digest);
}

TEST(clock_test, a_deadlock_is_told) {
  const machine_file machine;
  try {
    run(2, machine, [](fabric& rank, context& c) {
      if (rank.rank() == 0) c.wait([] { return false; }, never, {"nothing", 1, word});
    });
    FAIL() << "no exception";
  } catch (const deadlock& error) {
    EXPECT_NE(std::string(error.what()).find("waits for: nothing, rank 1"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace far::fabric

#endif
