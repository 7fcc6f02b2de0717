#include "far/rpc/landed_call.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/memory/allocate.hpp"
#include "far/rpc/rpc_test.hpp"
#include "test/support/jobs.hpp"

namespace far {
namespace {

using landed_call_test = test::on_ranks;
using test::next_rank;

struct table {
  explicit table(rank_state&) { std::iota(numbers.begin(), numbers.end(), std::uint32_t{0}); }
  std::array<std::uint32_t, 64> numbers{};
};

/// Every `step`-th number, from `first` on.
detail::gathered every(rank_state& here, std::uint32_t first, std::uint32_t step,
                       std::uint32_t count) {
  const auto& numbers = here.get<table>().numbers;
  if (first >= numbers.size()) throw out_of_bounds("no such number");
  detail::gathered result;
  for (std::uint32_t i = 0; i < count; ++i) {
    result.push_back({&numbers.at(first + i * step), sizeof(std::uint32_t)});
  }
  return result;
}

TEST_P(landed_call_test, data_land_in_pieces) {
  run([](world& w) {
    const auto place = allocate_local<std::uint32_t>(w, 32);
    const auto mine = local_span(w, place, 32);
    std::fill(mine.begin(), mine.end(), 7U);
    // Two pieces of 8 and 12 bytes.
    const std::array<fabric::landing, 2> landings{
        {{(place + 1).address(), 8}, {(place + 10).address(), 12}}};
    detail::start_landed_call<every>(w, next_rank(w), landings, 3U, 5U, 5U).get();
    std::vector<std::uint32_t> expected(32, 7U);
    expected[1] = 3;
    expected[2] = 8;
    expected[10] = 13;
    expected[11] = 18;
    expected[12] = 23;
    EXPECT_EQ(std::vector<std::uint32_t>(mine.begin(), mine.end()), expected);
    EXPECT_THROW(detail::start_landed_call<every>(w, next_rank(w), landings, 3U, 5U, 4U).get(),
                 fabric_error);
    EXPECT_THROW(detail::start_landed_call<every>(w, next_rank(w), landings, 64U, 1U, 5U).get(),
                 out_of_bounds);
    EXPECT_EQ(std::vector<std::uint32_t>(mine.begin(), mine.end()), expected);
    quiesce(w);
  });
}
INSTANTIATE_FAR_MODES_ON(landed_call_test, 1, 2, 4);

}  // namespace
}  // namespace far
