#include "far/sections/protocol.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/fabric/reach.hpp"
#include "far/memory/allocate.hpp"
#include "far/sections/transfer.hpp"
#include "test/support/jobs.hpp"

namespace far::sections {
namespace {

class sections_protocol_test : public test::on_ranks {};
INSTANTIATE_FAR_MODES_ON(sections_protocol_test, 2);

choice choice_for(world& w, ptr<double> array, section_operation operation, std::uint64_t rows,
                  std::uint64_t columns, std::uint64_t leading) {
  std::vector<double> mine(rows * columns);
  return predict(w, operation,
                 plan_of("put", written::there, patch(array, rows, columns, leading),
                         patch(mine.data(), rows, columns)));
}

TEST_P(sections_protocol_test, follows_shape_and_costs) {
  seeds = 3;
  run([](world& w) {
    const auto array = allocate<double>(w, 4096).on((w.rank() + 1) % w.size());
    w.fabric().quiesce(w.context());
    using enum section_operation;
    for (const section_operation operation : {put, get, accumulate}) {
      const choice one_row = choice_for(w, array, operation, 1, 64, 64);
      const choice many_rows = choice_for(w, array, operation, 1000, 1, 4);
      EXPECT_GT(many_rows.per_segment_ns, one_row.per_segment_ns);
      if (fabric::reached(w.words(), array.address()) != nullptr) {
        EXPECT_EQ(one_row.how, section_protocol::direct);
        EXPECT_EQ(many_rows.how, section_protocol::direct);
      } else {
        EXPECT_GT(many_rows.per_segment_ns, many_rows.packed_ns);
        EXPECT_EQ(one_row.how, operation == accumulate ? section_protocol::packed
                                                       : section_protocol::per_segment);
        EXPECT_EQ(many_rows.how, section_protocol::packed);
      }
    }
    w.fabric().quiesce(w.context());
  });
}

TEST_P(sections_protocol_test, explains_itself) {
  seeds = 3;
  run([](world& w) {
    const auto array = allocate<double>(w, 4096).on((w.rank() + 1) % w.size());
    w.fabric().quiesce(w.context());
    std::vector<double> mine(128);
    const std::string text =
        far::explain(w, section_operation::put, patch(array, 16, 8, 64), patch(mine.data(), 16, 8));
    EXPECT_EQ(text.find("put of 1024 bytes in 16 segments, at rank"), 0u) << text;
    for (const char* part : {"direct", "per segment", "packed", "* chosen: "}) {
      EXPECT_NE(text.find(part), std::string::npos) << text;
    }
    w.fabric().quiesce(w.context());
  });
}

}  // namespace
}  // namespace far::sections
