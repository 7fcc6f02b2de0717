// Probe: messages that go on. What a one-way message runs sends the next one, to the next rank, as
//   many times as the message says, while all ranks flood each other. All arrive by quiesce.

#include <cstdint>
#include <cstring>
#include <span>

#include <gtest/gtest.h>

#include "far/fabric/fabric.hpp"
#include "far/fabric/handlers.hpp"
#include "test/support/jobs.hpp"

namespace far::fabric {
namespace {

using relay_test = test::on_ranks;

send_request message_to(int rank, const std::uint64_t& visits);

/// Counts the visit, and goes on if more are wanted.
struct visit {
  static void run(message& m) {
    ++*static_cast<std::uint64_t*>(m.owner());
    std::uint64_t left = 0;
    std::memcpy(&left, m.bytes().data(), sizeof(left));
    m.defer([left = left - 1](context& lane) {
      if (left == 0) return;
      const fabric& here = lane.owner();
      send_request next = message_to((here.rank() + 1) % here.size(), left);
      next.kind = message_class::forward;
      EXPECT_TRUE(lane.try_send(next));
    });
  }
};

send_request message_to(int rank, const std::uint64_t& visits) {
  send_request result;
  result.rank = rank;
  result.handler = handler_of<visit>::index();
  result.head = std::as_bytes(std::span(&visits, 1));
  return result;
}

TEST_P(relay_test, forwards_without_reply_go_on) {
  const int times = options.mode == job_mode::fibers ? 4 : 1000;
  run_fabric([times](fabric& rank) {
    const auto c = rank.open_context();
    std::uint64_t count = 0;
    rank.owner = &count;
    rank.quiesce(*c);
    const std::uint64_t visits = 6;
    for (int i = 0; i < times; ++i) c->send(message_to((rank.rank() + i) % rank.size(), visits));
    rank.quiesce(*c);
    // Each rank starts as many chains, at the same distances from itself.
    EXPECT_EQ(count, static_cast<std::uint64_t>(times) * visits);
    rank.quiesce(*c);
  });
}

INSTANTIATE_FAR_MODES(relay_test);

}  // namespace
}  // namespace far::fabric
