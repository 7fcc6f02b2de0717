// Remote calls when messages are damaged, and when ranks fail.

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/base/random.hpp"
#include "far/rpc/rpc_test.hpp"
#include "test/support/jobs.hpp"

namespace {

using failed_call_test = far::test::on_ranks;
using far::test::next_rank;
using far::test::notes;

TEST_P(failed_call_test, damaged_requests_are_answered_with_an_error) {
  run([](far::world& world) {
    const auto function = [](std::string text, std::vector<std::string> list) {
      return text.size() + list.size();
    };
    using handler = far::detail::rpc_handler<std::remove_cvref_t<decltype(function)>, std::string,
                                             std::vector<std::string>>;
    const std::vector<std::byte> whole = far::wire::to_bytes(
        far::detail::request_flags::none, std::string("text"), std::vector<std::string>{"a", "bc"});
    far::base::random random(static_cast<std::uint64_t>(world.rank()));
    int refused = 0;
    int answered = 0;
    const int calls = far::test::rounds_in_sim(world, 4, 300);
    for (int i = 0; i < calls; ++i) {
      std::vector<std::byte> bytes = whole;
      for (std::uint64_t n = random.below(4); n > 0; --n) {
        bytes[random.below(bytes.size())] = static_cast<std::byte>(random());
      }
      bytes.resize(random.below(bytes.size() + 1));
      auto state = far::detail::make_state<far::detail::call_state<std::size_t>>(
          world.context(), world.state(), next_rank(world));
      far::fabric::send_request message;
      message.rank = next_rank(world);
      message.handler = far::fabric::handler_of<handler>::index();
      message.head = bytes;
      far::detail::send_request(*state, message, far::detail::min_reply_bytes, {});
      far::future<std::size_t> result(
          far::detail::state_ref<far::detail::future_state<std::size_t>>(std::move(state)));
      try {
        result.get();
        ++answered;
      } catch (const far::fabric_error&) {
        ++refused;
      } catch (const far::out_of_bounds&) {  // "elsewhere", at an invalid address
        ++refused;
      }
    }
    EXPECT_GT(refused, calls < 100 ? 0 : answered);
  });
}

// Rank 1 lets the others wait, and then fails.
TEST_P(failed_call_test, failed_ranks_end_the_waiting) {
  options.ranks = std::max(options.ranks, 2);
  const auto body = [](far::world& world) {
    if (world.rank() == 1) {
      while (world.state().get<notes>().waiting.empty()) world.progress();
      throw far::out_of_bounds("on purpose");
    }
    if (world.rank() == 0) {
      (void)far::rpc(
          world, 1, [](std::string s) { return s + s; }, std::string(20000, 'x'));
      auto never = far::rpc(world, 1, [](far::world& there) {
        auto& waiting = there.state().get<notes>().waiting;
        waiting.emplace_back(there);
        return waiting.back().get_future();
      });
      EXPECT_THROW(never.get(), far::rank_failed);
    }
    far::quiesce(world);
  };
  EXPECT_THROW(far::run(options, body), far::out_of_bounds);
}

INSTANTIATE_FAR_MODES(failed_call_test);

TEST(FailedCall, DeadProcessesEndTheWaiting) {
  far::run_options options;
  options.ranks = 3;
  options.mode = far::job_mode::processes;
  EXPECT_THROW(far::run(options,
                        [](far::world& world) {
                          if (world.rank() == 2) raise(SIGKILL);
                          far::rpc(world, 2, [] {}).get();
                        }),
               far::rank_failed);
}

}  // namespace
