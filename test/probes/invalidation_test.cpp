// Probe: three hops of a directory. A writer sends a request to the home. The home's task forwards
//   it to the sharers; each drops its copy, then acknowledges. The home replies to the writer late,
//   by token. When the reply arrives, no copy is left.

#include <memory>

#include "far/fabric/handlers.hpp"
#include "test/support/jobs.hpp"

namespace far::fabric {
namespace {

using invalidation_test = test::on_ranks;

constexpr int home = 0;
constexpr address copy_is_valid(0, symmetric_segment, 64);  // on each rank

amo_request store(address word, std::uint64_t value) {
  amo_request result;
  result.word = word;
  result.op = amo_op::store;
  result.operand = value;
  return result;
}

/// At a sharer: drops the copy, and acknowledges when the drop is visible.
struct drop_copy {
  struct dropping : completion {
    context* lane;
    reply_token writer;
  };
  static void run(message& m) {
    m.defer([token = m.take_token()](context& lane) {
      auto* state = new dropping{{}, &lane, token};
      state->on_done = [](completion& done) noexcept {
        const std::unique_ptr<dropping> self(static_cast<dropping*>(&done));
        self->lane->reply(self->writer);
      };
      lane.amo(store(copy_is_valid.on(lane.owner().rank()), 0), state);
    });
  }
};

/// At the home: invalidates all copies but the writer's, then answers.
struct write_request {
  struct round : request {  // one request serves all sharers: it counts
    context* lane;
    reply_token writer;
  };
  static void run(message& m) {
    m.defer([token = m.take_token()](context& lane) {
      auto* state = new round{{}, &lane, token};
      state->on_done = [](completion& done) noexcept {
        const std::unique_ptr<round> self(static_cast<round*>(&done));
        self->lane->reply(self->writer);
      };
      state->begin();  // until all forwards are in flight
      for (int r = 0; r < lane.owner().size(); ++r) {
        if (r == token.rank) continue;
        const handler_index drop = handler_of<drop_copy>::index();
        lane.try_send({.rank = r, .handler = drop, .kind = message_class::forward, .reply = state});
      }
      state->end();
    });
  }
};

TEST_P(invalidation_test, leaves_no_copy) {
  seeds = 200;
  run_fabric([](fabric& rank) {
    const auto c = rank.open_context();
    rank.set_extent(symmetric_segment, 4096);
    const int writers = test::rounds_in_sim(rank, 6, rank.size());
    for (int writer = 0; writer < writers; ++writer) {
      c->amo(store(copy_is_valid.on(rank.rank()), 1), nullptr);
      c->flush();
      rank.quiesce(*c);
      if (rank.rank() == writer) {
        request answer;
        const handler_index write = handler_of<write_request>::index();
        c->send({.rank = home, .handler = write, .reply = &answer});
        c->wait(answer, {"the home's answer", home, {}});
        for (int r = 0; r < rank.size(); ++r) {
          completion read;
          std::uint64_t valid = 2;
          c->amo({.word = copy_is_valid.on(r), .fetched = &valid}, &read);
          c->wait(read, {"a copy's state", r, {}});
          EXPECT_EQ(valid, r == writer ? 1u : 0u) << "copy of rank " << r;
        }
      }
      rank.quiesce(*c);
    }
  });
}

INSTANTIATE_FAR_MODES(invalidation_test);

}  // namespace
}  // namespace far::fabric
