#include "far/team/gather.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/base/random.hpp"
#include "test/support/placements.hpp"

namespace far {
namespace {

using gather_test = test::on_placed_ranks;
INSTANTIATE_FAR_MODES_ON(gather_test, 1, 2, 3, 5, 8);

using short_list = std::vector<std::uint16_t>;

short_list short_list_of(int rank, std::size_t length) {
  base::random random(length * 100 + static_cast<std::uint64_t>(rank));
  short_list result(length);
  for (auto& x : result) x = static_cast<std::uint16_t>(random());
  return result;
}

short_list lists_of_all(int size, std::size_t length) {
  short_list result;
  for (int rank = 0; rank < size; ++rank) {
    const short_list next = short_list_of(rank, length);
    result.insert(result.end(), next.begin(), next.end());
  }
  return result;
}

TEST_P(gather_test, allgather_of_every_size) {
  // These sizes use a rendezvous, a tree and the pairwise exchange.
  std::vector<std::size_t> sizes{0, 1, 3, 256, 257, 2000, 20'000};
  if (!is_simulated()) sizes.push_back(100'001);
  run_placed([&](world& w) {
    for (const std::size_t size : sizes) {
      short_list all(size * static_cast<std::size_t>(w.size()));
      allgather(w, short_list_of(w.rank(), size), all);
      ASSERT_EQ(all, lists_of_all(w.size(), size));
    }
  });
}

TEST_P(gather_test, gather_to_every_root) {
  run_placed([](world& w) {
    for (const std::size_t size : {0u, 1u, 300u, 5000u}) {
      for (int root = 0; root < w.size(); ++root) {
        short_list all;
        if (w.rank() == root) all.resize(size * static_cast<std::size_t>(w.size()));
        gather(w, short_list_of(w.rank(), size), all, root);
        if (w.rank() == root) {
          ASSERT_EQ(all, lists_of_all(w.size(), size));
        } else {
          ASSERT_TRUE(all.empty());
        }
      }
    }
  });
}

TEST_P(gather_test, single_values) {
  run_placed([](world& w) {
    std::vector<int> expected;
    for (int rank = 0; rank < w.size(); ++rank) expected.push_back(rank * 7);
    EXPECT_EQ(allgather(w, w.rank() * 7), expected);
    for (int root = 0; root < w.size(); ++root) {
      EXPECT_EQ(gather(w, w.rank() * 7, root), w.rank() == root ? expected : std::vector<int>{});
    }
  });
}

TEST_P(gather_test, allgatherv_of_random_lengths) {
  run_placed([](world& w) {
    base::random random(3);  // the same on all ranks
    for (int round = 0; round < 12; ++round) {
      const std::uint64_t max = round % 3 == 0 ? 4 : 4000;
      short_list expected;
      std::vector<std::size_t> lengths;
      for (int rank = 0; rank < w.size(); ++rank) {
        lengths.push_back(round == 0 ? 0 : random.below(max));
        const short_list next = short_list_of(rank, lengths.back());
        expected.insert(expected.end(), next.begin(), next.end());
      }
      const short_list mine = short_list_of(w.rank(), lengths[static_cast<std::size_t>(w.rank())]);
      std::vector<std::size_t> found;
      ASSERT_EQ(allgatherv(w, mine, &found), expected);
      ASSERT_EQ(found, lengths);
    }
  });
}

TEST_P(gather_test, results_must_fit) {
  run_placed([](world& w) {
    short_list all(static_cast<std::size_t>(w.size()) * 2 + 1);
    EXPECT_THROW(allgather(w, short_list(2), all), bad_argument);
    if (w.rank() == 0) {
      EXPECT_THROW(gather(w, short_list(2), all, 0), bad_argument);
    }
  });
}

}  // namespace
}  // namespace far
