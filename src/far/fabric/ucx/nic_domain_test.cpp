// Words of the domain nic: no rank performs atomics on them with its processor, not even their
// owner or a rank that shares its memory, and all operations are atomic with each other.

#include <vector>

#include "test/support/jobs.hpp"

namespace far::fabric {
namespace {

run_options nic_nodes() {
  run_options options;
  options.mode = job_mode::ucx;
  options.ranks = 4;
  options.ranks_per_node = 2;
  return options;
}

template <class T>
ptr<T> allocate_nic(const world& world) {
  const auto word = allocate<T>(world, 1, amo_domain::nic);
  barrier(world);
  return word;
}

TEST(NicDomain, ProcessorsLeaveItsAtomicsAlone) {
  test::run(nic_nodes(), [](world& world) {
    const auto usual = allocate<std::uint64_t>(world);
    const auto word = allocate_nic<std::uint64_t>(world);
    for (int rank = 0; rank < world.size(); ++rank) {
      EXPECT_TRUE(world.fabric().cpu_atomics(usual.on(rank).address()));
      EXPECT_FALSE(world.fabric().cpu_atomics(word.on(rank).address()));
      EXPECT_EQ(reached(world.atomics(), word.on(rank).address()), nullptr);
    }
  });
}

// In one memory there is no NIC, so processors perform the atomics.
TEST(NicDomain, IsTheProcessorsInOneMemory) {
  run_options options = nic_nodes();
  options.mode = job_mode::threads;
  options.ranks_per_node = 0;
  test::run(options, [](world& world) {
    const auto word = allocate_nic<std::uint64_t>(world);
    EXPECT_TRUE(world.fabric().cpu_atomics(word.address()));
    atomic_ref(world, word.on(0)).add(1);
    barrier(world);
    EXPECT_EQ(atomic_ref(world, word.on(0)).load(), 4u);
  });
}

TEST(NicDomain, AtomicsOfAllRanksAddUp) {
  test::run(nic_nodes(), [](world& world) {
    constexpr std::uint64_t rounds = 2000;
    constexpr int at_once = 20;
    const auto word = allocate_nic<std::uint64_t>(world);
    for (int owner = 0; owner < world.size(); owner += 3) {  // the first and the last
      const atomic_ref count(world, word.on(owner));
      std::uint64_t seen = 0;
      for (std::uint64_t i = 0; i < rounds; i += at_once) {
        std::vector<future<std::uint64_t>> adds;
        for (int k = 0; k < at_once; ++k) adds.push_back(count.fetch_add_async(1));
        for (auto& add : adds) seen += add.get();
      }
      const std::uint64_t all = rounds * 4;
      // Each old value was seen once.
      EXPECT_EQ(allreduce(world, seen), all * (all - 1) / 2);
      EXPECT_EQ(count.load(), all);
      barrier(world);
    }
  });
}

TEST(NicDomain, OneWinnerOfEachExchange) {
  test::run(nic_nodes(), [](world& world) {
    constexpr std::uint32_t turns = 1000;
    const auto word = allocate_nic<std::uint32_t>(world);
    const atomic_ref turn(world, word.on(1));
    std::uint32_t won = 0;
    for (std::uint32_t seen = turn.load(); seen < turns;) {
      if (turn.compare_exchange(seen, seen + 1)) {
        ++won;
        ++seen;
      }
    }
    EXPECT_EQ(allreduce(world, won), turns);
  });
}

template <class T>
void try_all_operations(world& world) {
  const auto word = allocate_nic<T>(world);
  const auto mine = [&world, word](int rank) { return atomic_ref(world, word.on(rank)); };
  for (int rank = 0; rank < world.size(); ++rank) {
    if (world.rank() == 2) {
      SCOPED_TRACE(::testing::Message() << sizeof(T) << " bytes of rank " << rank);
      const auto one = mine(rank);
      one.store(static_cast<T>(-5));
      EXPECT_EQ(one.load(), static_cast<T>(-5));
      EXPECT_EQ(one.fetch_add(2), static_cast<T>(-5));
      EXPECT_EQ(one.fetch_sub(1), static_cast<T>(-3));
      EXPECT_EQ(one.exchange(12), static_cast<T>(-4));
      EXPECT_EQ(one.fetch_and(10), static_cast<T>(12));
      EXPECT_EQ(one.fetch_or(5), static_cast<T>(8));
      EXPECT_EQ(one.fetch_xor(1), static_cast<T>(13));
      EXPECT_EQ(one.fetch_min(20), static_cast<T>(12));
      EXPECT_EQ(one.fetch_min(3), static_cast<T>(12));
      EXPECT_EQ(one.fetch_max(2), static_cast<T>(3));
      EXPECT_EQ(one.fetch_max(static_cast<T>(-1)), static_cast<T>(3));
      EXPECT_EQ(one.load(), std::is_signed_v<T> ? static_cast<T>(3) : static_cast<T>(-1));
      T expected = 0;
      EXPECT_FALSE(one.compare_exchange(expected, 7));
      EXPECT_TRUE(one.compare_exchange(expected, 7));
      EXPECT_EQ(one.load(), static_cast<T>(7));
    }
    barrier(world);
  }
}

TEST(NicDomain, HasEveryOperation) {
  test::run(nic_nodes(), [](world& world) {
    try_all_operations<std::uint64_t>(world);
    try_all_operations<std::int64_t>(world);
    try_all_operations<std::uint32_t>(world);
    try_all_operations<std::int32_t>(world);
  });
}

TEST(NicDomain, BoundsOfAllRanksHold) {
  test::run(nic_nodes(), [](world& world) {
    const auto word = allocate_nic<std::int64_t>(world);
    const atomic_ref max(world, word.on(0));
    for (int i = 0; i < 300; ++i) max.fetch_max(4 * i + world.rank());
    barrier(world);
    EXPECT_EQ(max.load(), 4 * 299 + 3);
  });
}

TEST(NicDomain, WakesAndFlushes) {
  test::run(nic_nodes(), [](world& world) {
    const auto word = allocate_nic<std::uint64_t>(world);
    const atomic_ref own(world, word.on(world.rank()));
    const int next = (world.rank() + 1) % world.size();
    atomic_ref(world, word.on(next)).waking().add(1);
    wait_signal(world, word.on(world.rank()), [](std::uint64_t now) { return now >= 1; });
    const atomic_ref theirs(world, word.on(next));
    auto added = theirs.fetch_add_async(1);
    flush(world);
    EXPECT_GE(theirs.load(), 2u);
    EXPECT_EQ(added.get(), 1u);
    barrier(world);
    EXPECT_EQ(own.load(), 2u);
  });
}

TEST(NicDomain, RefusesSignals) {
  test::run(nic_nodes(), [](world& world) {
    const auto data = allocate<std::uint64_t>(world);
    const auto word = allocate_nic<std::uint64_t>(world);
    EXPECT_THROW(put(world, data.on(0), std::uint64_t{1}, signal_of(word.on(0), 1)), bad_argument);
    barrier(world);
    deallocate(world, word);
  });
}

}  // namespace
}  // namespace far::fabric
