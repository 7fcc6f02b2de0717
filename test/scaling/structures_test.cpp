// Structures that many ranks of one machine use at the same time: none collapses, and no rank waits
// for long.

#include <array>
#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/far.hpp"
#include "test/scaling/load.hpp"

#if !defined(__SANITIZE_THREAD__)  // ThreadSanitizer cannot follow fibers

namespace far::test {
namespace {

// ---- queues

constexpr std::uint64_t enough = 1 << 13;  // for all pushes of a load

/// This rank's view of a queue, with a policy if one is given.
template <class Queue>
auto user_of(const Queue& queue, const world& world) {
  return queue.on(world);
}
template <class Queue>
auto user_of(const Queue& queue, const world&, policy how) {
  return queue.with(how);
}

template <class Queue, class... How>
workload pushes(How... how) {
  return [=](const load& all) {
    const Queue queue(all.world(), 0, enough);
    auto view = user_of(queue, all.world(), how...);
    all.run([&](int i) { EXPECT_TRUE(view.try_push(static_cast<std::uint64_t>(i))); });
  };
}

/// The same, but in one of the first pushes the processor is taken away from rank 1 for a while,
/// between its claim and its transfer. All others wait for it, and then go on as before.
workload pushes_after_a_stop() {
  return [](const load& all) {
    const auto cursors = allocate<containers::ring_cursors>(all.world(), 1);
    const auto slots = allocate<std::uint64_t>(all.world(), enough);
    const containers::ring where{cursors.on(0), slots.on(0).address(), enough, 8};
    containers::ring_user user(all.world(), where);
    barrier(all.world());
    if (all.world().rank() == 1) {
      const auto claim = user.claim_space(1);
      all.world().compute(500'000);
      user.publish(claim.value(), 1);
    } else {
      all.world().compute(10'000);
    }
    all.run([&](int i) {
      const auto value = static_cast<std::uint64_t>(i);
      EXPECT_TRUE(user.try_push(reinterpret_cast<const std::byte*>(&value), 1));
    });
  };
}

template <class Queue, class... How>
workload pops(How... how) {
  return [=](const load& all) {
    const Queue queue(all.world(), 0, enough);
    auto view = user_of(queue, all.world(), how...);
    const int each = all.rounds() + all.rounds() / 4;
    for (int i = 0; i < each; ++i) EXPECT_TRUE(view.try_push(1));
    barrier(all.world());
    all.run([&](int) { EXPECT_TRUE(view.try_pop()); });
  };
}

/// Each rank waits for space, and for a value, by turns. There are as many slots as ranks.
template <class Queue>
workload both() {
  return [](const load& all) {
    Queue queue(all.world(), 0, static_cast<std::uint64_t>(all.world().size()));
    all.run([&](int) {
      queue.push(1);
      EXPECT_EQ(queue.pop(), 1u);
    });
  };
}

using number_queue = far::queue<std::uint64_t>;
using checked_queue = far::checksum_queue<std::uint64_t>;

TEST(queues_scaling_test, pushes_do_not_collapse) {
  expect_scales("queue push", pushes<number_queue>());
  expect_scales("queue push by calls", pushes<number_queue>(policy::rpc));
  expect_scales("queue push after a stop", pushes_after_a_stop());
  expect_scales("checksum_queue push", pushes<checked_queue>());
}

TEST(queues_scaling_test, pops_do_not_collapse) {
  expect_scales("queue pop", pops<number_queue>());
  expect_scales("queue pop by calls", pops<number_queue>(policy::rpc));
  expect_scales("checksum_queue pop", pops<checked_queue>());
}

TEST(queues_scaling_test, waiting_forms_do_not_collapse) {
  expect_scales("queue push and pop", both<number_queue>());
  expect_scales("checksum_queue push and pop", both<checked_queue>());
}

// ---- locks

template <class Lock>
workload holds() {
  return [](const load& all) {
    Lock lock(all.world());
    all.run([&](int) { const std::unique_lock guard(lock); });
    barrier(all.world());
  };
}

/// One in `of` operations writes, the others read. 0: none writes.
template <class Lock>
workload reads(int of) {
  return [of](const load& all) {
    Lock lock(all.world());
    all.run([&](int i) {
      if (of > 0 && (i + all.world().rank()) % of == 0) {
        const std::unique_lock guard(lock);
      } else {
        const std::shared_lock guard(lock);
      }
    });
    barrier(all.world());
  };
}

TEST(locks_scaling_test, holders_take_turns) {
  expect_scales("mcs_lock", holds<mcs_lock>());
  expect_scales("topology_lock", holds<topology_lock>());
  expect_scales("rw_lock, writers", holds<rw_lock>());
}

TEST(locks_scaling_test, readers_and_writers_take_turns) {
  for (const int of : {0, 10, 2}) {
    expect_scales("rw_lock, writers one in " + std::to_string(of), reads<rw_lock>(of));
  }
}

// ---- maps, accumulates, collectives

using number_map = far::hash_map<std::uint64_t, std::uint64_t>;

std::uint64_t key_of(const load& all, int i) {
  return static_cast<std::uint64_t>(all.world().rank()) << 32 | static_cast<std::uint64_t>(i);
}

TEST(maps_scaling_test, keys_of_all_ranks) {
  expect_scales("map insert", [](const load& all) {
    const number_map map(all.world(), 1 << 13);
    all.run([&](int i) { EXPECT_TRUE(map.insert(key_of(all, i), 1)); });
  });
  expect_scales("map find", [](const load& all) {
    const number_map map(all.world(), 1 << 13);
    if (all.world().rank() == 0) (void)map.insert(7, 1);
    barrier(all.world());
    all.run([&](int) { EXPECT_TRUE(map.find(7).has_value()); });
  });
}

constexpr auto add_up = [](std::uint64_t& value, int more) {
  value += static_cast<std::uint64_t>(more);
};

TEST(maps_scaling_test, hot_keys) {
  expect_scales("map add, one key", [](const load& all) {
    const number_map map(all.world(), 1 << 10);
    all.run([&](int) { (void)map.add_or_insert(7, 1); });
  });
  for (const policy how : {policy::one_sided, policy::rpc}) {
    const bool is_call = how == policy::rpc;
    expect_scales(is_call ? "map update by calls, one key" : "map update, one key",
                  [how](const load& all) {
                    const number_map map(all.world(), 1 << 10, how);
                    all.run([&](int) { map.update_or_insert(7, 1, add_up); });
                  });
  }
  expect_scales("map find and update, one key", [](const load& all) {
    const number_map map(all.world(), 1 << 10, policy::one_sided);
    map.add_or_insert(7, 1);
    all.run([&](int) {
      if (all.world().rank() % 2 == 0) {
        map.update_or_insert(7, 1, add_up);
      } else {
        EXPECT_TRUE(map.find(7).has_value());
      }
    });
  });
  expect_scales("map erase and insert, one key", [](const load& all) {
    const number_map map(all.world(), 1 << 10, policy::one_sided);
    all.run([&](int) {
      map.insert(7, 1);
      map.erase(7);
    });
  });
}

TEST(accumulate_scaling_test, ranks_at_one_patch_take_turns) {
  for (const auto how : {section_protocol::automatic, section_protocol::per_segment}) {
    const bool is_locked = how == section_protocol::per_segment;
    expect_scales(is_locked ? "accumulate per segment" : "accumulate", [how](const load& all) {
      const auto there = allocate<double>(all.world(), 64);
      barrier(all.world());
      std::array<double, 64> ones{};
      all.run([&](int) {
        accumulate(all.world(), patch(there.on(0), 8, 8), 1.0, patch(ones.data(), 8, 8), how);
      });
      deallocate(all.world(), there.on(all.world().rank()));
    });
  }
}

TEST(arrays_scaling_test, holders_of_an_element_take_turns) {
  for (const auto how : {caching::always, caching::never}) {
    expect_scales(how == caching::always ? "element lock, copies" : "element lock, no copies",
                  [how](const load& all) {
                    cached_array_options options;
                    options.how = how;
                    const cached_array<std::uint64_t> sums(all.world(), 64, options);
                    all.run([&](int) {
                      const auto element = sums.lock_of(7);
                      const std::unique_lock guard(element);
                      sums.put(7, sums.get(7) + 1);
                    });
                    barrier(all.world());
                  });
  }
}

TEST(collectives_scaling_test, all_meet) {
  expect_scales("barrier", [](const load& all) { all.run([&](int) { barrier(all.world()); }); });
  expect_scales("allreduce", [](const load& all) {
    all.run([&](int) { (void)allreduce(all.world(), std::uint64_t{1}); });
  });
  expect_scales("broadcast", [](const load& all) {
    // A receiver finds its sender's block when it first tells it what it has taken: after half of
    // a ring.
    for (int i = 0; i < all.rounds(); ++i) (void)broadcast(all.world(), i, 0);
    all.run([&](int i) { (void)broadcast(all.world(), i, 0); });
  });
  expect_scales("alltoall", [](const load& all) {
    const auto ranks = static_cast<std::size_t>(all.world().size());
    const std::vector<std::uint64_t> from(ranks);
    std::vector<std::uint64_t> to(ranks);
    all.run([&](int) { alltoall(all.world(), from, to); }, all.world().size());
  });
}

}  // namespace
}  // namespace far::test

#endif
