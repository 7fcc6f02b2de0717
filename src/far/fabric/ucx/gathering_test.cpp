// Gathered packets are sent even if their program makes no more calls, and arrive complete.

#include <chrono>
#include <numeric>
#include <thread>
#include <vector>

#include "far/base/random.hpp"
#include "test/support/jobs.hpp"

namespace far {
namespace {

run_options gathering_nodes() {
  run_options options;
  options.mode = job_mode::ucx;
  options.ranks = 2;
  options.ranks_per_node = 1;
  return options;
}

std::uint64_t seen(std::uint64_t& word) { return std::atomic_ref(word).load(); }

/// Waits without progress, as a program without libfar would.
template <class Ready>
void poll_until(Ready ready) {
  while (!ready()) std::this_thread::sleep_for(std::chrono::microseconds(100));
}

TEST(Gathering, HoldsNothingBackWhenItsProgramRests) {
  test::run(gathering_nodes(), [](world& world) {
    constexpr int at_once = 200;
    const auto count = allocate<std::uint64_t>(world);
    const auto enough = allocate<std::uint64_t>(world);
    barrier(world);
    if (world.rank() == 0) {
      std::vector<future<std::uint64_t>> adds;
      for (int i = 0; i < at_once; ++i) {
        adds.push_back(atomic_ref(world, count.on(1)).fetch_add_async(1));
      }
      poll_until([&] { return seen(*local(world, enough)) == 1; });
      std::uint64_t sum = 0;
      for (auto& add : adds) sum += add.get();
      EXPECT_EQ(sum, std::uint64_t{at_once} * (at_once - 1) / 2);
    } else {
      poll_until([&] { return seen(*local(world, count)) == at_once; });
      put(world, enough.on(0), std::uint64_t{1});
    }
  });
}

/// More than a context has in flight without a turn.
TEST(Gathering, BringsWhatSourcesHeldWhenThePutsReturned) {
  test::run(gathering_nodes(), [](world& world) {
    constexpr std::uint64_t many = 3000;
    const auto to = allocate<std::uint64_t>(world, many);
    const auto arrived = allocate<std::uint64_t>(world);
    const auto enough = allocate<std::uint64_t>(world);
    barrier(world);
    if (world.rank() == 0) {
      fabric::context& context = world.context();
      std::uint64_t source = 0;
      static int ended = 0;
      for (std::uint64_t i = 0; i < many; ++i) {
        source = i + 1;
        ended = 0;
        fabric::completion read;
        read.on_done = [](fabric::completion&) noexcept { ++ended; };
        const fabric::put_part part{(to.on(1) + static_cast<std::ptrdiff_t>(i)).address(), &source,
                                    sizeof(source)};
        const fabric::signal after{arrived.on(1).address(), 1, fabric::signal::kind::add};
        context.put({&part, 1}, nullptr, &read, &after);
        context.wait(read, {"a put's source", 1, {}});
        ASSERT_EQ(ended, 1);
      }
      source = 0;
      poll_until([&] { return seen(*local(world, enough)) == 1; });
    } else {
      poll_until([&] { return seen(*local(world, arrived)) == many; });
      for (std::uint64_t i = 0; i < many; ++i) ASSERT_EQ(local(world, to)[i], i + 1);
      put(world, enough.on(0), std::uint64_t{1});
    }
  });
}

/// Puts, gets, signals, atomics and calls of all sizes, all in flight at the same time.
TEST(Gathering, BringsEverythingWhole) {
  test::run(gathering_nodes(), [](world& world) {
    constexpr std::size_t places = 400;
    constexpr std::size_t max = 1500;  // bytes: some packets are too large to be gathered
    const auto to = allocate<std::uint8_t>(world, places * max);
    const auto from = allocate<std::uint8_t>(world, places * max);
    const auto arrived = allocate<std::uint64_t>(world);
    const auto count = allocate<std::uint64_t>(world);
    std::iota(local(world, from), local(world, from) + places * max, std::uint8_t{1});
    barrier(world);
    const int there = 1 - world.rank();
    base::random random(20261122);
    std::vector<std::vector<std::uint8_t>> sent(places);
    std::vector<std::vector<std::uint8_t>> read(places);
    std::vector<future<void>> transfers;
    std::vector<future<std::uint64_t>> adds;
    std::vector<future<std::size_t>> calls;
    for (std::size_t i = 0; i < places; ++i) {
      const std::size_t bytes = 1 + random.below(random.below(4) == 0 ? max : 40);
      sent[i].assign(bytes, static_cast<std::uint8_t>(random.below(255) + 1));
      read[i].resize(bytes);
      const auto place = to.on(there) + static_cast<std::ptrdiff_t>(i * max);
      if (i % 2 == 0) {
        transfers.push_back(put_async(world, place, std::span<const std::uint8_t>(sent[i])));
      } else {
        transfers.push_back(put_async(world, place, std::span<const std::uint8_t>(sent[i]),
                                      signal_of(arrived.on(there), 1, signal::kind::add)));
      }
      transfers.push_back(get_async(world, from.on(there) + static_cast<std::ptrdiff_t>(i * max),
                                    std::span(read[i])));
      adds.push_back(atomic_ref(world, count.on(there)).fetch_add_async(1));
      calls.push_back(rpc(
          world, there, [](const std::vector<std::uint8_t>& all) { return all.size(); }, sent[i]));
    }
    std::uint64_t sum = 0;
    for (auto& one : transfers) one.get();
    for (auto& one : adds) sum += one.get();
    for (std::size_t i = 0; i < places; ++i) EXPECT_EQ(calls[i].get(), sent[i].size());
    EXPECT_EQ(sum, places * (places - 1) / 2);
    barrier(world);
    EXPECT_EQ(*local(world, arrived), places / 2);
    for (std::size_t i = 0; i < places; ++i) {  // both ranks have drawn the same numbers
      for (std::size_t b = 0; b < sent[i].size(); ++b) {
        ASSERT_EQ(local(world, to)[i * max + b], sent[i][b]) << i;
        ASSERT_EQ(read[i][b], static_cast<std::uint8_t>(i * max + b + 1)) << i;
      }
    }
    barrier(world);
  });
}

}  // namespace
}  // namespace far
