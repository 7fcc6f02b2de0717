// Parts of a structure that counts what ranks add, with the least that a structure needs.

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/homes/message.hpp"
#include "far/homes/part.hpp"
#include "far/homes/request.hpp"
#include "far/rma/flush.hpp"
#include "far/team/barrier.hpp"
#include "test/support/jobs.hpp"

namespace far::test {
namespace {

struct sum_part;

struct sum_outbox {
  std::vector<fabric::reply_token> answers;
  bool changed = false;

  [[nodiscard]] bool is_empty() const noexcept { return answers.empty() && !changed; }
  void flush(sum_part& of, fabric::context& context);
};

struct sum_part : homes::part {
  using outbox_type = sum_outbox;
  using homes::part::part;

  std::uint64_t sum = 0;
  int answered = 0;
};

void sum_outbox::flush(sum_part& of, fabric::context& context) {
  for (const auto& token : answers) context.reply(token, homes::bytes_of(of.rank));
  if (changed) of.wake_waiting(context);
}

struct add_message {
  homes::object_id object;
  std::uint32_t throws;
  std::uint64_t more;

  static void receive(const std::shared_ptr<sum_part>& of, const add_message& header,
                      fabric::message& message) {
    homes::step(message, of, [&](sum_outbox& out) {
      of->sum += header.more;
      out.changed = true;
      if (message.expects_reply()) out.answers.push_back(message.take_token());
      if (header.throws != 0) homes::throw_malformed("as asked for");
    });
  }
};

struct parts {
  explicit parts(const world& w) : view(w), mine(std::make_shared<sum_part>(w)) {
    homes::open_part(view, mine, "sum");
  }
  ~parts() {
    homes::close_part(view, *mine, scope, [](bool) {});
  }
  void await(std::uint64_t sum) const {
    std::unique_lock lock(mine->mutex);
    homes::wait_for_change(
        *mine, lock, view, "a sum", -1, [&] { return mine->sum == sum; }, [] { return false; });
  }

  const world& view;
  std::shared_ptr<sum_part> mine;
  collective_scope scope;
};

using homes_test = on_ranks;

TEST_P(homes_test, steps_change_parts_and_wake_who_waits) {
  run([](world& w) {
    const parts all(w);
    for (int rank = 0; rank < w.size(); ++rank) {
      const add_message header{all.mine->id, 0, static_cast<std::uint64_t>(w.rank()) + 1};
      w.context().send(homes::message_to(w.context(), rank, header));
    }
    const auto n = static_cast<std::uint64_t>(w.size());
    all.await(n * (n + 1) / 2);
  });
}

TEST_P(homes_test, an_answer_is_a_value_or_a_step) {
  run([](world& w) {
    const parts all(w);
    const int to = (w.rank() + 1) % w.size();
    const add_message header{all.mine->id, 0, 1};
    homes::request<int> asked;
    auto message = homes::message_to(w.context(), to, header);
    message.reply = &asked;
    message.reply_bytes = sizeof(int);
    w.context().send(message);
    w.context().wait(asked, {"an answer", to, {}});
    EXPECT_EQ(asked.value(), to);

    auto second = homes::message_to(w.context(), to, header);
    second.reply_bytes = sizeof(int);
    second.reply = homes::then_step(all.mine, w.context(),
                                    [of = all.mine.get(), to](sum_outbox& out, auto bytes) {
                                      EXPECT_EQ(bytes.size(), sizeof(int));
                                      of->answered = 1 + to;
                                      out.changed = true;
                                    });
    w.context().send(second);
    std::unique_lock lock(all.mine->mutex);
    homes::wait_for_change(
        *all.mine, lock, w, "an answer", to, [&] { return all.mine->answered == 1 + to; },
        [] { return false; });
  });
}

TEST_P(homes_test, an_object_that_is_gone_answers_nothing) {
  run([](world& w) {
    homes::object_id gone = 0;
    {
      const parts all(w);
      gone = all.mine->id;
    }
    barrier(w);
    const add_message header{gone, 0, 1};
    homes::request<int> asked;
    auto message = homes::message_to(w.context(), (w.rank() + 1) % w.size(), header);
    message.reply = &asked;
    message.reply_bytes = sizeof(int);
    w.context().send(message);
    w.context().wait(asked, {"an answer", -1, {}});
    EXPECT_EQ(asked.value(), 0);
    barrier(w);
  });
}

INSTANTIATE_FAR_MODES_ON(homes_test, 1, 2, 3);

TEST_P(homes_test, a_threads_step_sends_what_it_has_left_though_it_throws) {
  run([](world& w) {
    const parts all(w);
    const std::uint64_t before = w.context().peek(all.mine->changes.address());
    EXPECT_THROW(homes::step(w.context(), *all.mine,
                             [](sum_outbox& out) {
                               out.changed = true;
                               throw error("as asked for");
                             }),
                 error);
    flush(w);
    EXPECT_EQ(w.context().peek(all.mine->changes.address()), before + 1);
  });
}

/// Runs the body on one rank, which sends itself a message; returns why the job has failed.
std::string failure_of(const fabric::payload& whole, const world& w) {
  auto message = homes::message_of<add_message>(w.context(), 0, whole);
  homes::request<int> asked;
  message.reply = &asked;
  message.reply_bytes = sizeof(int);
  try {
    w.context().send(message);
    w.context().wait(asked, {"an answer", 0, {}});
  } catch (const error& failure) {
    return failure.what();
  }
  return {};
}

TEST(homes_message_test, a_step_that_throws_fails_the_job) {
  std::string told;
  try {
    far::run({.ranks = 1, .mode = job_mode::threads}, [&](world& w) {
      const parts all(w);
      const add_message header{all.mine->id, 1, 5};
      told = failure_of(homes::bytes_of(header), w);
      EXPECT_EQ(all.mine->sum, 5u);
    });
  } catch (const error& failure) {
    told = failure.what();
  }
  EXPECT_NE(told.find("as asked for"), std::string::npos) << told;
}

TEST(homes_message_test, a_header_that_is_cut_off_fails_the_job) {
  std::string told;
  try {
    far::run({.ranks = 1, .mode = job_mode::threads}, [&](world& w) {
      const parts all(w);
      told = failure_of(homes::bytes_of(all.mine->id), w);
    });
  } catch (const error& failure) {
    told = failure.what();
  }
  EXPECT_NE(told.find("its header is cut off"), std::string::npos) << told;
}

}  // namespace
}  // namespace far::test
