#include "far/memory/allocate.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "test/support/jobs.hpp"

namespace far {
namespace {

class allocate_test : public test::on_ranks {
 protected:
  allocate_test() {
    options.symmetric_bytes = 1 << 20;
    options.local_bytes = 1 << 20;
  }
  // A barrier, put and get, made from the fabric only: the layers that have them are above this
  // one.
  static void meet(world& w) { w.fabric().quiesce(w.context()); }
  template <class T>
  static T get(world& w, ptr<T> from, std::uint64_t n = 1) {
    std::vector<std::byte> bytes(n * sizeof(T));
    const fabric::get_part part{from.address(), bytes.data(), bytes.size()};
    fabric::completion done;
    w.context().get({&part, 1}, &done);
    w.context().wait(done, {"test", from.rank(), {}});
    T first;
    std::memcpy(&first, bytes.data(), sizeof(T));
    return first;
  }
  template <class T>
  static void put(world& w, ptr<T> to, std::type_identity_t<T> value) {
    const fabric::put_part part{to.address(), &value, sizeof(T)};
    fabric::completion done;
    w.context().put({&part, 1}, &done);
    w.context().wait(done, {"test", to.rank(), {}});
  }
};
INSTANTIATE_FAR_MODES(allocate_test);

template <class Exception, class Body>
std::string message_of(Body body) {
  try {
    body();
  } catch (const Exception& e) {
    return e.what();
  }
  return "nothing was thrown";
}

TEST_P(allocate_test, symmetric_offsets_agree) {
  run([](world& w) {
    // The local heaps of the ranks differ, which must not matter.
    for (int i = 0; i < w.rank(); ++i) (void)allocate_local<int>(w, 10);
    const auto first = allocate<std::uint64_t>(w, 3);
    const auto board = allocate<std::uint64_t>(w, 2 * static_cast<std::uint64_t>(w.size()));
    deallocate(w, first);
    const auto second = allocate<std::uint64_t>(w, 100);
    EXPECT_EQ(second.rank(), w.rank());
    meet(w);
    put(w, board.on(0) + 2 * w.rank(), board.bits());
    put(w, board.on(0) + 2 * w.rank() + 1, second.bits());
    meet(w);
    if (w.rank() != 0) return;
    for (int r = 0; r < w.size(); ++r) {
      EXPECT_EQ(get(w, board + 2 * r), board.on(r).bits());
      EXPECT_EQ(get(w, board + 2 * r + 1), second.on(r).bits());
    }
  });
}

TEST_P(allocate_test, reused_memory_is_zero) {
  run([](world& w) {
    for (const unsigned n : {1000u, 10u, 3000u, 500u}) {
      const auto p = allocate<std::uint32_t>(w, n);
      const auto q = allocate_local<std::uint32_t>(w, n);
      for (const auto& words : {local_span(w, p, n), local_span(w, q, n)}) {
        EXPECT_TRUE(std::all_of(words.begin(), words.end(), [](auto x) { return x == 0; }));
        std::fill(words.begin(), words.end(), 77);
      }
      deallocate(w, p);
      deallocate_local(w, q);
    }
  });
}

TEST_P(allocate_test, local_memory_is_reached_by_all) {
  run([](world& w) {
    const auto board = allocate<ptr<int>>(w, 1);
    const auto mine = allocate_local<int>(w.state(), 2);
    *local(w, mine) = 100 + w.rank();
    *local(w, board) = mine;
    meet(w);
    const int others = test::rounds_in_sim(w, 2, w.size());
    for (int i = 0; i < others; ++i) {
      const int r = (w.rank() + i) % w.size();
      const auto theirs = get(w, board.on(r));
      EXPECT_EQ(theirs.rank(), r);
      EXPECT_EQ(get(w, theirs), 100 + r);
    }
    meet(w);
    deallocate_local(w, mine);
  });
}

struct alignas(4096) page {
  std::byte bytes[4096];
};

TEST_P(allocate_test, alignment_is_kept) {
  run([](world& w) {
    (void)allocate<char>(w, 1);
    (void)allocate_local<char>(w, 1);
    for (const auto p : {allocate<page>(w, 2), allocate_local<page>(w, 2)}) {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(local(w, p)) % 4096, 0u);
    }
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(local(w, allocate<char>(w, 1))) % 64, 0u);
  });
}

TEST_P(allocate_test, nothing_has_a_place_too) {
  run([](world& w) {
    const auto p = allocate<int>(w, 0);
    const auto q = allocate_local<int>(w, 0);
    EXPECT_TRUE(p && q);
    EXPECT_TRUE(local_span(w, p, 0).empty());
    deallocate(w, p);
    deallocate_local(w, q);
    deallocate(w, ptr<int>());
    deallocate_local(w, ptr<int>());
  });
}

TEST_P(allocate_test, a_full_heap_names_the_limit) {
  run([](world& w) {
    const auto symmetric =
        message_of<out_of_memory>([&] { (void)allocate<std::uint64_t>(w, 1 << 20); });
    EXPECT_NE(symmetric.find("1048576 objects of 8 bytes"), std::string::npos) << symmetric;
    EXPECT_NE(symmetric.find("FAR_SYMMETRIC_HEAP"), std::string::npos) << symmetric;
    EXPECT_NE(symmetric.find("1 MiB"), std::string::npos) << symmetric;
    const auto local_heap =
        message_of<out_of_memory>([&] { (void)allocate_local<page>(w, ~std::uint64_t{0}); });
    EXPECT_NE(local_heap.find("FAR_LOCAL_HEAP"), std::string::npos) << local_heap;
    (void)allocate<int>(w, 1);  // smaller allocations still succeed
  });
}

TEST_P(allocate_test, freeing_twice_is_refused) {
  run([](world& w) {
    const auto p = allocate<int>(w, 4);
    const auto q = allocate_local<int>(w, 4);
    EXPECT_THROW(deallocate(w, p + 1), bad_argument);
    EXPECT_THROW(deallocate(w, q), bad_argument);
    EXPECT_THROW(deallocate_local(w, p), bad_argument);
    EXPECT_THROW(deallocate_local(w, q.on(w.rank() + 1)), bad_argument);
    deallocate(w, p);
    deallocate_local(w, q);
    EXPECT_THROW(deallocate(w, p), bad_argument);
    EXPECT_THROW(deallocate_local(w, q), bad_argument);
  });
}

TEST_P(allocate_test, local_is_checked) {
  run([](world& w) {
    const auto p = allocate<int>(w, 16);
    EXPECT_EQ(local(w, p + 3), local(w, p) + 3);
    EXPECT_EQ(local_span(w, p, 16).size(), 16u);
    EXPECT_EQ(ptr_to(w, *local(w, p + 5)), p + 5);
    EXPECT_THROW((void)local(w, p.on((w.rank() + 1) % (w.size() + 1))), error);
    EXPECT_THROW((void)local(w, ptr<int>()), out_of_bounds);
    EXPECT_THROW((void)local_span(w, p, 1 << 20), out_of_bounds);
    EXPECT_THROW((void)local_span(w, p, ~std::uint64_t{0}), out_of_bounds);
    int elsewhere = 0;
    EXPECT_THROW((void)ptr_to(w, elsewhere), bad_argument);
  });
}

TEST_P(allocate_test, freed_memory_is_out_of_bounds) {
  run([](world& w) {
    const auto p = allocate<int>(w, 16);
    meet(w);
    const auto there = p.on((w.rank() + 1) % w.size());
    EXPECT_EQ(get(w, there, 16), 0);
    meet(w);
    deallocate(w, p);
    meet(w);
    EXPECT_THROW(get(w, there, 16), out_of_bounds);
  });
}

TEST_P(allocate_test, history_tells_ranks_apart) {
  run([](world& w) {
    const auto board = allocate<std::uint64_t>(w, 2);
    const auto words = local_span(w, board, 2);
    words[0] = allocation_history(w);
    const auto p = allocate<char>(w, w.rank() == 0 ? 1 : 100);
    deallocate(w, p);
    words[1] = allocation_history(w);
    meet(w);
    const int others = test::rounds_in_sim(w, 2, w.size());
    for (int i = 0; i < others; ++i) {
      const int r = (w.rank() + i) % w.size();
      EXPECT_EQ(get(w, board.on(r)), words[0]);
      EXPECT_EQ(get(w, board.on(r) + 1) == words[1], (r == 0) == (w.rank() == 0));
    }
  });
}

TEST_P(allocate_test, threads_share_the_local_heap) {
  run([](world& w) {
    constexpr int threads = 3;
    std::array<std::array<ptr<int>, 20>, threads> got;
    w.threads(threads, [&](world& world) {
      auto& mine = got[static_cast<std::size_t>(world.thread())];
      for (auto& p : mine) {
        p = allocate_local<int>(world, 5);
        std::ranges::fill(local_span(world, p, 5), world.thread());
      }
    });
    for (int t = 0; t < threads; ++t) {
      for (const auto p : got[static_cast<std::size_t>(t)]) {
        EXPECT_TRUE(std::ranges::all_of(local_span(w, p, 5), [&](int x) { return x == t; }));
        deallocate_local(w, p);
      }
    }
  });
}

}  // namespace
}  // namespace far
