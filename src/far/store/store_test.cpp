// The store on all fabrics: equal to a map, by instructions and by calls, by threads and ranks.

#include "far/store/store.hpp"

#include <atomic>
#include <map>
#include <string>
#include <vector>

#include "far/base/random.hpp"
#include "far/far.hpp"
#include "test/support/jobs.hpp"

namespace far {
namespace {

class store_test : public far::test::on_ranks {
 protected:
  store_test() {
    seeds = 3;
    allowed = far::test::run_size::any;
  }
  static store_options small_store(const world& world) {
    // Half of the tests' jobs read one-sided.
    return {.memory_bytes = std::uint64_t{2 << 20} * static_cast<unsigned>(world.size()),
            .max_item_bytes = 1 << 17,
            .reads = world.size() % 2 == 0 ? policy::automatic : policy::one_sided};
  }
};

std::string key_of_rank(int rank, std::uint64_t i) {
  return "rank" + std::to_string(rank) + ":" + std::to_string(i);
}

TEST_P(store_test, equals_an_oracle) {
  run([](world& world) {
    store items(world, small_store(world));
    base::random random(static_cast<std::uint64_t>(world.rank()) + 1);
    std::map<std::string, std::string> mine;  // keys that only this rank changes
    for (int step = 0; step < 150; ++step) {
      const std::string key = key_of_rank(world.rank(), random.below(30));
      const std::string value(random.below(40) == 0 ? 60'000 : random.below(100),
                              static_cast<char>('a' + step % 26));
      switch (random.below(6)) {
        case 0:
          EXPECT_EQ(items.add(key, value).status,
                    mine.emplace(key, value).second ? store_status::done : store_status::present);
          break;
        case 1: {
          const auto reply = items.erase(key);
          EXPECT_EQ(reply.status, mine.erase(key) != 0 ? store_status::done : store_status::absent);
          break;
        }
        case 2: {
          const auto old = mine.find(key);
          EXPECT_EQ(items.append(key, "more").status,
                    old != mine.end() ? store_status::done : store_status::absent);
          if (old != mine.end()) old->second += "more";
          break;
        }
        case 3:
          EXPECT_EQ(items.put_async(key, value).get().status, store_status::done);
          mine[key] = value;
          break;
        default:
          EXPECT_EQ(items.put(key, value, {.flags = 7}).status, store_status::done);
          mine[key] = value;
      }
      const std::string other = key_of_rank(world.rank(), random.below(30));
      const auto found = items.get(other);
      const auto expected = mine.find(other);
      ASSERT_EQ(found.has_value(), expected != mine.end()) << other;
      if (found) {
        EXPECT_EQ(found->value, expected->second);
      }
      EXPECT_EQ(items.get_async(other).get().has_value(), found.has_value());
      EXPECT_EQ(items.contains(other), found.has_value());
    }
    barrier(world);
    std::uint64_t all = 0;
    for (int rank = 0; rank < world.size(); ++rank) all += items.counts_async(rank).get().items;
    EXPECT_EQ(all, allreduce(world, std::uint64_t{mine.size()}));
    barrier(world);
    if (world.rank() == 0) items.reset_counts();
    barrier(world);
    EXPECT_EQ(items.counts(world.size() - 1).stored, 0U);
    barrier(world);
    if (world.rank() == 0) items.erase_all();
    barrier(world);
    for (const auto& [key, value] : mine) EXPECT_FALSE(items.get(key).has_value());
  });
}

TEST_P(store_test, counts_exactly) {
  run([](world& world) {
    store items(world, small_store(world));
    if (world.rank() == 0) (void)items.put("n", "0");
    barrier(world);
    constexpr std::uint64_t each = 40;
    for (std::uint64_t i = 0; i < each; ++i) {
      EXPECT_EQ(items.increment("n", 2).status, store_status::done);
    }
    barrier(world);
    EXPECT_EQ(items.get("n")->value,
              std::to_string(2 * each * static_cast<unsigned>(world.size())));
    barrier(world);
  });
}

TEST_P(store_test, one_of_all_wins) {
  run([](world& world) {
    store items(world, small_store(world));
    for (int round = 0; round < 10; ++round) {
      const std::string key = "round" + std::to_string(round);
      const bool is_first =
          items.add(key, std::to_string(world.rank())).status == store_status::done;
      barrier(world);
      EXPECT_EQ(allreduce(world, is_first ? 1 : 0), 1);
      const auto seen = items.execute({{}, key, {}});
      barrier(world);
      const bool is_next = items.put(key, "next", {.cas = seen.cas}).status == store_status::done;
      EXPECT_EQ(allreduce(world, is_next ? 1 : 0), 1);
      EXPECT_EQ(items.get(key)->value, "next");
      barrier(world);
    }
  });
}

TEST_P(store_test, threads_share_a_rank) {
  run([](world& world) {
    store items(world, small_store(world));
    world.threads(2, [&](far::world& mine) {
      const store_view view = items.on(mine);
      for (std::uint64_t i = 0; i < 50; ++i) {
        const std::string key = key_of_rank(mine.rank(), i) + (mine.thread() == 0 ? "a" : "b");
        EXPECT_EQ(view.put(key, key).status, store_status::done);
        EXPECT_EQ(view.get(key)->value, key);
      }
    });
    barrier(world);
  });
}

/// A value that tells its key and length, of any length.
std::string telling_value(const std::string& key, std::uint64_t bytes) {
  const std::string head = std::to_string(bytes) + "," + key + ",";
  std::string value;
  while (value.size() < bytes) value += head;
  value.resize(bytes);
  return value;
}

// Items are overwritten, moved and evicted, and buckets split, while others read them.
TEST_P(store_test, reads_are_whole) {
  run([](world& world) {
    const bool is_simulated = GetParam().mode == job_mode::fibers;
    store items(world,
                {.memory_bytes = std::uint64_t{1 << 19} * static_cast<unsigned>(world.size()),
                 .max_item_bytes = 20'000});
    base::random random(77 + static_cast<unsigned>(world.rank()));
    std::uint64_t found = 0;
    const int steps = is_simulated ? 100 : 4000;
    for (int step = 0; step < steps; ++step) {
      const std::string key = "shared" + std::to_string(random.below(3000));
      if (random.below(2) == 0) {
        const std::uint64_t bytes =
            random.below(50) == 0 ? random.below(15'000) : random.below(400);
        ASSERT_EQ(items.put(key, telling_value(key, bytes)).status, store_status::done);
      }
      if (const auto item = items.get(key)) {
        ++found;
        ASSERT_EQ(item->value, telling_value(key, item->value.size()));
      }
    }
    EXPECT_GT(found, 0U);
    barrier(world);
  });
}

TEST_P(store_test, lifetimes_of_any_length) {
  run([](world& world) {
    store items(world, small_store(world));
    const std::string key = key_of_rank(world.rank(), 0);
    for (const auto lifetime : {std::chrono::seconds::max(), std::chrono::seconds(1) * 3600}) {
      (void)items.put(key, "value", {.lifetime = lifetime});
      EXPECT_TRUE(items.contains(key));
    }
    (void)items.put(key, "value", {.lifetime = std::chrono::seconds::min()});
    EXPECT_FALSE(items.contains(key));
    barrier(world);
  });
}

TEST_P(store_test, ranks_must_agree) {
  if (GetParam().count == 1) return;
  run([](world& world) {
    store_options options = small_store(world);
    options.evicts = world.rank() != 0;
    EXPECT_THROW(store(world, options), bad_argument);
    options.memory_bytes = 1000;
    EXPECT_THROW(store(world, options), bad_argument);
    options.max_item_bytes = 2 << 20;
    EXPECT_THROW(store(world, options), bad_argument);
  });
}

TEST_P(store_test, many_at_once_equal_single_ones) {
  run([](world& world) {
    store items(world, small_store(world));
    std::vector<std::string> names, texts;
    for (std::uint64_t i = 0; i < 40; ++i) {
      names.push_back(key_of_rank(world.rank(), i));
      texts.push_back(std::string(i * 7, 'x'));
    }
    const std::vector<std::string_view> keys(names.begin(), names.end());
    const std::vector<std::string_view> values(texts.begin(), texts.end());
    for (const auto& reply : items.put_many(keys, values)) {
      EXPECT_EQ(reply.status, store_status::done);
    }
    EXPECT_THROW((void)items.put_many(keys, {}), bad_argument);
    for (int again = 0; again < 2; ++again) {
      const auto found = items.get_many(keys);
      for (std::size_t i = 0; i < keys.size(); ++i) {
        ASSERT_TRUE(found[i].has_value());
        EXPECT_EQ(found[i]->value, values[i]);
        EXPECT_EQ(items.get(keys[i])->value, values[i]);
      }
    }
    barrier(world);
  });
}

TEST_P(store_test, copies_are_recalled) {
  run([](world& world) {
    store_options options = small_store(world);
    options.copies = copying::always;
    store items(world, options);
    constexpr int keys = 12;
    for (int round = 0; round < 8; ++round) {
      for (int i = world.rank(); i < keys; i += world.size()) {
        const std::string key = "key" + std::to_string(i);
        if (round % 3 == 2) {
          EXPECT_EQ(items.append(key, "+").status, store_status::done);
        } else if (round == 4) {
          EXPECT_EQ(items.erase(key).status, store_status::done);
        } else {
          EXPECT_EQ(items.put(key, std::to_string(round)).status, store_status::done);
        }
      }
      barrier(world);
      const std::string expected =
          round % 3 == 2 ? std::to_string(round - 1) + "+" : std::to_string(round);
      for (int again = 0; again < 2; ++again) {
        for (int i = 0; i < keys; ++i) {
          const auto item = items.get("key" + std::to_string(i));
          ASSERT_EQ(item.has_value(), round != 4);
          if (item && round != 5) {
            EXPECT_EQ(item->value, expected);
          }
        }
      }
      barrier(world);
      if (round == 4) {
        for (int i = world.rank(); i < keys; i += world.size()) {
          EXPECT_EQ(items.add("key" + std::to_string(i), "4").status, store_status::done);
        }
        barrier(world);
      }
    }
    if (world.rank() == 0) items.erase_all_async().get();
    barrier(world);
    for (int i = 0; i < keys; ++i) EXPECT_FALSE(items.contains("key" + std::to_string(i)));
    const store_choices chosen = items.choices();
    EXPECT_EQ(chosen.copied, chosen.recalled);
    const bool has_others = allreduce(world, chosen.by_calls + chosen.copied) > 0;
    if (has_others) {
      EXPECT_GT(allreduce(world, chosen.from_copies), 0U);
    }
    barrier(world);
  });
}

INSTANTIATE_FAR_MODES_ON(store_test, 1, 2, 3, 4, 8);

}  // namespace
}  // namespace far
