// What accesses to a cached array cost by the clock of a simulated machine.

#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "far/array/cached/access_work.hpp"
#include "far/fabric/copy.hpp"
#include "far/far.hpp"

#ifndef FAR_THREAD_SANITIZER  // which cannot follow fibers

namespace {

using array_type = far::cached_array<std::uint64_t>;

class cached_array_clock_test : public testing::Test {
 protected:
  ~cached_array_clock_test() override { unlink(path_.c_str()); }

  /// Runs on a machine with these figures in addition.
  void run(const std::string& figures, const std::function<void(far::world&)>& body,
           int ranks = 2) const {
    std::ofstream(path_) << R"({"outside": {"put": 10, "send": 40},
      "links": {"group": {"latency": 1000}})"
                         << figures << "}";
    far::run({.ranks = ranks, .mode = far::job_mode::fibers, .profile = path_}, body);
  }

  const std::string path_ = testing::TempDir() + "cached_array_clock" + std::to_string(getpid());
};

constexpr const char* figures = R"(, "array_hit": 7, "array_apply": 9.5, "array_pinned": 0.25)";
constexpr std::uint64_t some = 100;

template <class F>
std::uint64_t time_of(const far::world& world, F f) {
  const std::uint64_t begin = world.now();
  for (std::uint64_t i = 0; i < some; ++i) f(i);
  return world.now() - begin;
}

TEST_F(cached_array_clock_test, hits_take_the_time_of_the_profile) {
  run(figures, [](far::world& world) {
    const array_type a(world, 1024);
    const std::uint64_t first = 512 * static_cast<std::uint64_t>(1 - world.rank());
    const auto get = [&](std::uint64_t i) { EXPECT_EQ(a.get(first + i), 0u); };
    const auto set = [&](std::uint64_t i) { a.put(first + i, i); };
    const auto apply = [&](std::uint64_t i) { a.apply(first + i, i, std::plus<>()); };
    get(0);  // which misses
    EXPECT_EQ(time_of(world, get), some * 7);
    far::barrier(world);
    set(0);
    EXPECT_EQ(time_of(world, set), some * 7);
    EXPECT_EQ(time_of(world, apply), some * 7);  // to the elements themselves
  });
}

TEST_F(cached_array_clock_test, combining_takes_the_time_of_the_profile) {
  run(figures, [](far::world& world) {
    const array_type a(world, 512);  // at rank 0
    const auto apply = [&](std::uint64_t i) { a.apply(i, std::uint64_t{1}, std::plus<>()); };
    if (world.rank() == 0) apply(0);
    far::barrier(world);
    if (world.rank() == 1) {
      apply(0);
      EXPECT_EQ(time_of(world, apply), some * 95 / 10);
    }
    far::barrier(world);
    EXPECT_EQ(a.get(0), 3u);
  });
}

TEST_F(cached_array_clock_test, pinned_accesses_are_charged_by_the_program) {
  run(figures, [](far::world& world) {
    const array_type a(world, 1024);
    const far::cached::access_work work(world.fabric());
    const auto pin = a.pin_write(512 * static_cast<std::uint64_t>(world.rank()));
    const std::uint64_t begin = world.now();
    for (std::uint64_t k = 0; k < some; ++k) pin.elements()[k] = k;
    EXPECT_EQ(world.now(), begin);
    work.charge_pinned(world.context(), some);
    EXPECT_EQ(world.now() - begin, some / 4);
  });
}

TEST_F(cached_array_clock_test, loops_of_hits_end) {
  for (const char* more : {"", figures}) {
    run(more, [](far::world& world) {
      const array_type a(world, 1024);
      const bool waits = world.rank() == 0;
      if (!waits) world.compute(100'000);
      if (!waits) a.put(0, 1);
      if (!waits) return;
      while (a.get(0) == 0) {
      }
      EXPECT_GT(world.now(), 100'000u);
    });
  }
}

TEST_F(cached_array_clock_test, an_array_ends_although_its_service_thread_is_ahead) {
  const auto lock_once = [](far::world& world) {
    const array_type a(world, 16);
    const auto lock = a.lock_of(0);
    lock.lock();
    lock.unlock();
    world.compute(100);  // while the service thread handles that for 1150 ns
  };
  run(R"(, "inside": {"send": 100}, "handler": 150, "handoff": 1000)", lock_once, 1);
}

}  // namespace

#endif
