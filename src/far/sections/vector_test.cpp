#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/base/random.hpp"
#include "far/memory/allocate.hpp"
#include "far/rma/transfer.hpp"
#include "far/sections/accumulate.hpp"
#include "far/sections/sections_test.hpp"
#include "far/sections/transfer.hpp"
#include "test/support/jobs.hpp"

namespace far {
namespace {

class sections_vector_test : public test::on_ranks {
 protected:
  static void meet(world& w) { w.fabric().quiesce(w.context()); }
};
INSTANTIATE_FAR_MODES_ON(sections_vector_test, 1, 2, 5);

constexpr std::uint64_t elements = 600;

/// Segments of random sizes, 0 too, in some array of `elements`, at most `max` in all.
std::vector<std::pair<std::uint64_t, std::uint64_t>> random_cuts(base::random& random,
                                                                 std::uint64_t total,
                                                                 std::uint64_t max_size) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> cuts;  // begin, count
  std::uint64_t at = random.below(4);
  while (total > 0) {
    const std::uint64_t count = std::min(total, random.below(max_size + 1));
    cuts.push_back({at, count});
    at += count + random.below(3);
    total -= count;
  }
  return cuts;
}

/// Of all ranks, each of which has a part for each origin.
struct random_list {
  std::vector<remote_segment<long>> there;
  std::vector<std::pair<int, std::uint64_t>> places;  // rank, index of each element in turn
};

random_list list_on_all_ranks(const world& w, base::random& random, ptr<long> array,
                              std::uint64_t total) {
  random_list result;
  for (const auto& [begin, count] : random_cuts(random, total, 9)) {
    const auto rank = static_cast<int>(random.below(static_cast<std::uint64_t>(w.size())));
    const auto first = array.on(rank) + static_cast<std::int64_t>(begin);
    result.there.push_back({first, count});
    for (std::uint64_t i = 0; i < count; ++i) result.places.push_back({rank, begin + i});
  }
  return result;
}

TEST_P(sections_vector_test, random_lists) {
  run([](world& w) {
    const auto arrays = allocate<long>(w, elements * static_cast<std::uint64_t>(w.size()));
    const auto mine = arrays + static_cast<std::int64_t>(elements) * w.rank();
    base::random random(test::drawn_seed(w));
    const int rounds = test::rounds_in_sim(w, 300, 30);
    const std::vector protocols{section_protocol::automatic, section_protocol::per_segment,
                                section_protocol::packed, section_protocol::pipelined,
                                section_protocol::host_assisted};
    for (int round = 0; round < rounds; ++round) {
      const auto how = protocols[random.below(protocols.size())];
      const std::uint64_t total = random.below(100);
      const random_list list = list_on_all_ranks(w, random, mine, total);
      std::vector<long> memory(2 * elements);
      for (std::size_t i = 0; i < memory.size(); ++i)
        memory[i] = static_cast<long>(random.below(99));
      std::vector<std::span<long>> here;
      std::vector<long> values;
      for (const auto& [begin, count] : random_cuts(random, total, 14)) {
        here.push_back(std::span(memory).subspan(begin, count));
        values.insert(values.end(), here.back().begin(), here.back().end());
      }
      put(w, list.there, here, how);
      for (std::size_t i = 0; i < values.size(); ++i) {
        const auto& [rank, index] = list.places[i];
        ASSERT_EQ(get(w, mine.on(rank) + static_cast<std::int64_t>(index)), values[i]);
      }
      std::fill(memory.begin(), memory.end(), -1);
      get_async(w, list.there, here, how).get();
      std::vector<long> seen;
      for (const auto& part : here) seen.insert(seen.end(), part.begin(), part.end());
      ASSERT_EQ(seen, values);
      ASSERT_EQ(std::count(memory.begin(), memory.end(), -1),
                static_cast<std::ptrdiff_t>(memory.size() - values.size()));
    }
    meet(w);
  });
}

TEST_P(sections_vector_test, many_segments) {
  seeds = 2;
  allowed = test::run_size::any;
  run([](world& w) {
    const std::uint64_t n = w.fabric().name() == "sim" ? 500 : 10'000;
    const auto array = allocate<int>(w, 2 * n).on((w.rank() + 1) % w.size());
    meet(w);
    std::vector<remote_segment<int>> there;
    std::vector<int> values(n);
    for (std::uint64_t i = 0; i < n; ++i) {
      there.push_back({array + static_cast<std::int64_t>(2 * i), 1});
      values[i] = static_cast<int>(i);
    }
    const std::vector<std::span<const int>> here{values};
    const std::span<int> allocated = local_span(w, allocate_local<int>(w, n), n);
    for (const auto how : test::protocols_for(w, array)) {
      put(w, there, here, how);
      std::vector<int> seen(2 * n);
      get(w, array, seen);
      for (std::uint64_t i = 0; i < n; ++i) ASSERT_EQ(seen[2 * i], values[i]);
      std::fill(allocated.begin(), allocated.end(), -1);
      get(w, there, std::vector<std::span<int>>{allocated}, how);
      ASSERT_TRUE(std::ranges::equal(allocated, values));
      put(w, array, std::vector<int>(2 * n));
    }
    meet(w);
  });
}

TEST_P(sections_vector_test, accumulates_of_lists) {
  run([](world& w) {
    const auto sums = allocate<double>(w, 10);
    meet(w);
    const std::vector<double> x{1, 2, 3, 4, 5, 6};
    const std::vector<std::span<const double>> here{x};
    // The segments overlap at element 3.
    const std::vector<remote_segment<double>> there{{sums.on(0) + 1, 3}, {sums.on(0) + 3, 3}};
    const int rounds = test::rounds_in_sim(w, 200, 20);
    const std::vector protocols{section_protocol::automatic, section_protocol::packed,
                                section_protocol::per_segment, section_protocol::pipelined};
    for (int i = 0; i < rounds; ++i) {
      const auto how = protocols[static_cast<std::size_t>(i + w.rank()) % protocols.size()];
      accumulate(w, there, 0.5, here, how);
      accumulate_async(w, there, 0.5, here, how).get();
    }
    meet(w);
    const double times = static_cast<double>(rounds) * w.size();
    std::vector<double> seen(10);
    get(w, sums.on(0), seen);
    EXPECT_EQ(seen, (std::vector<double>{0, times, 2 * times, 7 * times, 5 * times, 6 * times, 0, 0,
                                         0, 0}));
    meet(w);
  });
}

TEST_P(sections_vector_test, bad_lists_are_refused) {
  run([](world& w) {
    const auto array = allocate<int>(w, 16);
    meet(w);
    std::vector<int> memory(16, 1);
    const auto says = [&](auto call, const std::string& text) {
      try {
        call();
        ADD_FAILURE() << text;
      } catch (const error& failure) {
        EXPECT_NE(std::string(failure.what()).find(text), std::string::npos) << failure.what();
      }
    };
    const std::vector<remote_segment<int>> there{{array, 3}, {array + 5, 4}};
    std::vector<std::span<int>> here{std::span(memory).first(6)};
    says([&] { put(w, there, here); },
         "put of a list: 2 remote segments have 7 elements, 1 local ones have 6: give both sides "
         "the same number of elements");
    here.push_back(std::span<int>(static_cast<int*>(nullptr), 1));
    says([&] { get(w, there, here); }, "get of a list: local segment 1 is null but has 1 elements");
    here.back() = std::span(memory).last(1);
    const std::vector<remote_segment<int>> beyond{{array, 3}, {array + 400, 4}};
    says([&] { put(w, beyond, here); }, "bytes past the end of an allocation");
    const std::vector<remote_segment<int>> null{{array, 3}, {ptr<int>(), 4}};
    says([&] { put(w, null, here); }, "the pointer is null");
    const std::vector<remote_segment<int>> wrapped{{array, ~std::uint64_t{0}}};
    says([&] { put(w, wrapped, here); }, "remote segment 0 has 18446744073709551615 elements");
    meet(w);
    EXPECT_EQ(get(w, array), 0);
    put(w, std::vector<remote_segment<int>>{}, std::vector<std::span<int>>{});
    meet(w);
  });
}

}  // namespace
}  // namespace far
