#include "far/rma/transfer.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/memory/allocate.hpp"
#include "far/rma/flush.hpp"
#include "test/support/jobs.hpp"

namespace far {
namespace {

class transfer_test : public test::on_ranks {
 protected:
  static void meet(world& w) { w.fabric().quiesce(w.context()); }
  static int right_of(const world& w) { return (w.rank() + 1) % w.size(); }
  static int left_of(const world& w) { return (w.rank() + w.size() - 1) % w.size(); }
};
INSTANTIATE_FAR_MODES(transfer_test);

struct two_ints {  // a word of 8 bytes that is only aligned to 4
  int a;
  int b;
  friend bool operator==(const two_ints&, const two_ints&) = default;
};
struct three_shorts {
  short x, y, z;
  friend bool operator==(const three_shorts&, const three_shorts&) = default;
};
struct nine_words {
  std::array<double, 9> values;
  friend bool operator==(const nine_words&, const nine_words&) = default;
};

/// Puts a value at `index` on the right neighbour and gets it back from all ranks; in large
/// simulated jobs, from the next few.
template <class T>
void round_trip(world& w, T value, std::int64_t index, void (*meet)(world&)) {
  constexpr int operations = 3 * 8;  // a test has 8 of these
  const auto p = allocate<T>(w, 16);
  meet(w);
  put(w, p.on((w.rank() + 1) % w.size()) + index, value);
  meet(w);
  for (int i = test::rounds_in_sim(w, operations, w.size()); i-- > 0;) {
    const int r = (w.rank() + i) % w.size();
    EXPECT_EQ(get(w, p.on(r) + index), value);
    EXPECT_EQ(get(w, ptr<const T>(p.on(r)) + index), value);
    EXPECT_EQ(get(w, p.on(r) + (index + 1)), T{});
  }
  meet(w);
  deallocate(w, p);
}

TEST_P(transfer_test, words_reach_every_rank) {
  run([](world& w) {
    round_trip<std::uint64_t>(w, 0x0123456789abcdef, 3, meet);
    round_trip<std::int32_t>(w, -5, 1, meet);
    round_trip<std::uint16_t>(w, 65535, 7, meet);
    round_trip<signed char>(w, -128, 5, meet);
    round_trip<bool>(w, true, 2, meet);
    round_trip<double>(w, -0.125, 0, meet);
    round_trip<two_ints>(w, {7, -7}, 4, meet);
    round_trip<ptr<int>>(w, ptr<int>::from_bits(99), 6, meet);
  });
}

TEST_P(transfer_test, other_sizes_reach_every_rank) {
  run([](world& w) {
    round_trip<three_shorts>(w, {1, 2, 3}, 3, meet);
    round_trip<nine_words>(w, {{1, 2, 3, 4, 5, 6, 7, 8, 9}}, 2, meet);
  });
}

TEST_P(transfer_test, words_of_weak_alignment) {
  run([](world& w) {
    // Aligned to 4 but not to 8: legal, but not one instruction.
    const auto p = allocate<int>(w, 16);
    meet(w);
    const auto odd = reinterpret_pointer_cast<two_ints>(p + 1);
    put(w, odd.on(right_of(w)), {w.rank(), 5});
    meet(w);
    EXPECT_EQ(get(w, odd), (two_ints{left_of(w), 5}));
    EXPECT_EQ(get(w, p), 0);
    EXPECT_EQ(get(w, p + 3), 0);
  });
}

TEST_P(transfer_test, bulk_of_every_size_and_alignment) {
  run([](world& w) {
    constexpr std::size_t space = 4096;
    const auto p = allocate<std::byte>(w, space);
    meet(w);
    const std::array<std::size_t, 11> sizes{0, 1, 2, 3, 7, 8, 9, 64, 100, 1000, 4000};
    const int some = test::rounds_in_sim(w, 10, static_cast<int>(sizes.size()));
    for (int k = 0; k < some; ++k) {
      const std::size_t bytes = sizes[static_cast<std::size_t>(w.size() + k) % sizes.size()];
      for (const std::size_t shift : {0u, 1u, 4u, 8u, 13u}) {
        std::vector<std::byte> out(bytes + shift);
        std::vector<std::byte> in(bytes + shift, std::byte{1});
        for (std::size_t i = 0; i < out.size(); ++i) {
          out[i] = static_cast<std::byte>(i + static_cast<std::size_t>(w.rank()));
        }
        const auto there = p.on(right_of(w)) + static_cast<std::int64_t>((shift * 3) % 16);
        const std::span<const std::byte> source = std::span(out).subspan(shift);
        put(w, there, source);
        get(w, there, std::span(in).subspan(shift));
        EXPECT_TRUE(std::equal(source.begin(), source.end(), in.begin() + std::ptrdiff_t(shift)));
        EXPECT_TRUE(shift == 0 || in[shift - 1] == std::byte{1});
      }
    }
  });
}

TEST_P(transfer_test, megabytes_arrive) {
  options.symmetric_bytes = 16 << 20;
  seeds = 2;
  run([](world& w) {
    constexpr std::size_t n = 300'000;
    const auto p = allocate<std::uint64_t>(w, n);
    meet(w);
    std::vector<std::uint64_t> out(n);
    std::iota(out.begin(), out.end(), static_cast<std::uint64_t>(w.rank()) << 32);
    put(w, p.on(right_of(w)), out);
    meet(w);
    const auto mine = local_span(w, p, n);
    EXPECT_EQ(mine.front(), static_cast<std::uint64_t>(left_of(w)) << 32);
    EXPECT_EQ(mine.back(), (static_cast<std::uint64_t>(left_of(w)) << 32) + n - 1);
    std::vector<std::uint64_t> in(n);
    get(w, p.on(right_of(w)), in);
    EXPECT_EQ(in, out);
    meet(w);
  });
}

TEST_P(transfer_test, a_bounds_error_names_the_allocation) {
  run([](world& w) {
    const auto p = allocate<std::uint64_t>(w, 10);
    meet(w);
    const auto there = p.on(right_of(w));
    std::vector<std::uint64_t> buffer(100'000);
    const std::string which =
        fmt::format("an allocation of 80 bytes at offset {}", p.address().offset());
    const auto says = [&](const auto& access, const std::string& what) {
      try {
        access();
        ADD_FAILURE() << what;
      } catch (const out_of_bounds& error) {
        EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
      }
    };
    says([&] { put(w, there, buffer); }, ", of which 799920 bytes are past the end of " + which);
    says([&] { get(w, there + 1'000'000, std::span(buffer).first(1)); },
         ", 7999920 bytes past the end of " + which);
    says([&] { get(w, ptr<std::uint64_t>(), buffer); }, ": the pointer is null");
    meet(w);
  });
}

TEST_P(transfer_test, bounds_are_checked) {
  run([](world& w) {
    const auto p = allocate<std::uint64_t>(w, 64);
    meet(w);
    std::vector<std::uint64_t> buffer(65);
    const auto there = p.on(right_of(w));
    EXPECT_THROW(put(w, there, buffer), out_of_bounds);
    EXPECT_THROW(get(w, there, buffer), out_of_bounds);
    EXPECT_THROW(put(w, there - 100, buffer), out_of_bounds);
    EXPECT_THROW(put(w, ptr<std::uint64_t>(), buffer), out_of_bounds);
    EXPECT_THROW(get(w, ptr<std::uint64_t>(), buffer), out_of_bounds);
    EXPECT_THROW(put(w, p.on(w.size()), buffer), out_of_bounds);
    EXPECT_THROW(get(w, p.on(fabric::address::max_ranks - 1), buffer), out_of_bounds);
    EXPECT_THROW(copy(w, p, there, 65), out_of_bounds);
    EXPECT_THROW(copy(w, p, there, ~std::uint64_t{0}), out_of_bounds);
    const std::array lists{put_part_of(there, std::span(buffer).first(1)),
                           put_part_of(there, buffer)};
    EXPECT_THROW(put(w, lists), out_of_bounds);
    if (base::debug_checks) {
      EXPECT_THROW(put(w, there + 64, 1), out_of_bounds);
      EXPECT_THROW((void)get(w, ptr<std::uint64_t>()), out_of_bounds);
    }
    meet(w);
    EXPECT_EQ(get(w, p), 0u);  // the failed transfers moved nothing
    meet(w);
  });
}

TEST_P(transfer_test, lists_scatter_and_gather) {
  run([](world& w) {
    const auto n = static_cast<std::size_t>(w.size());
    const auto p = allocate<int>(w, 10 * n);
    meet(w);
    // Each rank puts three ints and, separately, two, to all ranks or to the next few of many.
    const std::array<int, 5> mine{w.rank(), w.rank() + 1, w.rank() + 2, -w.rank(), 7};
    std::vector<put_part> puts;
    const int others = test::rounds_in_sim(w, 3, w.size());
    for (int i = 0; i < others; ++i) {
      const auto slot = p.on((w.rank() + i) % w.size()) + 10 * w.rank();
      puts.push_back(put_part_of(slot, std::span(mine).first(3)));
      puts.push_back(put_part_of(slot + 6, std::span(mine).last(2)));
    }
    put(w, puts);
    put(w, std::span<const put_part>());
    meet(w);
    const auto sender = [&](int i) { return (right_of(w) + w.size() - i) % w.size(); };
    std::vector<std::array<int, 10>> back(static_cast<std::size_t>(others));
    std::vector<get_part> gets;
    for (int i = 0; i < others; ++i) {
      gets.push_back(get_part_of(p.on(right_of(w)) + 10 * sender(i), back[std::size_t(i)]));
    }
    get(w, gets);
    get(w, std::span<const get_part>());
    for (int i = 0; i < others; ++i) {
      const int r = sender(i);
      const std::array<int, 10> expected{r, r + 1, r + 2, 0, 0, 0, -r, 7, 0, 0};
      EXPECT_EQ(back[std::size_t(i)], expected);
    }
    meet(w);
  });
}

TEST_P(transfer_test, copies_between_any_two_ranks) {
  options.symmetric_bytes = 8 << 20;
  seeds = 3;
  run([](world& w) {
    constexpr std::uint64_t n = 100'000;  // several pieces if the copy goes through this rank
    const auto from = allocate<std::uint64_t>(w, n);
    const auto to = allocate<std::uint64_t>(w, n);
    const auto mine = local_span(w, from, n);
    std::iota(mine.begin(), mine.end(), static_cast<std::uint64_t>(w.rank()) << 40);
    meet(w);
    // Rank r copies the data of its left neighbour to its right one.
    copy(w, from.on(left_of(w)), to.on(right_of(w)), n);
    copy(w, from, to, 0);
    meet(w);
    const auto owner = static_cast<std::uint64_t>((w.rank() + 2 * w.size() - 2) % w.size());
    const auto got = local_span(w, to, n);
    EXPECT_EQ(got.front(), owner << 40);
    EXPECT_TRUE(std::is_sorted(got.begin(), got.end()));
    EXPECT_EQ(got.back(), (owner << 40) + n - 1);
    meet(w);
    copy(w, from, to, n);
    EXPECT_EQ(get(w, to + 5), mine[5]);
    EXPECT_THROW(copy(w, from, from + 1, 2), bad_argument);
    EXPECT_THROW(copy(w, from + 1, from, 2), bad_argument);
    copy(w, from, from + 2, 2);
    EXPECT_EQ(get(w, from + 3), mine[1]);
    meet(w);
  });
}

// Message passing without a flush: a rank that sees the flag sees the data (axiom 5).
TEST_P(transfer_test, blocking_puts_are_seen_in_order) {
  run([](world& w) {
    constexpr std::uint64_t rounds = 50;
    const auto data = allocate<std::uint64_t>(w, 40);
    const auto flag = allocate<std::uint64_t>(w, 1);
    meet(w);
    if (w.rank() == w.size() - 1) {
      for (std::uint64_t i = 1; i <= rounds; ++i) {
        put(w, data.on(0), std::vector<std::uint64_t>(40, i));
        put(w, flag.on(0), i);
      }
    }
    if (w.rank() == 0) {
      fabric::backoff backoff;
      for (std::uint64_t seen = 0; seen < rounds;) {
        seen = get(w, flag);
        std::array<std::uint64_t, 40> values{};
        get(w, data, values);
        // Later rounds may already have begun.
        for (const auto value : values) EXPECT_GE(value, seen);
        w.context().pause(backoff);
      }
    }
    meet(w);
  });
}

}  // namespace
}  // namespace far
