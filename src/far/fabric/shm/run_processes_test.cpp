// Tests forked ranks: the caller gets their failure, and no process remains afterwards.

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <typeinfo>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/fabric/handlers.hpp"
#include "far/fabric/job.hpp"

namespace {

using far::fabric::fabric;
using far::fabric::handler_of;
using far::fabric::job_mode;
using far::fabric::message;
using far::fabric::payload;
using far::fabric::rank_body;
using far::fabric::reply_token;
using far::fabric::request;

void run_processes(int ranks, const rank_body& body) {
  far::fabric::job_options options;
  options.ranks = ranks;
  options.mode = job_mode::processes;
  far::fabric::run_job(options, body);
}

void wait_for_ever(fabric& rank) {
  const auto context = rank.open_context();
  context->wait([] { return false; }, far::fabric::never, {"the end of the job", -1, {}});
}

void expect_no_children() {
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

/// Rank 1 of 3 runs `fail`, the others wait. Returns what() of the Failure that the caller gets.
template <class Failure>
std::string failure_text(const std::function<void()>& fail) {
  std::string text = "no failure";
  try {
    run_processes(3, [&](fabric& rank) {
      if (rank.rank() == 1) fail();
      wait_for_ever(rank);
    });
  } catch (const Failure& failure) {
    EXPECT_STREQ(typeid(failure).name(), typeid(Failure).name());
    text = failure.what();
  }
  expect_no_children();
  return text;
}

TEST(RunProcesses, EachRankIsAProcess) {
  run_processes(4, [parent = getpid()](fabric& rank) {
    if (rank.size() != 4 || getppid() != parent) throw far::error("not a child of the caller");
  });
  expect_no_children();
}

TEST(RunProcesses, ExceptionsComeBackByKindAndText) {
  using far::out_of_memory;
  EXPECT_EQ(failure_text<far::bad_argument>([] { throw far::bad_argument("bad"); }), "bad");
  EXPECT_EQ(failure_text<out_of_memory>([] { throw out_of_memory("full"); }), "full");
  EXPECT_EQ(failure_text<far::out_of_bounds>([] { throw far::out_of_bounds("far"); }), "far");
  EXPECT_EQ(failure_text<far::fabric_error>([] { throw far::fabric_error("cut"); }), "cut");
  EXPECT_EQ(failure_text<far::error>([] { throw far::error("other"); }), "other");
  EXPECT_EQ(failure_text<far::error>([] { throw std::runtime_error("std"); }), "std");
  EXPECT_EQ(failure_text<far::error>([] { throw 1; }), "an exception that is no std::exception");
}

TEST(RunProcesses, LongTextsAreCutOff) {
  const std::string text =
      failure_text<far::error>([] { throw far::error(std::string(100'000, 'x')); });
  EXPECT_GT(text.size(), 1000u);
  EXPECT_EQ(text.find_first_not_of('x'), std::string::npos);
}

/// Rank 1 of 3 runs `fail`. The caller's rank_failed must name rank 1 and end with `end`.
void expect_rank_failed(const std::function<void()>& fail, const std::string& end) {
  std::string text;
  try {
    run_processes(3, [&](fabric& rank) {
      if (rank.rank() == 1) fail();
      wait_for_ever(rank);
    });
  } catch (const far::rank_failed& failure) {
    EXPECT_EQ(failure.rank(), 1);
    text = failure.what();
  }
  EXPECT_EQ(text.rfind("rank 1 (pid ", 0), 0u) << text;
  ASSERT_GE(text.size(), end.size());
  EXPECT_EQ(text.substr(text.size() - end.size()), end);
  expect_no_children();
}

TEST(RunProcesses, ADeadRankIsNamed) {
  expect_rank_failed([] { raise(SIGKILL); }, ") died from signal 9 (Killed)");
}

TEST(RunProcesses, LeavingInsideTheBodyIsAFailure) {
  expect_rank_failed([] { _exit(0); }, ") exited with status 0 before the job's end");
  expect_rank_failed([] { _exit(9); }, ") exited with status 9");
}

TEST(RunProcesses, OtherRanksAreToldOfADeath) {
  // Rank 1 dies. Rank 0 gets a rank_failed that names rank 1, and then dies, too.
  std::string text;
  try {
    run_processes(2, [](fabric& rank) {
      if (rank.rank() == 1) raise(SIGKILL);
      try {
        wait_for_ever(rank);
      } catch (const far::rank_failed& failure) {
        if (failure.rank() != 1) _exit(1);
        raise(SIGKILL);  // a rank that was not notified would still wait
      }
    });
  } catch (const far::rank_failed& failure) {
    EXPECT_EQ(failure.rank(), 1);
    text = failure.what();
  }
  EXPECT_NE(text.find("signal 9"), std::string::npos);
}

reply_token held;  // at rank 1
struct hold {
  static void run(message& m) { held = m.take_token(); }
};

TEST(RunProcesses, RepliesComeTooLateForRequestsThatAFailureHasLeft) {
  // Rank 2 dies, so rank 0 leaves its request; rank 1 replies; then rank 0 closes its context.
  struct shared {
    std::atomic<int> asked{0}, left{0}, replied{0}, taken{0};
  };
  void* const memory =
      mmap(nullptr, sizeof(shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  static shared* all = nullptr;
  all = new (memory) shared;
  const auto wait_for = [](const std::atomic<int>& flag) {
    while (flag == 0) usleep(100);
  };
  const auto body = [&](fabric& rank) {
    if (rank.rank() == 2) {
      wait_for(all->asked);
      raise(SIGKILL);
    }
    const auto context = rank.open_context();
    request call;
    call.on_reply = [](request&, payload) noexcept { all->taken = 1; };
    if (rank.rank() == 0) {
      context->send({.rank = 1, .handler = handler_of<hold>::index(), .reply = &call});
    }
    const auto tell_when_asked = [] {
      if (held.expects_reply()) all->asked = 1;
      return false;
    };
    try {
      context->wait(tell_when_asked, far::fabric::never, {"the death of rank 2", 2, {}});
    } catch (const far::rank_failed&) {
      if (rank.rank() == 0) {
        all->left = 1;
        wait_for(all->replied);
      } else {
        wait_for(all->left);
        context->reply(held);
        all->replied = 1;
      }
    }
  };
  EXPECT_THROW(run_processes(3, body), far::rank_failed);
  EXPECT_EQ(all->replied, 1);
  EXPECT_EQ(all->taken, 0);
  munmap(memory, sizeof(shared));
}

TEST(RunProcesses, SurvivorsThatComputeAreEnded) {
  std::string text;
  try {
    run_processes(3, [](fabric& rank) {
      signal(SIGTERM, SIG_IGN);
      if (rank.rank() == 2) throw far::error("enough");
      for (volatile unsigned turns = 0;;) turns = turns + 1;
    });
  } catch (const far::error& failure) {
    text = failure.what();
  }
  EXPECT_EQ(text, "enough");
  expect_no_children();
}

TEST(RunProcesses, AtExitFunctionsOfTheCallerDoNotRunInRanks) {
  static pid_t registrar = getpid();
  std::atexit([] {
    if (getpid() != registrar) _exit(77);
  });
  EXPECT_NO_THROW(run_processes(2, [](fabric&) {}));
}

TEST(RunProcesses, BufferedOutputIsWrittenOnce) {
  testing::internal::CaptureStdout();
  std::printf("before\n");
  run_processes(3, [](fabric& rank) {
    if (rank.rank() == 0) std::printf("inside\n");
  });
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "before\ninside\n");
}

TEST(RunProcesses, WorkWhileTheCallerIgnoresItsChildren) {
  const auto before = signal(SIGCHLD, SIG_IGN);
  EXPECT_NO_THROW(run_processes(2, [](fabric&) {}));
  EXPECT_EQ(signal(SIGCHLD, before), SIG_IGN);
}

TEST(RunProcesses, RefuseACallerWithThreads) {
  std::atomic<bool> end{false};
  std::thread other([&] { end.wait(false); });
  EXPECT_THROW(run_processes(2, [](fabric&) {}), far::bad_argument);
  end = true;
  end.notify_one();
  other.join();
  // A joined thread does not count.
  EXPECT_NO_THROW(run_processes(2, [](fabric&) {}));
}

TEST(RunProcesses, RefuseImpossibleNumbers) {
  EXPECT_THROW(run_processes(0, [](fabric&) {}), far::bad_argument);
  EXPECT_THROW(run_processes(4097, [](fabric&) {}), far::bad_argument);
}

}  // namespace
