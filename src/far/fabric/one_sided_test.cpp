// Tests the fabric contract for put, get, amo, signals, flush and bounds, on every fabric.

#include <array>
#include <cstring>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/fabric/fabric.hpp"
#include "test/support/jobs.hpp"

namespace far::fabric {
namespace {

constexpr std::uint64_t extent = 1 << 16;

address place(int rank, std::uint64_t offset) { return {rank, symmetric_segment, offset}; }

/// A rank with its context, and 64 KiB that all ranks may access.
struct one_sided_end {
  explicit one_sided_end(fabric& f) : home(f), context(f.open_context()) {
    f.set_extent(symmetric_segment, extent);
    f.quiesce(*context);
  }
  ~one_sided_end() {
    if (std::uncaught_exceptions() == 0) home.quiesce(*context);
  }
  [[nodiscard]] int rank() const { return home.rank(); }
  [[nodiscard]] int next() const { return (home.rank() + 1) % home.size(); }

  void put(address to, const void* from, std::size_t bytes, const signal* after = nullptr) {
    completion done;
    const put_part part{to, from, bytes};
    context->put({&part, 1}, &done, nullptr, after);
    context->wait(done, {"put", to.rank(), to});
  }
  void get(address from, void* to, std::size_t bytes) {
    completion done;
    const get_part part{from, to, bytes};
    context->get({&part, 1}, &done);
    context->wait(done, {"get", from.rank(), from});
  }
  std::uint64_t amo(amo_request request) {
    std::uint64_t old = 0;
    request.fetched = &old;
    completion done;
    context->amo(request, &done);
    context->wait(done, {"amo", request.word.rank(), request.word});
    return old;
  }

  fabric& home;
  std::unique_ptr<class context> context;
};

using OneSided = test::on_ranks;

TEST_P(OneSided, PutThenGetAnySizeAndAlignment) {
  run_fabric([](fabric& f) {
    one_sided_end me(f);
    for (const std::size_t bytes : {0u, 1u, 3u, 7u, 8u, 9u, 64u, 1000u, 4099u}) {
      for (const std::uint64_t shift : {8u, 9u, 15u}) {
        std::vector<unsigned char> sent(bytes), got(bytes, 0xee);
        std::iota(sent.begin(), sent.end(), static_cast<unsigned char>(me.rank() + 1));
        me.put(place(me.next(), shift), sent.data(), bytes);
        me.get(place(me.next(), shift), got.data(), bytes);
        EXPECT_EQ(sent, got) << bytes << " bytes at offset " << shift;
        f.quiesce(*me.context);
      }
    }
  });
}

// A context waits at its end for what it has started, also one that was made by a destructor during
// unwinding.
TEST_P(OneSided, ContextsEndTheirOperations) {
  run_fabric([](fabric& f) {
    one_sided_end me(f);
    std::vector<int> sent(1000, me.rank() + 1);
    std::vector<int> got(1000);
    const address there = place(me.next(), 64);
    const put_part part{there, sent.data(), sent.size() * sizeof(int)};
    struct at_end {
      fabric& home;
      const put_part& part;
      ~at_end() {
        const auto own = home.open_context();
        own->put({&part, 1});
      }
    };
    try {
      const at_end last{f, part};
      throw error("on its way");
    } catch (const error&) {
    }
    me.get(there, got.data(), part.bytes);
    EXPECT_EQ(got, sent);
  });
}

TEST_P(OneSided, ListsMoveEachPart) {
  run_fabric([](fabric& f) {
    one_sided_end me(f);
    const std::array<std::uint32_t, 4> sent{1, 2, 3, 4};
    std::vector<put_part> out;
    for (std::size_t i = 0; i < sent.size(); ++i) {
      out.push_back({place(me.next(), 64 * (i + 1)), &sent[i], sizeof(sent[i])});
    }
    completion done, source;
    me.context->put(out, &done, &source);
    me.context->wait(source, {"source", -1, {}});
    me.context->wait(done, {"put", -1, {}});
    std::array<std::uint32_t, 4> got{};
    std::vector<get_part> in;
    for (std::size_t i = 0; i < got.size(); ++i) {
      in.push_back({place(me.next(), 64 * (4 - i)), &got[i], sizeof(got[i])});
    }
    completion read;
    me.context->get(in, &read);
    me.context->wait(read, {"get", -1, {}});
    EXPECT_EQ(got, (std::array<std::uint32_t, 4>{4, 3, 2, 1}));
  });
}

TEST_P(OneSided, AmoDoesWhatItSaysOnBothSizes) {
  run_fabric([](fabric& f) {
    one_sided_end me(f);
    for (const std::uint8_t bytes : {std::uint8_t{4}, std::uint8_t{8}}) {
      const std::uint64_t mask = bytes == 8 ? ~std::uint64_t{0} : 0xffffffffu;
      const address word = place(me.next(), 128 + 64 * std::uint64_t{bytes});
      const auto apply = [&](amo_op op, std::uint64_t operand, std::uint64_t compare = 0,
                             bool is_signed = false) {
        return me.amo({.word = word,
                       .op = op,
                       .bytes = bytes,
                       .is_signed = is_signed,
                       .operand = operand,
                       .compare = compare});
      };
      apply(amo_op::store, 0xf0);
      EXPECT_EQ(apply(amo_op::load, 0), 0xf0u);
      EXPECT_EQ(apply(amo_op::add, 0x0f), 0xf0u);
      EXPECT_EQ(apply(amo_op::bit_and, 0x3c), 0xffu);
      EXPECT_EQ(apply(amo_op::bit_or, 0x41), 0x3cu);
      EXPECT_EQ(apply(amo_op::bit_xor, 0x01), 0x7du);
      EXPECT_EQ(apply(amo_op::swap, 5), 0x7cu);
      EXPECT_EQ(apply(amo_op::compare_swap, 9, 4), 5u);
      EXPECT_EQ(apply(amo_op::compare_swap, 9, 5), 5u);
      EXPECT_EQ(apply(amo_op::min, 3), 9u);
      EXPECT_EQ(apply(amo_op::max, 7), 3u);
      EXPECT_EQ(apply(amo_op::min, static_cast<std::uint64_t>(-2), 0, true), 7u);
      EXPECT_EQ(apply(amo_op::max, 1), static_cast<std::uint64_t>(-2) & mask);
      EXPECT_EQ(apply(amo_op::max, 6, 0, true), static_cast<std::uint64_t>(-2) & mask);
      EXPECT_EQ(apply(amo_op::load, 0), 6u);
      f.quiesce(*me.context);
    }
  });
}

TEST_P(OneSided, FetchAddsOfAllRanksAddUp) {
  run_fabric([](fabric& f) {
    one_sided_end me(f);
    const int times = test::rounds_in_sim(f, 2, 50);
    for (int i = 0; i < times; ++i) {
      me.amo({.word = place(0, 64), .op = amo_op::add, .bytes = 8, .operand = 1});
      me.context->amo({.word = place(0, 72), .op = amo_op::add, .bytes = 4, .operand = 1}, nullptr);
    }
    me.context->flush();
    f.quiesce(*me.context);
    const auto all = static_cast<std::uint64_t>(times * f.size());
    EXPECT_EQ(me.amo({.word = place(0, 64), .op = amo_op::load, .bytes = 8}), all);
    EXPECT_EQ(me.amo({.word = place(0, 72), .op = amo_op::load, .bytes = 4}), all);
  });
}

TEST_P(OneSided, SignalComesAfterItsPayload) {
  run_fabric([](fabric& f) {
    one_sided_end me(f);
    const std::uint64_t mine = me.rank() == 0 ? 1 : 0;
    // A token makes 20 laps around the ring, from rank 0 on; each hop checks the payload.
    std::array<std::uint64_t, 100> load{};
    const address flag = place(me.rank(), 8);
    for (std::uint64_t lap = 1; lap <= 20; ++lap) {
      const auto await = [&](std::uint64_t value) {
        me.context->wait([&] { return me.context->peek(flag) >= value; }, never,
                         {"token", -1, flag});
        me.get(place(me.rank(), 64), load.data(), sizeof(load));
        for (const std::uint64_t word : load) EXPECT_EQ(word, lap);
      };
      if (mine == 0) await(lap);
      load.fill(lap);
      const signal after{place(me.next(), 8), lap == 20 ? lap : 1,
                         lap == 20 ? signal::kind::set : signal::kind::add};
      me.put(place(me.next(), 64), load.data(), sizeof(load), &after);
      if (mine != 0) await(lap);
    }
  });
}

TEST_P(OneSided, FlushMakesEarlierPutsVisible) {
  run_fabric([](fabric& f) {
    one_sided_end me(f);
    // Put without completion, flush, then notify the target by an atomic: it must see the data.
    for (std::uint64_t round = 1; round <= 10; ++round) {
      const std::array<std::uint64_t, 9> data{round, round, round, round, round,
                                              round, round, round, round};
      const put_part part{place(me.next(), 256), data.data(), sizeof(data)};
      me.context->put({&part, 1});
      me.context->flush(me.next());
      me.context->amo({.word = place(me.next(), 16),
                       .op = amo_op::store,
                       .bytes = 8,
                       .wake = true,
                       .operand = round},
                      nullptr);
      const address flag = place(me.rank(), 16);
      me.context->wait([&] { return me.context->peek(flag) == round; }, never, {"flag", -1, flag});
      std::array<std::uint64_t, 9> got{};
      me.get(place(me.rank(), 256), got.data(), sizeof(got));
      for (const std::uint64_t word : got) EXPECT_EQ(word, round);
      f.quiesce(*me.context);
    }
  });
}

// Each rank notifies the next by a loose atomic, for which its flush does not wait.
TEST_P(OneSided, LooseAtomicsComeAndWake) {
  run_fabric([](fabric& f) {
    one_sided_end me(f);
    const address count = place(me.rank(), 16);
    const auto tell = [&](int rank) {
      me.context->amo({.word = place(rank, 16),
                       .op = amo_op::add,
                       .bytes = 8,
                       .wake = true,
                       .loose = true,
                       .operand = 1},
                      nullptr);
      me.context->flush();
    };
    constexpr std::uint64_t laps = 10;
    for (std::uint64_t lap = 1; lap <= laps; ++lap) {
      if (me.rank() == 0) tell(me.next());
      me.context->wait([&] { return me.context->peek(count) == lap; }, never, {"turn", -1, count});
      if (me.rank() != 0) tell(me.next());
    }
    completion done;
    EXPECT_THROW(me.context->amo({.word = count, .op = amo_op::add, .loose = true}, &done),
                 bad_argument);
  });
}

TEST_P(OneSided, AccessOutsideTheExtentThrows) {
  run_fabric([](fabric& f) {
    one_sided_end me(f);
    std::array<std::byte, 64> buffer{};
    EXPECT_THROW(me.put(place(me.next(), extent - 8), buffer.data(), 9), out_of_bounds);
    EXPECT_THROW(me.get(place(me.next(), extent + 8), buffer.data(), 1), out_of_bounds);
    EXPECT_THROW(me.get(place(me.next(), 0), buffer.data(), 1), out_of_bounds);
    EXPECT_THROW(me.get({f.size(), 0, 64}, buffer.data(), 1), out_of_bounds);
    EXPECT_THROW(me.get({me.next(), 7, 64}, buffer.data(), 1), out_of_bounds);
    EXPECT_THROW(me.get(place(me.next(), 64), buffer.data(), ~std::size_t{0} - 32), out_of_bounds);
    EXPECT_THROW(me.amo({.word = place(me.next(), 12), .bytes = 8}), bad_argument);
    EXPECT_THROW(me.amo({.word = place(me.next(), 10), .bytes = 4}), bad_argument);
    EXPECT_THROW(me.amo({.word = place(me.next(), 8), .bytes = 2}), bad_argument);
    EXPECT_THROW(me.amo({.word = place(me.next(), extent), .bytes = 8}), out_of_bounds);
  });
}

TEST_P(OneSided, AddressOfFindsOwnSegmentsOnly) {
  run_fabric([](fabric& f) {
    one_sided_end me(f);
    const address a{me.rank(), local_segment, 4096};
    EXPECT_EQ(f.address_of(f.local(a)), a);
    int elsewhere = 0;
    EXPECT_FALSE(f.address_of(&elsewhere));
  });
}

INSTANTIATE_FAR_MODES(OneSided);

}  // namespace
}  // namespace far::fabric
