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
ptr<T> allocate_nic(const world& view) {
  const auto word = allocate<T>(view, 1, amo_domain::nic);
  barrier(view);
  return word;
}

TEST(NicDomain, ProcessorsLeaveItsAtomicsAlone) {
  test::run(nic_nodes(), [](world& view) {
    const auto usual = allocate<std::uint64_t>(view);
    const auto word = allocate_nic<std::uint64_t>(view);
    for (int rank = 0; rank < view.size(); ++rank) {
      EXPECT_TRUE(view.fabric().cpu_atomics(usual.on(rank).address()));
      EXPECT_FALSE(view.fabric().cpu_atomics(word.on(rank).address()));
      EXPECT_EQ(reached(view.atomics(), word.on(rank).address()), nullptr);
    }
  });
}

// In one memory there is no NIC, so processors perform the atomics.
TEST(NicDomain, IsTheProcessorsInOneMemory) {
  run_options options = nic_nodes();
  options.mode = job_mode::threads;
  options.ranks_per_node = 0;
  test::run(options, [](world& view) {
    const auto word = allocate_nic<std::uint64_t>(view);
    EXPECT_TRUE(view.fabric().cpu_atomics(word.address()));
    atomic_ref(view, word.on(0)).add(1);
    barrier(view);
    EXPECT_EQ(atomic_ref(view, word.on(0)).load(), 4u);
  });
}

TEST(NicDomain, AtomicsOfAllRanksAddUp) {
  test::run(nic_nodes(), [](world& view) {
    constexpr std::uint64_t rounds = 2000;
    constexpr int at_once = 20;
    const auto word = allocate_nic<std::uint64_t>(view);
    for (int owner = 0; owner < view.size(); owner += 3) {  // the first and the last
      const atomic_ref count(view, word.on(owner));
      std::uint64_t seen = 0;
      for (std::uint64_t i = 0; i < rounds; i += at_once) {
        std::vector<future<std::uint64_t>> adds;
        for (int k = 0; k < at_once; ++k) adds.push_back(count.fetch_add_async(1));
        for (auto& add : adds) seen += add.get();
      }
      const std::uint64_t all = rounds * 4;
      // Each old value was seen once.
      EXPECT_EQ(allreduce(view, seen), all * (all - 1) / 2);
      EXPECT_EQ(count.load(), all);
      barrier(view);
    }
  });
}

TEST(NicDomain, OneWinnerOfEachExchange) {
  test::run(nic_nodes(), [](world& view) {
    constexpr std::uint32_t turns = 1000;
    const auto word = allocate_nic<std::uint32_t>(view);
    const atomic_ref turn(view, word.on(1));
    std::uint32_t won = 0;
    for (std::uint32_t seen = turn.load(); seen < turns;) {
      if (turn.compare_exchange(seen, seen + 1)) {
        ++won;
        ++seen;
      }
    }
    EXPECT_EQ(allreduce(view, won), turns);
  });
}

template <class T>
void try_all_operations(world& view) {
  const auto word = allocate_nic<T>(view);
  const auto mine = [&view, word](int rank) { return atomic_ref(view, word.on(rank)); };
  for (int rank = 0; rank < view.size(); ++rank) {
    if (view.rank() == 2) {
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
    barrier(view);
  }
}

TEST(NicDomain, HasEveryOperation) {
  test::run(nic_nodes(), [](world& view) {
    try_all_operations<std::uint64_t>(view);
    try_all_operations<std::int64_t>(view);
    try_all_operations<std::uint32_t>(view);
    try_all_operations<std::int32_t>(view);
  });
}

TEST(NicDomain, BoundsOfAllRanksHold) {
  test::run(nic_nodes(), [](world& view) {
    const auto word = allocate_nic<std::int64_t>(view);
    const atomic_ref max(view, word.on(0));
    for (int i = 0; i < 300; ++i) max.fetch_max(4 * i + view.rank());
    barrier(view);
    EXPECT_EQ(max.load(), 4 * 299 + 3);
  });
}

TEST(NicDomain, WakesAndFlushes) {
  test::run(nic_nodes(), [](world& view) {
    const auto word = allocate_nic<std::uint64_t>(view);
    const atomic_ref own(view, word.on(view.rank()));
    const int next = (view.rank() + 1) % view.size();
    atomic_ref(view, word.on(next)).waking().add(1);
    wait_signal(view, word.on(view.rank()), [](std::uint64_t now) { return now >= 1; });
    const atomic_ref theirs(view, word.on(next));
    auto added = theirs.fetch_add_async(1);
    flush(view);
    EXPECT_GE(theirs.load(), 2u);
    EXPECT_EQ(added.get(), 1u);
    barrier(view);
    EXPECT_EQ(own.load(), 2u);
  });
}

TEST(NicDomain, RefusesSignals) {
  test::run(nic_nodes(), [](world& view) {
    const auto data = allocate<std::uint64_t>(view);
    const auto word = allocate_nic<std::uint64_t>(view);
    EXPECT_THROW(put(view, data.on(0), std::uint64_t{1}, signal_of(word.on(0), 1)), bad_argument);
    barrier(view);
    deallocate(view, word);
  });
}

}  // namespace
}  // namespace far::fabric
