#include "far/rma/when_all.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "test/support/jobs.hpp"

namespace far {
namespace {

class when_all_test : public test::on_ranks {};
INSTANTIATE_FAR_MODES_ON(when_all_test, 1);

TEST_P(when_all_test, waits_for_every_part) {
  run([](world& w) {
    std::vector<promise<int>> promises;
    std::vector<future<int>> parts;
    for (int i = 0; i < 5; ++i) {
      promises.emplace_back(w);
      parts.push_back(promises.back().get_future());
    }
    promises[1].set_value(10);  // ready before when_all
    auto all = when_all(w, std::move(parts));
    for (const std::size_t i : {4u, 0u, 3u, 2u}) {
      EXPECT_FALSE(all.ready());
      promises[i].set_value(static_cast<int>(i));
    }
    EXPECT_TRUE(all.ready());
    EXPECT_EQ(all.get(), (std::vector<int>{0, 10, 2, 3, 4}));
  });
}

TEST_P(when_all_test, nothing_is_ready_at_once) {
  run([](world& w) {
    EXPECT_TRUE(when_all(w, std::vector<future<int>>()).get().empty());
    when_all(w, std::vector<future<void>>()).get();
  });
}

TEST_P(when_all_test, takes_the_first_error) {
  run([](world& w) {
    std::vector<promise<void>> promises;
    std::vector<future<void>> parts;
    for (int i = 0; i < 3; ++i) {
      promises.emplace_back(w);
      parts.push_back(promises.back().get_future());
    }
    auto all = when_all(w, std::move(parts));
    promises[2].set_exception(std::make_exception_ptr(std::logic_error("last")));
    promises[1].set_exception(std::make_exception_ptr(std::domain_error("first")));
    EXPECT_FALSE(all.ready());  // the other operation may still write to its buffer
    promises[0].set_value();
    EXPECT_THROW(all.get(), std::domain_error);
  });
}

TEST_P(when_all_test, mixes_types) {
  run([](world& w) {
    promise<std::string> text(w);
    auto all = when_all(w, ready_future(w, 1), text.get_future(), ready_future(w),
                        ready_future(w, std::make_unique<int>(5)));
    EXPECT_FALSE(all.ready());
    text.set_value("two");
    auto [one, two, nothing, five] = all.get();
    EXPECT_EQ(one, 1);
    EXPECT_EQ(two, "two");
    static_assert(std::is_same_v<decltype(nothing), std::monostate>);
    EXPECT_EQ(*five, 5);
    auto none = when_all(w, ready_future(w), ready_future(w));
    static_assert(std::is_same_v<decltype(none), future<void>>);
    none.get();
  });
}

TEST_P(when_all_test, goes_on_by_then) {
  run([](world& w) {
    promise<int> a(w);
    promise<int> b(w);
    auto sum = when_all(w, a.get_future(), b.get_future()).then([](std::tuple<int, int> both) {
      return std::get<0>(both) + std::get<1>(both);
    });
    b.set_value(2);
    a.set_value(3);
    EXPECT_EQ(sum.get(), 5);
  });
}

TEST_P(when_all_test, other_views_are_refused) {
  run([](world& w) {
    w.threads(1, [&](world& world) {
      EXPECT_THROW((void)when_all(w, ready_future(w), ready_future(world)), bad_argument);
      EXPECT_THROW((void)when_all(w, future<void>()), bad_argument);
    });
  });
}

}  // namespace
}  // namespace far
