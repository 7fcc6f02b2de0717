// Tests the fabric contract for messages, on every fabric.

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/fabric/fabric.hpp"
#include "far/fabric/handlers.hpp"
#include "test/support/jobs.hpp"

namespace far::fabric {
namespace {

template <class T>
payload bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}
template <class T>
T read(payload bytes) {
  T value;
  EXPECT_EQ(bytes.size(), sizeof(T));
  std::memcpy(&value, bytes.data(), sizeof(T));
  return value;
}

/// A rank's state, which handlers access.
struct home_state {
  std::uint64_t sum = 0;  // lane 0 only
  int running = 0;        // handlers of lane 0 that are running
  std::vector<reply_token> held;
};
home_state& state_of(message& m) { return *static_cast<home_state*>(m.owner()); }

struct answer : request {
  answer() {
    on_reply = [](request& self, payload inline_bytes) noexcept {
      auto& mine = static_cast<answer&>(self);
      mine.bytes.assign(inline_bytes.begin(), inline_bytes.end());
    };
  }
  std::vector<std::byte> bytes;
};

struct add_to_sum {
  static void run(message& m) {
    home_state& home = state_of(m);
    EXPECT_EQ(home.running++, 0);
    home.sum += read<std::uint64_t>(m.bytes());
    --home.running;
  }
};

struct echo_twice {
  static void run(message& m) {
    std::vector<std::byte> twice(m.bytes().begin(), m.bytes().end());
    twice.insert(twice.end(), m.bytes().begin(), m.bytes().end());
    m.reply(twice);
  }
};

struct hold {
  static void run(message& m) { state_of(m).held.push_back(m.take_token()); }
};

struct release_held {
  static void run(message& m) {
    m.defer([&home = state_of(m)](context& lane) {
      for (const reply_token& token : home.held) lane.reply(token, bytes_of(std::uint32_t{7}));
      home.held.clear();
    });
  }
};

struct gather_strided {
  static void run(message& m) {
    // Every second of this rank's 16 words at offset 64, gathered without an intermediate copy.
    fabric& home = m.lane().owner();
    std::vector<gather> pieces;
    for (std::uint64_t i = 0; i < 16; i += 2) {
      pieces.push_back({home.local({home.rank(), symmetric_segment, 64 + 8 * i}), 8});
    }
    m.reply(bytes_of(home.rank()), pieces);
  }
};

struct visit {
  static void run(message& m) {
    state_of(m).sum += 1;
    m.reply();
  }
};
struct visit_all {
  static void run(message& m) {
    m.defer([token = m.take_token()](context& lane) {
      struct stop : request {
        std::shared_ptr<int> open;
        reply_token token;
        context* lane = nullptr;
      };
      const int size = lane.owner().size();
      const auto open = std::make_shared<int>(size);
      for (int rank = 0; rank < size; ++rank) {
        auto* one = new stop;
        one->open = open;
        one->token = token;
        one->lane = &lane;
        one->on_done = [](completion& self) noexcept {
          const std::unique_ptr<stop> mine(static_cast<stop*>(&self));
          if (--*mine->open == 0) {
            mine->lane->reply(mine->token, bytes_of(mine->lane->owner().size()));
          }
        };
        EXPECT_TRUE(lane.try_send({.rank = rank,
                                   .handler = handler_of<visit>::index(),
                                   .kind = message_class::forward,
                                   .reply = one}));
      }
    });
  }
};

constexpr std::uint64_t long_work_ns = 100'000;
struct work_long {
  static void run(message& m) {
    const std::uint64_t end = m.lane().owner().now() + long_work_ns;
    while (!m.lane().owner().name().starts_with("sim") && m.lane().owner().now() < end) continue;
    m.reply();
  }
};

struct end {
  explicit end(fabric& f) : home(f), context(f.open_context()) {
    f.owner = &state;
    f.set_extent(symmetric_segment, 1 << 16);
    f.quiesce(*context);
  }
  void leave() {
    home.quiesce(*context);
    home.stop_service();
  }
  template <class Handler>
  void ask(int rank, payload bytes, answer& a, std::uint32_t reply_bytes) {
    context->send({.rank = rank,
                   .handler = handler_of<Handler>::index(),
                   .head = bytes,
                   .reply = &a,
                   .reply_bytes = reply_bytes});
  }
  fabric& home;
  home_state state;
  std::unique_ptr<class context> context;
};

using Messages = test::on_ranks;

TEST_P(Messages, OneWaysAllArriveByQuiesce) {
  run_fabric([](fabric& f) {
    end me(f);
    const int times = f.name() == "sim" ? std::max(1, 20 / f.size()) : 2000;
    for (int i = 0; i < times; ++i) {
      for (int rank = 0; rank < f.size(); ++rank) {
        const std::uint64_t one = 1;
        me.context->send(
            {.rank = rank, .handler = handler_of<add_to_sum>::index(), .head = bytes_of(one)});
      }
    }
    f.quiesce(*me.context);
    EXPECT_EQ(me.state.sum, static_cast<std::uint64_t>(times * f.size()));
    me.leave();
  });
}

TEST_P(Messages, service_is_timed_for_who_asks) {
  run_fabric([](fabric& f) {
    end me(f);
    EXPECT_EQ(me.context->served_ns(), 0u);
    f.quiesce(*me.context);  // all ranks have started their measurement
    constexpr int times = 3;
    for (int i = 0; i < times; ++i) {
      answer worked;
      me.ask<work_long>((f.rank() + 1) % f.size(), {}, worked, 0);
      me.context->wait(worked, {"an answer", -1, {}});
    }
    f.quiesce(*me.context);
    const std::uint64_t min =
        f.name().starts_with("sim") ? 0 : times * long_work_ns;  // sim does not measure it
    EXPECT_GE(me.context->served_ns(), min);
    me.leave();
  });
}

TEST_P(Messages, RepliesOfEverySize) {
  run_fabric([](fabric& f) {
    end me(f);
    constexpr int operations = 2 * 7;  // a request and a reply of each size
    const int others = test::rounds_in_sim(f, operations, f.size());
    for (std::size_t bytes = 0; bytes <= f.max_payload() / 2; bytes = bytes * 3 + 1) {
      for (int i = 0; i < others; ++i) {
        const int rank = (f.rank() + i) % f.size();
        std::vector<std::byte> sent(bytes, static_cast<std::byte>(rank + 1));
        answer a;
        me.ask<echo_twice>(rank, sent, a, static_cast<std::uint32_t>(2 * bytes));
        me.context->wait(a, {"echo", rank, {}});
        EXPECT_EQ(a.bytes, std::vector<std::byte>(2 * bytes, static_cast<std::byte>(rank + 1)));
      }
    }
    me.leave();
  });
}

TEST_P(Messages, ManyOpenRequestsToEveryRank) {
  run_fabric([](fabric& f) {
    end me(f);
    std::vector<answer> open(f.name() == "sim" ? 20 : 500);
    for (std::size_t i = 0; i < open.size(); ++i) {
      const std::array<std::uint64_t, 40> sent{i};  // some records wrap around the ring's end
      me.ask<echo_twice>(static_cast<int>(i) % f.size(), std::as_bytes(std::span(sent)), open[i],
                         640);
    }
    for (std::size_t i = 0; i < open.size(); ++i) {
      me.context->wait(open[i], {"echo", -1, {}});
      std::uint64_t back = 0;
      ASSERT_EQ(open[i].bytes.size(), 640u);
      std::memcpy(&back, open[i].bytes.data() + 320, sizeof(back));
      EXPECT_EQ(back, i);
    }
    me.leave();
  });
}

TEST_P(Messages, RepliesMayComeLate) {
  run_fabric([](fabric& f) {
    end me(f);
    const int next = (f.rank() + 1) % f.size();
    answer a, b;
    me.ask<hold>(next, {}, a, 4);
    me.ask<hold>(next, {}, b, 4);
    while (!a.done() || !b.done()) {  // messages are unordered: the release may come first
      me.context->send({.rank = next, .handler = handler_of<release_held>::index()});
      me.context->wait([&] { return a.done() && b.done(); }, f.now() + 1'000'000,
                       {"late reply", next, {}});
    }
    EXPECT_EQ(read<std::uint32_t>(a.bytes), 7u);
    EXPECT_EQ(read<std::uint32_t>(b.bytes), 7u);
    me.leave();
  });
}

TEST_P(Messages, ReplyDataScatterIntoLandings) {
  run_fabric([](fabric& f) {
    end me(f);
    for (std::uint64_t i = 0; i < 16; ++i) {
      const std::uint64_t word = static_cast<std::uint64_t>(f.rank()) * 100 + i;
      std::memcpy(f.local({f.rank(), symmetric_segment, 64 + 8 * i}), &word, sizeof(word));
    }
    f.quiesce(*me.context);
    const int others = test::rounds_in_sim(f, 2, f.size());
    for (int other = 0; other < others; ++other) {
      const int rank = (f.rank() + other) % f.size();
      // The 64 bytes of the reply go to landings of 24, 8 and 32 bytes.
      const std::array<landing, 3> places{{{{f.rank(), symmetric_segment, 1000 * 8}, 24},
                                           {{f.rank(), symmetric_segment, 2000 * 8}, 8},
                                           {{f.rank(), symmetric_segment, 3000 * 8}, 32}}};
      answer a;
      me.context->send({.rank = rank,
                        .handler = handler_of<gather_strided>::index(),
                        .reply = &a,
                        .reply_bytes = 4,
                        .landings = places});
      me.context->wait(a, {"gather", rank, {}});
      EXPECT_EQ(read<int>(a.bytes), rank);
      std::vector<std::uint64_t> got;
      for (const landing& l : places) {
        for (std::uint64_t at = 0; at < l.bytes; at += 8) {
          std::uint64_t word = 0;
          std::memcpy(&word, f.local(l.to + static_cast<std::int64_t>(at)), sizeof(word));
          got.push_back(word);
        }
      }
      for (std::uint64_t i = 0; i < 8; ++i) {
        EXPECT_EQ(got[i], static_cast<std::uint64_t>(rank) * 100 + 2 * i);
      }
    }
    me.leave();
  });
}

TEST_P(Messages, TasksForwardAndTheLastReplyAnswers) {
  run_fabric([](fabric& f) {
    end me(f);
    const int times = f.name() == "sim" ? std::max(1, 20 / f.size()) : 10;
    const int callers = test::rounds_in_sim(f, 2, f.size());
    for (int i = 0; i < times && f.rank() < callers; ++i) {
      answer a;
      me.ask<visit_all>((f.rank() + i) % f.size(), {}, a, 4);
      me.context->wait(a, {"tour", -1, {}});
      EXPECT_EQ(read<int>(a.bytes), f.size());
    }
    f.quiesce(*me.context);
    EXPECT_EQ(me.state.sum, static_cast<std::uint64_t>(times * callers));
    me.leave();
  });
}

TEST_P(Messages, ServiceThreadAnswersForABusyRank) {
  options.service = true;
  run_fabric([](fabric& f) {
    end me(f);
    // Rank 0 sends requests. The others compute without progress until rank 0 stores their flag.
    const address flag{f.rank(), symmetric_segment, 64};
    if (f.rank() == 0) {
      for (int rank = 0; rank < f.size(); ++rank) {
        answer a;
        me.ask<echo_twice>(rank, bytes_of(rank), a, 8);
        me.context->wait(a, {"echo", rank, {}});
        EXPECT_EQ(a.bytes.size(), 8u);
        me.context->amo(
            {.word = {rank, symmetric_segment, 64}, .op = amo_op::store, .bytes = 8, .operand = 1},
            nullptr);
        me.context->flush(rank);
      }
    }
    while (me.context->peek(flag) == 0) me.context->compute(1000);
    me.leave();
  });
}

// A condition that sends under back-pressure would send again if it were called again.
TEST_P(Messages, AConditionThatHeldIsNotAskedAgain) {
  run_fabric([](fabric& f) {
    end me(f);
    if (f.name() != "sim") {  // in sim nothing would wake the waiter
      for (int held_at = 1; held_at <= 64; ++held_at) {
        int asked = 0;
        const auto holds = [&] { return ++asked == held_at; };
        const bool held = me.context->wait(holds, f.now() + 1'000'000, {"a count", -1, {}});
        EXPECT_EQ(held, asked == held_at) << held_at;
        EXPECT_LE(asked, held_at);
      }
    }
    me.leave();
  });
}

TEST_P(Messages, ImpossibleMessagesAreRefused) {
  run_fabric([](fabric& f) {
    end me(f);
    const std::vector<std::byte> large(f.max_payload() + 1);
    const auto index = handler_of<echo_twice>::index();
    const landing elsewhere{{(f.rank() + 1) % f.size(), symmetric_segment, 64}, 8};
    answer a;
    EXPECT_THROW(me.context->send({.rank = f.size(), .handler = index}), bad_argument);
    EXPECT_THROW(me.context->send({.rank = -1, .handler = index}), bad_argument);
    EXPECT_THROW(me.context->send({.rank = 0, .lane = f.lanes(), .handler = index}), bad_argument);
    EXPECT_THROW(me.context->send({.rank = 0, .handler = index, .head = large}), bad_argument);
    if (f.size() > 1) {
      EXPECT_THROW(
          me.context->send({.rank = 0, .handler = index, .reply = &a, .landings = {&elsewhere, 1}}),
          bad_argument);
    }
    EXPECT_TRUE(a.done());
    me.leave();
  });
}

INSTANTIATE_FAR_MODES(Messages);

}  // namespace
}  // namespace far::fabric
