// Programs that break the contract of the fabric in ways that other fabrics may not detect. Fibers
// are left out under ThreadSanitizer, which cannot follow them.

#include <string>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/fabric/copy.hpp"
#include "far/fabric/handlers.hpp"
#include "far/fabric/job.hpp"

#ifndef FAR_THREAD_SANITIZER
namespace far::fabric {
namespace {

/// Sends a request to Handler at the other of two ranks. Returns the text of the resulting error.
template <class Error, class Handler>
std::string failure_in() {
  job_options options;
  options.ranks = 2;
  options.mode = job_mode::fibers;
  try {
    run_job(options, [](fabric& rank) {
      const auto c = rank.open_context();
      rank.set_extent(symmetric_segment, 8192);
      rank.quiesce(*c);
      request answer;
      if (rank.rank() == 0) {
        c->send({.rank = 1,
                 .handler = handler_of<Handler>::index(),
                 .reply = &answer,
                 .reply_bytes = 8});
        c->wait(answer, {"an answer", 1, {}});
      }
      rank.quiesce(*c);
    });
  } catch (const Error& error) {
    return error.what();
  } catch (const std::exception& error) {
    return std::string("another kind: ") + error.what();
  }
  return "no exception";
}

struct waits {
  static void run(message& m) {
    m.lane().wait([] { return true; }, never, {"what it must not", -1, {}});
  }
};

TEST(misuse_test, a_handler_that_waits) {
  EXPECT_EQ((failure_in<bad_argument, waits>()),
            "handlers, their tasks and completions must not wait");
}

struct fetches {
  static void run(message& m) {
    completion done;
    std::uint64_t value = 0;
    m.lane().amo({.word = {0, symmetric_segment, 64}, .fetched = &value}, &done);
  }
};

TEST(misuse_test, a_handler_that_fetches) {
  EXPECT_EQ((failure_in<bad_argument, fetches>()),
            "a handler starts signals and non-fetching amos only: defer a task");
}

struct says_nothing {
  static void run(message&) {}
};

TEST(misuse_test, a_handler_that_forgets_to_reply) {
  EXPECT_EQ((failure_in<fabric_error, says_nothing>()),
            "a handler neither replied to its request nor took the token");
}

struct replies_twice {
  static void run(message& m) {
    const reply_token token = m.take_token();
    m.lane().reply(token);
    m.lane().reply(token);
  }
};

TEST(misuse_test, a_token_used_twice) {
  EXPECT_EQ((failure_in<bad_argument, replies_twice>()),
            "reply: the token was used before, or belongs to another rank");
}

struct replies_much {
  static void run(message& m) { m.reply({}, std::span(&piece, 1)); }
  static inline const std::uint64_t value = 0;
  static inline const gather piece{&value, sizeof(value)};
};

TEST(misuse_test, a_reply_without_landings) {
  EXPECT_EQ((failure_in<bad_argument, replies_much>()),
            "reply of 0 bytes and 8 bytes of data: the request has room for 8 and 0");
}

struct sends_request {
  static void run(message& m) {
    m.defer([token = m.take_token()](context& lane) {
      lane.try_send({.rank = 0, .handler = handler_of<says_nothing>::index()});
    });
  }
};

TEST(misuse_test, a_task_that_sends_a_request) {
  EXPECT_EQ((failure_in<bad_argument, sends_request>()),
            "a handler's task sends forwards only, no requests");
}

struct sends_on {
  static void run(message& m) {
    m.defer([token = m.take_token()](context& lane) {
      lane.try_send({.rank = 0,
                     .handler = handler_of<says_nothing>::index(),
                     .kind = message_class::forward});
    });
  }
};
struct forwards_twice {
  static void run(message& m) {
    m.defer([](context& lane) {
      static request answer;
      lane.try_send({.rank = 0,
                     .handler = handler_of<sends_on>::index(),
                     .kind = message_class::forward,
                     .reply = &answer});
    });
    m.reply();
  }
};

TEST(misuse_test, a_forward_that_expects_a_reply_and_sends) {
  EXPECT_EQ((failure_in<bad_argument, forwards_twice>()),
            "the task of a forward that expects a reply may only reply");
}

TEST(misuse_test, two_threads_in_one_context) {
  job_options options;
  options.mode = job_mode::fibers;
  EXPECT_THROW(run_job(options,
                       [](fabric& rank) {
                         const auto c = rank.open_context();
                         const auto shared = rank.open_context();
                         rank.run_threads(*c, 2, [&](int) {
                           for (int i = 0; i < 100; ++i) shared->compute(1);
                         });
                       }),
               bad_argument);
}

TEST(misuse_test, impossible_options) {
  job_options options;
  options.mode = job_mode::fibers;
  options.ranks = 0;
  EXPECT_THROW(run_job(options, [](fabric&) {}), bad_argument);
  options = {.ranks = 1, .mode = job_mode::fibers, .lanes = 17};
  EXPECT_THROW(run_job(options, [](fabric&) {}), bad_argument);
  options = {.ranks = 1, .mode = job_mode::fibers, .symmetric_bytes = address::max_offset};
  EXPECT_THROW(run_job(options, [](fabric&) {}), bad_argument);
}

}  // namespace
}  // namespace far::fabric
#endif
