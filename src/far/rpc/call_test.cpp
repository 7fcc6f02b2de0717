// What remote calls can carry, and which ranks they reach.

#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "far/rpc/rpc_test.hpp"
#include "test/support/jobs.hpp"

namespace {

using call_test = far::test::on_ranks;
using far::test::doubled;
using far::test::next_rank;
using far::test::notes;

struct person {
  std::string name;
  std::vector<int> marks;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(name, marks);
  }
  bool operator==(const person&) const = default;
};

int rank_of(far::world& world) { return world.rank(); }

TEST_P(call_test, carries_all_kinds_of_arguments) {
  run([](far::world& world) {
    const int target = next_rank(world);
    EXPECT_EQ(far::rpc(world, target, [] { return 42; }).get(), 42);
    EXPECT_EQ(far::rpc(
                  world, target, [](int a, double b) { return a + b; }, 1, 0.5)
                  .get(),
              1.5);
    far::rpc(
        world, target, [](bool b) { EXPECT_TRUE(b); }, true)
        .get();
    const std::string text =
        far::rpc(
            world, target,
            [](std::string a, const std::string& b, std::string c) { return a + b + c; }, "one ",
            std::string("two "), std::string_view("three"))
            .get();
    EXPECT_EQ(text, "one two three");
    std::vector<int> numbers(100);
    std::iota(numbers.begin(), numbers.end(), 0);
    const auto sum = [](const std::vector<int>& v) {
      return std::accumulate(v.begin(), v.end(), 0);
    };
    EXPECT_EQ(far::rpc(world, target, sum, numbers).get(), 4950);
    EXPECT_EQ(far::rpc(world, target, sum, std::span(numbers).first(10)).get(), 45);
    const auto swapped = [](std::pair<int, std::string> p, std::optional<std::array<char, 2>> o) {
      return std::tuple(p.second, p.first, o.has_value());
    };
    EXPECT_EQ(far::rpc(world, target, swapped, std::pair(1, std::string("x")),
                       std::optional<std::array<char, 2>>())
                  .get(),
              std::tuple(std::string("x"), 1, false));
    const std::map<std::string, std::vector<int>> table{{"a", {1}}, {"b", {}}};
    EXPECT_EQ(far::rpc(
                  world, target, [](std::map<std::string, std::vector<int>> t) { return t; }, table)
                  .get(),
              table);
    const person ada{"Ada", {1, 2, 3}};
    EXPECT_EQ(far::rpc(
                  world, target, [](person p) { return p; }, ada)
                  .get(),
              ada);
  });
}

TEST_P(call_test, calls_all_kinds_of_functions) {
  run([](far::world& world) {
    const int target = next_rank(world);
    EXPECT_EQ(far::rpc<doubled>(world, target, 21).get(), 42);
    EXPECT_EQ(far::rpc<rank_of>(world, target).get(), target);
    EXPECT_EQ(far::rpc(world, target, [](far::world& there) { return there.rank(); }).get(),
              target);
    EXPECT_EQ(far::rpc(
                  world, target, [](const far::world& there, int a) { return there.size() + a; }, 1)
                  .get(),
              world.size() + 1);
    EXPECT_EQ(far::rpc(world, target, [](far::rank_state& s) { return s.fabric().rank(); }).get(),
              target);
    const int captured = world.rank() + 7;
    const double factor = 0.5;
    const auto closure = [captured, factor](int x) { return factor * (captured + x); };
    EXPECT_EQ(far::rpc(world, target, closure, 3).get(), 0.5 * (captured + 3));
    struct adder {
      int amount;
      int operator()(int x) const { return x + amount; }
    };
    EXPECT_EQ(far::rpc(world, target, adder{5}, 6).get(), 11);
    auto mutating = [total = captured + 0](int x) mutable { return total += x; };
    EXPECT_EQ(far::rpc(world, target, mutating, 1).get(), captured + 1);
    auto f = far::rpc(world, target, [](far::rank_state& s) { s.get<notes>().calls += 1; });
    static_assert(std::is_same_v<decltype(f), far::future<void>>);
    f.get();
    const std::vector<far::future<int>> none;  // instantiates a type that other code uses
    EXPECT_TRUE(none.empty());
  });
}

TEST_P(call_test, calls_to_oneself_go_the_same_way) {
  run([](far::world& world) {
    for (int i = 0; i < 20; ++i) {
      EXPECT_EQ(far::rpc(
                    world, world.rank(), [](far::world& w, int x) { return w.rank() + x; }, i)
                    .get(),
                world.rank() + i);
    }
  });
}

TEST_P(call_test, threads_of_a_rank_call_at_once) {
  run([](far::world& world) {
    world.threads(3, [](far::world& own) {
      const int calls = far::test::rounds_in_sim(own, 6, 50);
      for (int i = 0; i < calls; ++i) {
        const int target = (own.rank() + i) % own.size();
        EXPECT_EQ(far::rpc(
                      own, target, [](far::world& w, int x) { return w.rank() + x; }, i)
                      .get(),
                  target + i);
      }
    });
  });
}

// Threads end before the calls that they started, whose futures they dropped.
TEST_P(call_test, threads_may_leave_calls_open) {
  run([](far::world& world) {
    const int rounds = far::test::rounds_in_sim(world, 22, 5);
    for (int round = 0; round < rounds; ++round) {
      world.threads(2, [](far::world& own) {
        for (int i = 0; i < 10; ++i) (void)far::rpc<doubled>(own, i % own.size(), i);
      });
    }
    world.threads(
        2, [](far::world& own) { EXPECT_EQ(far::rpc<doubled>(own, next_rank(own), 4).get(), 8); });
  });
}

INSTANTIATE_FAR_MODES(call_test);

}  // namespace
