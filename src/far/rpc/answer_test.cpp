// How remote calls are answered: with values or exceptions, at once, late, or by further calls.

#include <stdexcept>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/rpc/rpc_test.hpp"
#include "test/support/jobs.hpp"

namespace {

using answer_test = far::test::on_ranks;
using far::test::doubled;
using far::test::next_rank;
using far::test::notes;

template <class Error, class F>
void expect_remote_error(far::world& world, F function, const std::string& text) {
  try {
    far::rpc(world, next_rank(world), function).get();
    ADD_FAILURE() << "nothing was thrown instead of: " << text;
  } catch (const Error& e) {
    EXPECT_EQ(std::string(e.what()), text);
    EXPECT_EQ(typeid(e), typeid(Error));
  }
}

TEST_P(answer_test, exceptions_travel) {
  run([](far::world& world) {
    expect_remote_error<far::bad_argument>(
        world, [] { throw far::bad_argument("b"); }, "b");
    expect_remote_error<far::out_of_memory>(
        world, [] { throw far::out_of_memory("m"); }, "m");
    expect_remote_error<far::out_of_bounds>(
        world, [] { throw far::out_of_bounds("o"); }, "o");
    expect_remote_error<far::fabric_error>(
        world, [] { throw far::fabric_error("f"); }, "f");
    expect_remote_error<far::error>(
        world, [] { throw far::error("e"); }, "e");
    expect_remote_error<far::error>(
        world, [] { throw std::logic_error("l"); }, "l");
    expect_remote_error<far::error>(
        world, [](far::world&) -> int { throw std::runtime_error("r"); }, "r");
    // A text that does not fit in the space for a small result.
    expect_remote_error<far::error>(
        world, []() -> int { throw far::error(std::string(3000, 'x')); }, std::string(3000, 'x'));
    expect_remote_error<far::error>(
        world, [] { throw 1; }, "a remote function threw what is no std::exception");
    try {
      far::rpc(world, next_rank(world), [] { throw far::rank_failed(3, "three"); }).get();
    } catch (const far::rank_failed& e) {
      EXPECT_EQ(e.rank(), 3);
    }
    // The rank still answers.
    EXPECT_EQ(far::rpc<doubled>(world, next_rank(world), 4).get(), 8);
  });
}

TEST_P(answer_test, late_replies) {
  run([](far::world& world) {
    const int target = next_rank(world);
    // Answered by a later call, of any rank.
    auto late = far::rpc(world, target, [](far::world& there) {
      auto& waiting = there.state().get<notes>().waiting;
      waiting.emplace_back(there);
      return waiting.back().get_future();
    });
    auto ready = far::rpc(world, target, [](far::world& there) {
      return far::ready_future(there, std::string("at once"));
    });
    EXPECT_EQ(ready.get(), "at once");
    bool answered = false;
    while (!answered) {
      answered = far::rpc(
                     world, target,
                     [](far::world& there, int value) {
                       auto& waiting = there.state().get<notes>().waiting;
                       if (waiting.empty()) return false;
                       far::promise<int> first = std::move(waiting.back());
                       waiting.pop_back();
                       first.set_value(value);
                       return true;
                     },
                     17)
                     .get();
    }
    EXPECT_EQ(late.get(), 17);
    auto failing = far::rpc(world, target, [](far::world& there) {
      return far::ready_future(there, 1).then([](int) -> int { throw far::out_of_bounds("late"); });
    });
    EXPECT_THROW(failing.get(), far::out_of_bounds);
    auto nothing =
        far::rpc(world, target, [](far::world& there) { return far::ready_future(there); });
    nothing.get();
    auto dropped = far::rpc(world, target, [](far::world& there) {
      far::promise<int> promise(there);
      return promise.get_future();
    });
    EXPECT_THROW(dropped.get(), far::error);
  });
}

TEST_P(answer_test, functions_call_on) {
  run([](far::world& world) {
    const int target = next_rank(world);
    auto three_hops = far::rpc(
        world, target,
        [](far::world& there, std::string text) {
          const int onwards = next_rank(there);
          return far::rpc(
                     there, onwards,
                     [](far::world& w, const std::string& s) {
                       return s + std::to_string(w.rank());
                     },
                     text)
              .then([here = there](std::string s) { return s + std::to_string(here.rank()); });
        },
        "via ");
    EXPECT_EQ(three_hops.get(),
              "via " + std::to_string((world.rank() + 2) % world.size()) + std::to_string(target));
    // Large arguments and results on both legs.
    auto large = far::rpc(
        world, target,
        [](far::world& there, std::vector<int> data) {
          return far::rpc(
              there, next_rank(there),
              [](std::vector<int> d) {
                for (int& x : d) ++x;
                return d;
              },
              data);
        },
        std::vector<int>(10000, 5));
    EXPECT_EQ(large.get(), std::vector<int>(10000, 6));
    // A third call is refused, with a reason.
    auto too_deep = far::rpc(world, target, [](far::world& there) {
      return far::rpc(there, next_rank(there),
                      [](far::world& w) { return far::rpc<doubled>(w, next_rank(w), 1); });
    });
    EXPECT_THROW(too_deep.get(), far::bad_argument);
    // One-way calls may be made too.
    far::rpc(world, target, [](far::world& there) {
      far::rpc_oneway(there, next_rank(there), [](far::rank_state& s) { ++s.get<notes>().sum; });
    }).get();
    far::quiesce(world);
    EXPECT_EQ(world.state().get<notes>().sum, 1u);
  });
}

INSTANTIATE_FAR_MODES(answer_test);

}  // namespace
