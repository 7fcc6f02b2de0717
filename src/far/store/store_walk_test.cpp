// What a store tells of all items: a walk of each rank, and what is evicted.

#include <atomic>
#include <set>
#include <string>

#include "far/far.hpp"
#include "far/store/store.hpp"
#include "test/support/jobs.hpp"

namespace far {
namespace {

class store_walk_test : public far::test::on_ranks {
 protected:
  store_walk_test() {
    seeds = 3;
    allowed = far::test::run_size::any;
  }
};

/// The keys of this rank's part.
std::multiset<std::string> keys_here(const store& items) {
  std::multiset<std::string> keys;
  std::uint64_t cursor = 0;
  do {
    const auto next = items.visit_some(cursor, [&](std::string_view key, const item_info& item) {
      EXPECT_EQ(item.value_bytes, key.size());
      keys.emplace(key);
    });
    cursor = next.value_or(cursor);
  } while (cursor != 0);
  return keys;
}

TEST_P(store_walk_test, ranks_visit_their_keys) {
  run([](world& world) {
    store items(world,
                {.memory_bytes = std::uint64_t{2 << 20} * static_cast<unsigned>(world.size()),
                 .max_item_bytes = 1 << 16});
    std::multiset<std::string> expected;
    for (int i = 0; i < 60; ++i) {
      const std::string key = "key" + std::to_string(i);
      if (i % world.size() == world.rank()) items.put(key, key);
      if (items.home_of(key) == world.rank()) expected.insert(key);
    }
    barrier(world);
    EXPECT_EQ(keys_here(items), expected);
    barrier(world);
  });
}

class counting_observer final : public store_observer {
 public:
  void leaves(departure why, std::string_view key, const item_info& item) noexcept override {
    ++(why == departure::evicted ? evicted : expired);
    are_right = are_right && key.starts_with("key") && item.value_bytes == 5000;
  }
  std::atomic<std::uint64_t> evicted = 0;
  std::atomic<std::uint64_t> expired = 0;
  std::atomic<bool> are_right = true;
};

TEST_P(store_walk_test, observers_are_told_of_what_leaves) {
  run([](world& world) {
    const auto observer = std::make_shared<counting_observer>();
    const auto ranks = static_cast<unsigned>(world.size());
    store items(world, {.memory_bytes = std::uint64_t{1 << 20} * ranks, .max_item_bytes = 1 << 14});
    items.observe(observer);
    const std::string value(5000, 'v');
    for (int i = 0; i < 300; ++i) {
      const std::chrono::seconds lifetime(i % 10 == 0 ? -1 : 0);
      items.put("key" + std::to_string(world.rank()) + ":" + std::to_string(i), value,
                {.lifetime = lifetime});
    }
    barrier(world);
    std::uint64_t evicted = 0, expired = 0;
    for (int rank = 0; rank < world.size(); ++rank) {
      evicted += items.counts(rank).evicted;
      expired += items.counts(rank).expired;
    }
    EXPECT_EQ(allreduce(world, observer->expired.load()), expired);
    EXPECT_GT(expired, 0U);
    EXPECT_EQ(allreduce(world, observer->evicted.load()), evicted);
    EXPECT_GT(evicted, 0U);
    EXPECT_TRUE(observer->are_right);
    barrier(world);
  });
}

INSTANTIATE_FAR_MODES_ON(store_walk_test, 1, 2, 4);

}  // namespace
}  // namespace far
