// far::lock_levels: stated levels, detected levels on every fabric, and made-up machines.

#include "far/sync/lock_levels.hpp"

#include <sched.h>

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "far/base/environment.hpp"
#include "far/base/error.hpp"
#include "far/far.hpp"
#include "far/sync/rank_place.hpp"
#include "test/support/jobs.hpp"

namespace {

using far::lock_levels;
using far::sync::rank_place;

/// Sets a variable, or removes it, before ranks start.
void set_variable(const char* name, const std::string& value) {
  if (value.empty()) {
    unsetenv(name);
  } else {
    setenv(name, value.c_str(), 1);
  }
}

/// Clears what the environment, or a test before, has set.
class lock_levels_test : public far::test::on_ranks {
 protected:
  lock_levels_test() {
    for (const char* name : {"FAR_LEVELS", "SLURM_TOPOLOGY_ADDR", "HWLOC_SYNTHETIC"}) {
      set_variable(name, "");
    }
  }
};
class stated_levels_test : public lock_levels_test {};

class found_levels_test : public ::testing::Test {
 protected:
  found_levels_test() {
    set_variable("FAR_LEVELS", "");
    EXPECT_EQ(sched_getaffinity(0, sizeof(processors_before_), &processors_before_), 0);
  }
  ~found_levels_test() override {
    set_variable("HWLOC_SYNTHETIC", "");
    EXPECT_EQ(sched_setaffinity(0, sizeof(processors_before_), &processors_before_), 0);
  }

  /// Ranks that are processes may change their environment.
  static void run(int ranks, const std::function<void(far::world&)>& body,
                  far::job_mode mode = far::job_mode::processes) {
    far::run_options options;
    options.mode = mode;
    options.ranks = ranks;
    far::test::run(options, body);
  }

 private:
  cpu_set_t processors_before_{};  // threads of this process may be ranks
};

std::vector<std::size_t> allowed_processors() {
  cpu_set_t allowed;
  EXPECT_EQ(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(i, &allowed)) result.push_back(i);
  }
  return result;
}

void bind_to(std::size_t processor) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(processor, &one);
  EXPECT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
}

/// Elements begin with their home, and each lies within one element of the level before.
void expect_nested(const lock_levels& levels, int ranks) {
  for (int rank = 0; rank < ranks; ++rank) EXPECT_EQ(levels.home(0, rank), 0);
  for (int level = 0; level < levels.count(); ++level) {
    for (int rank = 0; rank < ranks; ++rank) {
      const int home = levels.home(level, rank);
      EXPECT_LE(home, rank);
      EXPECT_EQ(levels.home(level, home), home);
      if (level == 0) continue;
      EXPECT_EQ(levels.home(level - 1, rank), levels.home(level - 1, home));
    }
  }
}

/// "machine 4, package 8"
std::string summary(const lock_levels& levels) {
  std::string result;
  for (int level = 1; level < levels.count(); ++level) {
    result +=
        fmt::format("{}{} {}", level == 1 ? "" : ", ", levels.name(level), levels.elements(level));
  }
  return result;
}

TEST_P(lock_levels_test, machines_are_elements) {
  run([](far::world& world) {
    const lock_levels levels(world);
    std::map<int, int> first;
    for (int rank = 0; rank < world.size(); ++rank) first.try_emplace(world.node_of(rank), rank);
    const int machines = static_cast<int>(first.size());
    ASSERT_EQ(levels.count(), machines > 1 && machines < world.size() ? 2 : 1);
    EXPECT_EQ(levels.name(0), "job");
    expect_nested(levels, world.size());
    if (levels.count() == 1) return;
    EXPECT_EQ(levels.name(1), "machine");
    for (int rank = 0; rank < world.size(); ++rank) {
      EXPECT_EQ(levels.home(1, rank), first.at(world.node_of(rank)));
    }
  });
}

TEST_P(lock_levels_test, elements_contain_each_other) {
  run([](far::world& world) {
    const lock_levels levels(world, {12, 4, 2});
    ASSERT_EQ(levels.count(), 4);
    EXPECT_EQ(levels.name(2), "4 ranks");
    expect_nested(levels, world.size());
    for (int rank = 0; rank < world.size(); ++rank) {
      EXPECT_EQ(levels.home(1, rank), rank / 12 * 12);
      EXPECT_EQ(levels.home(3, rank), rank / 2 * 2);
    }
    EXPECT_THROW(lock_levels(world, {4, 3}), far::bad_argument);
    EXPECT_THROW(lock_levels(world, {4, 4}), far::bad_argument);
    EXPECT_THROW(lock_levels(world, {2, 4}), far::bad_argument);
    EXPECT_THROW(lock_levels(world, {4, 1}), far::bad_argument);
  });
}

TEST_P(stated_levels_test, are_what_the_user_says) {
  set_variable("FAR_LEVELS", fmt::format("2x1x{}x2x1", GetParam().count / 4));
  run([](far::world& world) {
    const lock_levels levels(world);
    const int half = world.size() / 2;
    if (half == 2) {  // a level that is stated twice counts once
      EXPECT_EQ(summary(levels), "2 ranks 2");
    } else {
      EXPECT_EQ(summary(levels), fmt::format("{} ranks 2, 2 ranks {}", half, half));
    }
    expect_nested(levels, world.size());
  });
}

TEST_P(stated_levels_test, may_be_none) {
  set_variable("FAR_LEVELS", std::to_string(GetParam().count));
  run([](far::world& world) { EXPECT_EQ(lock_levels(world).count(), 1); });
}

TEST_P(stated_levels_test, are_of_all_ranks) {
  set_variable("FAR_LEVELS", "2x3");
  run([](far::world& world) {
    try {
      const lock_levels levels(world);
      ADD_FAILURE() << "accepted for " << world.size() << " ranks";
    } catch (const far::bad_argument& error) {
      EXPECT_NE(std::string(error.what())
                    .find(fmt::format("FAR_LEVELS = '2x3': makes 6 ranks, the job has {}; write",
                                      world.size())),
                std::string::npos)
          << error.what();
    }
  });
}

TEST(lock_levels_text_test, is_read_or_refused) {
  EXPECT_EQ(far::base::parse_levels("4x8x16", "it", 512), (std::vector{4, 8, 16}));
  EXPECT_EQ(far::base::parse_levels("3", "it", 0), std::vector{3});
  for (const char* text : {"", "x", "4x", "x4", "4x0", "-4x2", "4X8", "4 x 8", "4x8 ", "4xx8",
                           "65536x65536", "99999999999"}) {
    EXPECT_THROW((void)far::base::parse_levels(text, "it", 0), far::bad_argument) << text;
  }
  EXPECT_THROW((void)far::base::parse_levels("4x8", "it", 33), far::bad_argument);
}

TEST_F(found_levels_test, what_ranks_state_must_be_the_same) {
  run(3, [](far::world& world) {
    set_variable("FAR_LEVELS", world.rank() == 1 ? "3x1" : "1x3");
    EXPECT_THROW(lock_levels{world}, far::bad_argument);
    set_variable("FAR_LEVELS", "1x3");
    EXPECT_EQ(lock_levels(world).count(), 1);
  });
}

TEST_F(found_levels_test, ranks_are_found_where_they_are_bound) {
  const std::vector<std::size_t> processors = allowed_processors();
  if (processors.size() < 2) GTEST_SKIP() << "there is one processor only";
  // What hwloc finds here: each processor is a package.
  set_variable("HWLOC_SYNTHETIC", fmt::format("pack:{} core:1 pu:1", processors[1] + 1));
  set_variable("HWLOC_THISSYSTEM", "1");
  const auto body = [&](far::world& world) {
    EXPECT_EQ(lock_levels(world).count(), 1);  // bound to no processor
    if (world.rank() < 4) bind_to(processors[world.rank() % 2 == 0 ? 1 : 0]);
    const lock_levels levels(world);
    ASSERT_EQ(summary(levels), "package 3");
    expect_nested(levels, world.size());
    EXPECT_EQ(levels.home(1, 2), 0);
    EXPECT_EQ(levels.home(1, 3), 1);
    EXPECT_EQ(levels.home(1, 4), 4);  // bound to no processor
  };
  run(5, body);
  run(5, body, far::job_mode::threads);
}

TEST_F(found_levels_test, ranks_bound_alike_are_all_near) {
  const std::size_t processor = allowed_processors().back();
  set_variable("HWLOC_SYNTHETIC", "nonsense");  // it is not read
  run(3, [&](far::world& world) {
    bind_to(processor);
    EXPECT_EQ(lock_levels(world).count(), 1);
  });
}

TEST_F(found_levels_test, slurm_tells_of_switches) {
  run(8, [](far::world& world) {
    set_variable("SLURM_TOPOLOGY_ADDR",
                 fmt::format("s0.s{}.s{}.n{}", world.rank() / 4, world.rank() / 2, world.rank()));
    set_variable("SLURM_TOPOLOGY_ADDR_PATTERN", "switch.switch.switch.node");
    const lock_levels levels(world);
    EXPECT_EQ(summary(levels), "switch 2, switch 4");
    expect_nested(levels, world.size());
  });
}

TEST_F(found_levels_test, cores_count_where_they_have_hyperthreads) {
  set_variable("HWLOC_SYNTHETIC", "pack:2 l3:2 core:4 pu:2");
  EXPECT_EQ(summary(lock_levels(far::sync::places_of_this_machine())),
            "package 2, L3 cache 4, core 16");
  set_variable("HWLOC_SYNTHETIC", "pack:2 l3:2 core:4 pu:1");
  EXPECT_EQ(summary(lock_levels(far::sync::places_of_this_machine())), "package 2, L3 cache 4");
}

TEST(rank_place_test, switches_are_told_by_slurm) {
  using far::sync::switches_of;
  const auto two = switches_of("s0.s4.node1.site.org", "switch.switch.node");
  EXPECT_NE(two[0], 0u);
  EXPECT_NE(two[1], 0u);
  EXPECT_EQ(two[2], 0u);
  EXPECT_EQ(two, switches_of("s0.s4.node2", "switch.switch.node"));
  EXPECT_EQ(two[0], switches_of("s0.s5.node2", "switch.switch.node")[0]);
  EXPECT_NE(two[1], switches_of("s1.s4.node2", "switch.switch.node")[1]);  // another s4
  // Of too many switches the lowest count.
  const auto many = switches_of("a.b.c.d.e.n", "switch.switch.switch.switch.switch.node");
  EXPECT_EQ(many[0], switches_of("a.b.n", "switch.switch.node")[1]);
  EXPECT_NE(many[3], 0u);
  const std::array<std::uint64_t, rank_place::max_switches> none{};
  EXPECT_EQ(switches_of("node1", "node"), none);
  EXPECT_EQ(switches_of("s0.node1", ""), none);
  EXPECT_EQ(switches_of("", "switch.node"), none);
  EXPECT_EQ(switches_of("s0", "switch.switch.node"), none);
}

/// A rank on a machine of two packages of two NUMA nodes of two caches of four cores each.
rank_place on_core(int machine, int core) {
  rank_place place;
  place.machine = machine;
  place.parts = {core / 16, core / 8, core / 4, core};
  return place;
}

TEST(rank_place_test, places_are_levels) {
  std::vector<rank_place> places;
  for (int rank = 0; rank < 1024; ++rank) {
    places.push_back(on_core(rank / 32, rank % 32));
    places.back().switches = {1, static_cast<std::uint64_t>(rank / 256) + 1};
  }
  const lock_levels levels(places);
  EXPECT_EQ(summary(levels), "switch 4, machine 32, package 64, NUMA node 128, L3 cache 256");
  expect_nested(levels, 1024);
  EXPECT_EQ(levels.home(1, 1000), 768);
  EXPECT_EQ(levels.home(5, 1003), 1000);
}

// Ranks are dealt round-robin, so elements do not consist of consecutive ranks.
TEST(rank_place_test, elements_need_not_be_in_order) {
  std::vector<rank_place> places;
  for (int rank = 0; rank < 1000; ++rank) places.push_back(on_core(rank % 10, rank / 10 * 7 % 32));
  const lock_levels levels(places);
  EXPECT_EQ(summary(levels), "machine 10, package 20, NUMA node 40, L3 cache 80, core 320");
  expect_nested(levels, 1000);
  EXPECT_EQ(levels.home(1, 987), 7);
  for (int rank = 0; rank < 1000; ++rank) {
    for (int other = 0; other < 1000; other += 37) {
      const auto& mine = places[static_cast<std::size_t>(rank)];
      const auto& its = places[static_cast<std::size_t>(other)];
      EXPECT_EQ(levels.home(5, rank) == levels.home(5, other),
                mine.machine == its.machine && mine.parts == its.parts);
    }
  }
}

TEST(rank_place_test, what_divides_nothing_is_no_level) {
  EXPECT_EQ(summary(lock_levels(std::vector<rank_place>(1))), "");
  EXPECT_EQ(summary(lock_levels(std::vector<rank_place>(8))), "");
  std::vector<rank_place> places;
  for (int rank = 0; rank < 4; ++rank) places.push_back(on_core(rank, 0));
  EXPECT_EQ(summary(lock_levels(places)), "");  // single ranks
  // Each machine has one package, which is one NUMA node with one cache, and a switch of its own.
  for (auto& place : places) place.parts = {0, 0, 0, -1};
  places.insert(places.end(), places.begin(), places.end());
  for (auto& place : places) place.switches[0] = static_cast<std::uint64_t>(place.machine) + 1;
  EXPECT_EQ(summary(lock_levels(places)), "switch 4");
}

// Ranks are bound to a core, to a whole package, or not bound.
TEST(rank_place_test, unbound_ranks_are_with_each_other) {
  std::vector<rank_place> places;
  for (int rank = 0; rank < 96; ++rank) {
    places.push_back(on_core(rank / 48, rank % 32));
    if (rank % 3 == 1) places.back().parts = {rank % 2, -1, -1, -1};
    if (rank % 3 == 2) places.back().parts = {-1, -1, -1, -1};
  }
  const lock_levels levels(places);
  expect_nested(levels, 96);
  EXPECT_EQ(levels.name(2), "package");
  EXPECT_EQ(levels.elements(2), 2 * 3);
  for (int rank = 2; rank < 48; rank += 3) EXPECT_EQ(levels.home(levels.count() - 1, rank), 2);
  for (int rank = 50; rank < 96; rank += 3) EXPECT_EQ(levels.home(levels.count() - 1, rank), 50);
}

INSTANTIATE_FAR_MODES(lock_levels_test);
INSTANTIATE_FAR_MODES_ON(stated_levels_test, 8, 12);

}  // namespace
