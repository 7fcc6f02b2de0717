#include "far/sections/protocol.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/fabric/reach.hpp"
#include "far/memory/allocate.hpp"
#include "far/sections/costs.hpp"
#include "far/sections/transfer.hpp"
#include "test/support/jobs.hpp"

namespace far::sections {
namespace {

class sections_protocol_test : public test::on_ranks {};
INSTANTIATE_FAR_MODES_ON(sections_protocol_test, 2);

struct choice {
  section_protocol how;
  protocol_costs costs;
};

choice choice_for(world& w, ptr<double> array, section_operation operation, std::uint64_t rows,
                  std::uint64_t columns, std::uint64_t leading) {
  std::vector<double> mine(rows * columns);
  const plan what = plan_of("put", written::there, patch(array, rows, columns, leading),
                            patch(mine.data(), rows, columns));
  return {choose(w, operation, what, section_protocol::automatic), costs_of(w, operation, what)};
}

TEST_P(sections_protocol_test, follows_shape_and_costs) {
  seeds = 3;
  run([](world& w) {
    const auto array = allocate<double>(w, 4096).on((w.rank() + 1) % w.size());
    w.fabric().quiesce(w.context());
    using enum section_operation;
    using enum section_protocol;
    for (const section_operation operation : {put, get, section_operation::accumulate}) {
      const bool is_accumulate = operation == section_operation::accumulate;
      const choice one_row = choice_for(w, array, operation, 1, 64, 64);
      const choice many_rows = choice_for(w, array, operation, 1000, 1, 4);
      EXPECT_GT(many_rows.costs.per_segment, one_row.costs.per_segment);
      if (fabric::reached(w.words(), array.address()) != nullptr) {
        EXPECT_EQ(one_row.how, direct);
        EXPECT_EQ(many_rows.how, direct);
      } else {
        EXPECT_GT(many_rows.costs.per_segment, many_rows.costs.pipelined);
        EXPECT_EQ(one_row.how, is_accumulate ? packed : per_segment);
        EXPECT_NE(many_rows.how, per_segment);
      }
      // The helper may write only into segments.
      EXPECT_EQ(many_rows.costs.host_assisted == protocol_costs::impossible, operation != put);
    }
    w.fabric().quiesce(w.context());
  });
}

#ifndef FAR_THREAD_SANITIZER  // which cannot follow fibers

// On the machine of the paper: by one operation for a single segment, host-assisted for several,
// packed where the helper cannot write.
TEST(sections_choice_test, follows_the_machine) {
  far::run({.ranks = 4, .mode = job_mode::fibers, .profile = "ib-2004-ia64"}, [](world& w) {
    const auto array = allocate<double>(w, 1 << 16).on((w.rank() + 2) % w.size());
    const auto mine = allocate_local<double>(w, 1 << 16);
    double* const here = local_span(w, mine, 1 << 16).data();
    w.fabric().quiesce(w.context());
    const auto chosen = [&](std::uint64_t rows, std::uint64_t columns, double* from) {
      return choose(w, section_operation::get,
                    plan_of("get", written::here, patch(array, rows, columns, columns + 8),
                            patch(from, rows, columns)),
                    section_protocol::automatic);
    };
    EXPECT_EQ(chosen(1, 512, here), section_protocol::per_segment);
    EXPECT_EQ(chosen(20, 4, here), section_protocol::host_assisted);
    EXPECT_EQ(chosen(256, 128, here), section_protocol::host_assisted);
    // In memory that is in no segment the helper cannot write, and registering takes time.
    std::vector<double> other(1 << 16);
    EXPECT_EQ(chosen(20, 4, other.data()), section_protocol::packed);
    EXPECT_EQ(chosen(64, 16, other.data()), section_protocol::pipelined);
    // 8 KB: copies are cheaper than to register once, but not than to use what is registered.
    EXPECT_EQ(chosen(1, 1024, other.data()), section_protocol::pipelined);
    get(w, patch(array, 1, 1024), patch(other.data(), 1, 1024), section_protocol::per_segment);
    EXPECT_EQ(chosen(1, 1024, other.data()), section_protocol::per_segment);
    w.fabric().quiesce(w.context());
  });
}

#endif

TEST_P(sections_protocol_test, explains_itself) {
  seeds = 3;
  run([](world& w) {
    const auto array = allocate<double>(w, 4096).on((w.rank() + 1) % w.size());
    w.fabric().quiesce(w.context());
    std::vector<double> mine(128);
    const auto has_all = [](const std::string& text) {
      for (const char* part :
           {"direct", "per segment", "packed", "pipelined", "host-assisted", "* chosen: "}) {
        EXPECT_NE(text.find(part), std::string::npos) << text;
      }
    };
    const std::string text =
        far::explain(w, section_operation::put, patch(array, 16, 8, 64), patch(mine.data(), 16, 8));
    EXPECT_EQ(text.find("put of 1024 bytes in 16 segments, at rank"), 0u) << text;
    has_all(text);
    const std::vector<remote_segment<double>> there{{array, 3}, {array + 9, 5}};
    const std::vector<std::span<double>> here{std::span(mine).first(8)};
    const std::string of_list = far::explain(w, section_operation::get, there, here);
    EXPECT_EQ(of_list.find("get of 64 bytes in 2 segments, at rank"), 0u) << of_list;
    has_all(of_list);
    w.fabric().quiesce(w.context());
  });
}

}  // namespace
}  // namespace far::sections
