// How much memory an aggregator takes, and how long it keeps calls.

#include <algorithm>
#include <cstdint>

#include <gtest/gtest.h>

#include "far/rpc/aggregator_test.hpp"
#include "far/rpc/progress.hpp"
#include "test/support/jobs.hpp"

namespace {

using aggregator_bounds_test = far::test::on_ranks;
using far::test::note_arrival;
using note_aggregator = far::aggregator<note_arrival, std::uint64_t>;

TEST_P(aggregator_bounds_test, memory_stays_within_bounds) {
  const bool fibers = GetParam().mode == far::job_mode::fibers;
  run([fibers](far::world& world) {
    const int targets = far::test::rounds_in_sim(world, 20, world.size());
    const int calls = far::test::rounds_in_sim(world, 2, fibers ? 200 : 2000);
    const far::aggregator_options limits = far::test::small_limits();
    note_aggregator note(world, {}, limits);
    far::test::random_calls mine(world.rank(), world.size(), targets);
    for (int i = 0; i < calls; ++i) {
      const auto call = mine.next();
      note(call.target, call.number);
    }
    note.flush();
    far::quiesce(world);
    far::test::expect_each_once(world, calls, targets);

    const far::aggregator_counts counts = note.counts();
    EXPECT_GT(counts.max_buffer_bytes, 0u);
    EXPECT_LE(counts.max_buffer_bytes, limits.buffer_bytes);
    EXPECT_GT(counts.max_in_flight, 0u);
    EXPECT_LE(counts.max_in_flight, limits.max_in_flight_bytes);
    // Three buffers: with more targets, some buffers were sent to free them for others.
    if (targets <= 3) {
      EXPECT_EQ(counts.evicted, 0u);
    } else if (calls > 50) {
      EXPECT_GT(counts.evicted, 0u);
    }
    // A buffer holds seven calls.
    EXPECT_GE(counts.messages, static_cast<std::uint64_t>(calls) / 7);
    EXPECT_LE(counts.full + counts.evicted + counts.late, counts.messages);
    EXPECT_EQ(counts.large, 0u);
  });
}

TEST_P(aggregator_bounds_test, many_ranks_share_the_memory) {
  run([](far::world& world) {
    far::aggregator_options limits;
    limits.buffer_bytes = std::size_t{2048} * static_cast<unsigned>(world.size());
    limits.patience_ns = far::fabric::never;
    note_aggregator note(world, {}, limits);
    for (std::uint64_t i = 0; i < 64; ++i) {
      note((world.rank() + static_cast<int>(i % 4)) % world.size(), i);
    }
    // Each buffer has the size of a message or its share of the memory: none is full or evicted.
    EXPECT_EQ(note.counts().messages, 0u);
    EXPECT_LE(note.counts().max_buffer_bytes, limits.buffer_bytes);
    note.flush();
    EXPECT_EQ(note.counts().messages, static_cast<std::uint64_t>(std::min(4, world.size())));
    far::quiesce(world);
  });
}

INSTANTIATE_FAR_MODES(aggregator_bounds_test);

#ifndef FAR_THREAD_SANITIZER

/// Two ranks in virtual time; rank 0 runs the body.
template <class Body>
void in_virtual_time(Body body) {
  far::run_options options;
  options.mode = far::job_mode::fibers;
  options.ranks = 2;
  options.profile = "cori-aries";
  far::run(options, [body](far::world& world) {
    if (world.rank() == 0) body(world);
    far::quiesce(world);
  });
}

constexpr std::uint64_t us = 1000;

TEST(AggregatorTime, PatienceEndsAtAPush) {
  in_virtual_time([](far::world& world) {
    far::aggregator_options options;
    options.patience_ns = 1000 * us;
    note_aggregator note(world, {}, options);
    for (std::uint64_t i = 0; i < 500; ++i) note(1, i);  // looks at the clock become rare
    const std::uint64_t start = world.now();
    note(0, 500);
    std::uint64_t pushes = 0;
    while (note.counts().late < 2) {
      EXPECT_LE(world.now() - start, 20'000 * us);
      world.compute(100 * us);
      note(0, 501 + pushes++);
    }
    // After a quick phase, some pushes are not followed by a look, but no more than 64.
    EXPECT_GE(world.now() - start, 1000 * us);
    EXPECT_LE(pushes, 65u + 10u);

    // From now on each push is followed by a look.
    note.flush();
    const std::uint64_t again = world.now();
    note(1, 1000);
    while (note.counts().late < 3) {
      world.compute(100 * us);
      note(1, 1001 + pushes++);
    }
    EXPECT_GE(world.now() - again, 1000 * us);
    EXPECT_LE(world.now() - again, 1200 * us);
  });
}

TEST(AggregatorTime, PatienceEndsAtAPoll) {
  in_virtual_time([](far::world& world) {
    far::aggregator_options options;
    options.patience_ns = 1000 * us;
    note_aggregator note(world, {}, options);
    note(1, 1);
    const std::uint64_t start = world.now();
    do {
      EXPECT_EQ(note.counts().messages, 0u);
      world.compute(100 * us);
      note.poll();
    } while (world.now() - start < 1000 * us);
    EXPECT_EQ(note.counts().late, 1u);
    EXPECT_EQ(note.counts().messages, 1u);
  });
}

TEST(AggregatorTime, PatienceMayLastForEver) {
  in_virtual_time([](far::world& world) {
    far::aggregator_options options;
    options.patience_ns = far::fabric::never;
    note_aggregator note(world, {}, options);
    for (std::uint64_t i = 0; i < 100; ++i) {
      world.compute(1'000'000 * us);
      note(1, i);
      note.poll();
    }
    EXPECT_EQ(note.counts().messages, 0u);
  });
}

#endif

}  // namespace
