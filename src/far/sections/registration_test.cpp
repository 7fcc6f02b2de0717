#include "far/sections/registration.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "far/memory/allocate.hpp"
#include "far/rma/transfer.hpp"
#include "far/sections/transfer.hpp"
#include "test/support/jobs.hpp"

namespace far {
namespace {

class sections_registration_test : public test::on_ranks {};
INSTANTIATE_FAR_MODES_ON(sections_registration_test, 2);

TEST_P(sections_registration_test, transfers_are_counted_by_their_memory) {
  seeds = 3;
  run([](world& w) {
    using enum section_protocol;
    const auto there = allocate<int>(w, 400).on((w.rank() + 1) % w.size());
    const std::span<int> allocated = local_span(w, allocate_local<int>(w, 400), 400);
    std::vector<int> own(1 << 16);
    w.fabric().quiesce(w.context());
    const auto put_from = [&](const int* from, section_protocol how) {
      put(w, patch(there, 4, 5, 10), patch(from, 4, 5), how);
    };
    put_from(allocated.data(), per_segment);
    registration_counts seen = registrations(w);
    EXPECT_EQ(seen.allocated, 1U);
    EXPECT_EQ(seen.regions, 0U);
    put_from(own.data(), packed);
    put_from(own.data(), pipelined);
    EXPECT_EQ(registrations(w).copied, 2U);
    EXPECT_EQ(registrations(w).regions, 0U);
    // The first transfer without copies registers whole blocks, the next ones find them.
    put_from(own.data(), per_segment);
    put_from(own.data() + 1, per_segment);
    put_from(own.data(), host_assisted);
    seen = registrations(w);
    EXPECT_EQ(seen.registering, 1U);
    EXPECT_EQ(seen.known, 2U);
    EXPECT_EQ(seen.regions, 1U);
    EXPECT_EQ(seen.bytes % (64 << 10), 0U);
    // The neighbouring blocks join the region.
    get(w, patch(there, 4, 5, 10), patch(own.data(), 4, 5, 10'000), per_segment);
    seen = registrations(w);
    EXPECT_EQ(seen.registering, 2U);
    EXPECT_EQ(seen.regions, 1U);
    EXPECT_GE(seen.bytes, 3 * 10'000 * sizeof(int));
    // A list of both kinds.
    const std::vector<std::span<int>> here{allocated.first(2), std::span(own).first(2)};
    get(w, std::vector<remote_segment<int>>{{there, 4}}, here, per_segment);
    EXPECT_EQ(registrations(w).known, 3U);
    w.fabric().quiesce(w.context());
  });
}

#ifndef FAR_THREAD_SANITIZER  // which cannot follow fibers

// By the clock, the first transfer from memory that was not met before takes longer.
TEST(sections_registering_test, takes_time_once) {
  far::run({.ranks = 4, .mode = job_mode::fibers, .profile = "ib-2004-ia64"}, [](world& w) {
    const auto there = allocate<double>(w, 4096).on((w.rank() + 2) % w.size());
    std::vector<double> own(4096);
    w.fabric().quiesce(w.context());
    const auto time_of = [&](section_protocol how) {
      const std::uint64_t begin = w.now();
      put(w, patch(there, 1, 4096), patch(own.data(), 1, 4096), how);
      return w.now() - begin;
    };
    if (w.rank() == 0) {
      const std::uint64_t first = time_of(section_protocol::per_segment);
      EXPECT_GE(first, time_of(section_protocol::per_segment) + 60'000);
    }
    w.fabric().quiesce(w.context());
  });
}

#endif

}  // namespace
}  // namespace far
