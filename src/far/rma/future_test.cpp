#include "far/rma/future.hpp"

#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "far/fabric/handlers.hpp"
#include "far/rma/promise.hpp"
#include "far/rma/when_all.hpp"
#include "test/support/jobs.hpp"

namespace far {
namespace {

class future_test : public test::on_ranks {};
INSTANTIATE_FAR_MODES_ON(future_test, 1);

/// Calls a function of this thread from inside progress, as the completion of an operation would.
struct call_later {
  static void run(fabric::message& message) {
    std::function<void()>* function = nullptr;
    std::memcpy(&function, message.bytes().data(), sizeof(function));
    (*function)();
  }
  static void start(const world& w, std::function<void()>& function) {
    const auto* pointer = &function;
    fabric::send_request request;
    request.rank = w.rank();
    request.handler = fabric::handler_of<call_later>::index();
    request.head = std::as_bytes(std::span(&pointer, 1));
    w.context().send(request);
  }
};

TEST_P(future_test, waits_for_a_promise) {
  run([](world& w) {
    promise<std::string> p(w);
    future<std::string> f = p.get_future();
    EXPECT_TRUE(f.valid());
    EXPECT_FALSE(f.ready());
    std::function<void()> fulfil = [&] { p.set_value("here"); };
    call_later::start(w, fulfil);
    f.wait(w);
    EXPECT_TRUE(f.ready());
    EXPECT_EQ(f.get(), "here");
    EXPECT_FALSE(f.valid());
  });
}

TEST_P(future_test, wait_until_gives_up) {
  run([](world& w) {
    promise<void> p(w);
    auto f = p.get_future();
    EXPECT_FALSE(f.wait_until(w.now()));
    EXPECT_TRUE(f.valid());
    p.set_value();
    EXPECT_TRUE(f.wait_until(w.now()));
    f.get();
  });
}

TEST_P(future_test, moves_and_is_consumed_once) {
  run([](world& w) {
    future<std::unique_ptr<int>> f = ready_future(w, std::make_unique<int>(4));
    future<std::unique_ptr<int>> g(std::move(f));
    EXPECT_FALSE(f.valid());
    f = std::move(g);
    EXPECT_EQ(*f.get(), 4);
    EXPECT_THROW(f.get(), bad_argument);
    EXPECT_THROW(f.wait(), bad_argument);
    EXPECT_THROW((void)f.then([](std::unique_ptr<int>) {}), bad_argument);
    EXPECT_THROW(future<void>().get(), bad_argument);
  });
}

/// Counts its live objects, including those that were moved from.
struct counted {
  explicit counted(int& live) : live_(&live) { ++live; }
  counted(counted&& other) noexcept : live_(other.live_) { ++*live_; }
  counted& operator=(counted&&) = delete;
  ~counted() { --*live_; }
  int* live_;
};

TEST_P(future_test, consumed_futures_hold_nothing) {
  // A future has the size of its value and two words.
  static_assert(sizeof(future<std::uint64_t>) == 3 * sizeof(std::uint64_t));
  run([](world& w) {
    int live = 0;
    future<counted> f = ready_future(w, counted(live));
    EXPECT_EQ(live, 1);
    {
      const counted taken = f.get();
      EXPECT_EQ(live, 1);
    }
    f = ready_future(w, counted(live));
    f = ready_future(w, counted(live));
    EXPECT_EQ(live, 1);
    future<counted> g(std::move(f));
    EXPECT_EQ(live, 1);
    g = g.then([](counted&& one) { return std::move(one); });
    EXPECT_EQ(live, 1);
    promise<counted> p(w);
    g = p.get_future();
    EXPECT_EQ(live, 0);
    p.set_value(live);
    g = g.then([](counted&& one) { return std::move(one); });
    EXPECT_EQ(live, 2);  // the promise holds the moved-from value
    { const future<counted> dropped(std::move(g)); }
    EXPECT_EQ(live, 1);
    // A ready future that becomes a part of when_all gets a state of its own.
    std::vector<future<counted>> parts;
    for (int i = 0; i < 3; ++i) parts.push_back(ready_future(w, counted(live)));
    EXPECT_EQ(when_all(w, std::move(parts)).get().size(), 3u);
    EXPECT_EQ(live, 1);
    EXPECT_THROW((void)ready_future(w, counted(live))
                     .then([](counted&&) -> int { throw std::domain_error("f"); })
                     .get(),
                 std::domain_error);
    EXPECT_EQ(live, 1);
  });
}

TEST_P(future_test, then_runs_at_once_when_ready) {
  run([](world& w) {
    bool ran = false;
    auto f = ready_future(w, 20).then([&](int x) {
      ran = true;
      return 2 * x + 2;
    });
    EXPECT_TRUE(ran);
    EXPECT_TRUE(f.ready());
    EXPECT_EQ(f.get(), 42);
    ready_future(w).then([&] { ran = false; }).get();
    EXPECT_FALSE(ran);
  });
}

TEST_P(future_test, then_runs_when_the_value_comes) {
  run([](world& w) {
    promise<int> p(w);
    int seen = 0;
    auto f = p.get_future().then([&](int x) { return seen = x; }).then([](int x) { return x + 1; });
    EXPECT_FALSE(f.ready());
    p.set_value(7);
    EXPECT_EQ(seen, 7);
    EXPECT_EQ(f.get(), 8);
  });
}

TEST_P(future_test, then_continues_though_nobody_waits) {
  run([](world& w) {
    promise<int> p(w);
    int seen = 0;
    (void)p.get_future().then([&](int x) { seen = x; });
    p.set_value(7);
    EXPECT_EQ(seen, 7);
  });
}

TEST_P(future_test, futures_of_futures_are_one) {
  run([](world& w) {
    // The outer and the inner future, each ready or not.
    for (int i = 0; i < 4; ++i) {
      promise<int> outer(w);
      promise<std::string> inner(w);
      if ((i & 1) != 0) outer.set_value(3);
      if ((i & 2) != 0) inner.set_value("x");
      future<std::string> f = outer.get_future().then([&](int) { return inner.get_future(); });
      EXPECT_EQ(f.ready(), i == 3);
      if ((i & 1) == 0) outer.set_value(3);
      if ((i & 2) == 0) inner.set_value("x");
      EXPECT_TRUE(f.ready());
      EXPECT_EQ(f.get(), "x");
    }
  });
}

TEST_P(future_test, carries_exceptions) {
  run([](world& w) {
    const auto oops = std::make_exception_ptr(std::logic_error("oops"));
    EXPECT_THROW(failed_future<int>(w, oops).get(), std::logic_error);
    bool ran = false;
    auto skipped = failed_future<int>(w, oops).then([&](int) { ran = true; });
    EXPECT_THROW(skipped.get(), std::logic_error);
    EXPECT_FALSE(ran);
    auto thrown = ready_future(w, 1).then([](int) -> int { throw std::domain_error("f"); });
    EXPECT_THROW(thrown.get(), std::domain_error);
    auto inner = ready_future(w).then([&] { return failed_future<int>(w, oops); });
    EXPECT_THROW(inner.get(), std::logic_error);

    promise<int> p(w);
    auto late = p.get_future()
                    .then([](int x) { return x; })
                    .then([&](int) -> future<int> { throw std::domain_error("g"); })
                    .then([&](int) { ran = true; });
    p.set_value(1);
    EXPECT_THROW(late.get(), std::domain_error);
    promise<int> q(w);
    auto failed = q.get_future().then([&](int) { ran = true; });
    q.set_exception(oops);
    EXPECT_THROW(failed.get(), std::logic_error);
    EXPECT_FALSE(ran);
  });
}

TEST_P(future_test, dropped_promise_is_an_error) {
  run([](world& w) {
    std::optional<promise<int>> p(w);
    auto f = p->get_future();
    EXPECT_THROW((void)p->get_future(), bad_argument);
    p.reset();
    EXPECT_TRUE(f.ready());
    EXPECT_THROW(f.get(), error);
    promise<int> q(w);
    q = promise<int>(w);
    q.set_value(1);
    EXPECT_THROW(q.set_value(2), bad_argument);
    EXPECT_EQ(q.get_future().get(), 1);
  });
}

TEST_P(future_test, continuations_must_not_wait) {
  run([](world& w) {
    promise<int> never(w);
    auto waited = never.get_future();
    auto f = ready_future(w).then([&] { return waited.get(); });
    EXPECT_THROW(f.get(), error);
    EXPECT_EQ(ready_future(w).then([&] { return ready_future(w, 1).get(); }).get(), 1);
  });
}

TEST_P(future_test, continuations_release_what_they_hold) {
  run([](world& w) {
    const auto held = std::make_shared<int>(1);
    promise<void> p(w);
    auto f = p.get_future().then([held] {});
    EXPECT_EQ(held.use_count(), 2);
    p.set_value();
    EXPECT_EQ(held.use_count(), 1);
    f.get();
  });
}

future<int> count_down(const world& w, int n) {
  if (n == 0) return ready_future(w, 0);
  return ready_future(w, n).then([&w](int left) { return count_down(w, left - 1); });
}

TEST_P(future_test, long_chains_need_little_stack) {
  seeds = 1;
  run([](world& w) {
    constexpr int n = 1'000'000;
    // A chain of continuations on a future that is ready.
    future<int> f = ready_future(w, 0);
    for (int i = 0; i < n; ++i) {
      f = f.then([](int x) { return x + 1; });
    }
    EXPECT_EQ(f.get(), n);
    // Each continuation starts the next one, which would be recursion.
    auto deep = count_down(w, n);
    EXPECT_TRUE(deep.ready());
    EXPECT_EQ(deep.get(), 0);
    // A chain that waits for one promise.
    promise<int> p(w);
    future<int> g = p.get_future();
    for (int i = 0; i < n / 10; ++i) {
      g = g.then([](int x) { return x + 1; });
    }
    p.set_value(0);
    EXPECT_EQ(g.get(), n / 10);
    // Each fulfils the promise of the next.
    std::vector<promise<int>> promises;
    for (int i = 0; i <= n / 10; ++i) promises.emplace_back(w);
    for (std::size_t i = 0; i + 1 < promises.size(); ++i) {
      (void)promises[i].get_future().then([&, i](int x) { promises[i + 1].set_value(x + 1); });
    }
    promises.front().set_value(0);
    EXPECT_EQ(promises.back().get_future().get(), n / 10);
    // A chain that is dropped needs no deep stack either.
    auto broken = std::make_unique<promise<int>>(w);
    future<int> h = broken->get_future();
    for (int i = 0; i < n / 10; ++i) {
      h = h.then([](int x) { return x + 1; });
    }
    broken.reset();
    EXPECT_THROW(h.get(), error);
  });
}

}  // namespace
}  // namespace far
