#include "far/sections/transfer.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/base/random.hpp"
#include "far/fabric/reach.hpp"
#include "far/memory/allocate.hpp"
#include "far/rma/transfer.hpp"
#include "far/sections/sections_test.hpp"
#include "test/support/jobs.hpp"

namespace far {
namespace {

class sections_transfer_test : public test::on_ranks {
 protected:
  static void meet(world& w) { w.fabric().quiesce(w.context()); }
  static int right_of(const world& w) { return (w.rank() + 1) % w.size(); }
};
INSTANTIATE_FAR_MODES_ON(sections_transfer_test, 1, 2, 5);

constexpr std::uint64_t max_elements = 1 << 14;

template <class T>
T value_of(std::uint64_t i) {
  return static_cast<T>(i * 7 + 1);
}

/// Puts a random section to the right neighbour, compares all of its array, gets the section back.
template <class T, std::size_t N>
void put_and_get(world& w, ptr<T> array, base::random& random, section_protocol how,
                 std::uint64_t max_extent) {
  const auto c = test::random_section<N>(random, max_extent);
  if (c.elements_there > max_elements) return;  // a rare one
  std::vector<T> model(c.elements_there, T{3});
  put(w, array, model);
  std::vector<T> mine(c.elements_here);
  for (std::size_t i = 0; i < mine.size(); ++i) mine[i] = value_of<T>(i);
  put(w, test::there(c, array), test::here(c, std::as_const(mine).data()), how);
  test::for_each_element(c,
                         [&](std::size_t there, std::size_t here) { model[there] = mine[here]; });
  std::vector<T> seen(c.elements_there);
  get(w, array, seen);
  EXPECT_EQ(seen, model) << N << " dimensions, protocol " << static_cast<int>(how);

  std::vector<T> back(c.elements_here, T{5});
  std::vector<T> expected = back;
  test::for_each_element(
      c, [&](std::size_t there, std::size_t here) { expected[here] = model[there]; });
  get(w, test::there(c, ptr<const T>(array)), test::here(c, back.data()), how);
  EXPECT_EQ(back, expected) << N << " dimensions, protocol " << static_cast<int>(how);
}

template <class T>
void all_dimensions(world& w, ptr<T> array, base::random& random, section_protocol how) {
  switch (random.below(7)) {
    case 0:
      return put_and_get<T, 1>(w, array, random, how, 40);
    case 1:
      return put_and_get<T, 2>(w, array, random, how, 9);
    case 2:
      return put_and_get<T, 3>(w, array, random, how, 5);
    case 3:
      return put_and_get<T, 4>(w, array, random, how, 3);
    case 4:
      return put_and_get<T, 5>(w, array, random, how, 2);
    case 5:
      return put_and_get<T, 6>(w, array, random, how, 2);
    default:
      return put_and_get<T, 7>(w, array, random, how, 1 + random.below(2));
  }
}

TEST_P(sections_transfer_test, random_sections) {
  run([](world& w) {
    const auto array = allocate<std::uint64_t>(w, max_elements);
    const auto small = allocate<std::uint8_t>(w, max_elements);
    base::random random(test::drawn_seed(w));
    const int rounds = test::rounds_in_sim(w, 400, 60);
    for (int i = 0; i < rounds; ++i) {
      const auto right = array.on(right_of(w));
      const auto protocols = test::protocols_for(w, right);
      const auto how = protocols[random.below(protocols.size())];
      if (random.below(4) == 0) {
        all_dimensions(w, small.on(right_of(w)), random, how);
      } else {
        all_dimensions(w, right, random, how);
      }
    }
    meet(w);
  });
}

TEST_P(sections_transfer_test, protocols_agree) {
  options.symmetric_bytes = 4 << 20;
  seeds = 3;
  allowed = test::run_size::any;
  run([](world& w) {
    // Several slices of packed transfers, of which one ends inside a row.
    const bool is_simulated = w.fabric().name() == "sim";
    const std::uint64_t rows = is_simulated ? 310 : 6000;
    const std::uint64_t columns = is_simulated ? 30 : 3;
    const std::uint64_t leading = columns + 2;
    const auto array = allocate<std::uint64_t>(w, rows * leading).on(right_of(w));
    std::vector<std::uint64_t> mine(rows * columns);
    std::iota(mine.begin(), mine.end(), std::uint64_t{1});
    meet(w);
    for (const section_protocol how : test::protocols_for(w, array)) {
      put(w, array, std::vector<std::uint64_t>(rows * leading));
      put(w, patch(array + 1, rows, columns, leading), patch(mine.data(), rows, columns), how);
      std::vector<std::uint64_t> seen(rows * leading);
      get(w, array, seen);
      for (std::uint64_t i = 0; i < rows; ++i) {
        ASSERT_EQ(seen[i * leading], 0u);
        ASSERT_EQ(seen[i * leading + 1], columns * i + 1);
        ASSERT_EQ(seen[i * leading + columns], columns * i + columns);
        ASSERT_EQ(seen[i * leading + columns + 1], 0u);
      }
      // Transposed, so that no row is contiguous on both sides.
      const std::uint64_t some = is_simulated ? 100 : rows;
      std::vector<std::uint64_t> back(some * 3);
      get(w,
          strided_ptr<std::uint64_t, 2>{
              array + 1, {3, some}, {1, static_cast<std::int64_t>(leading)}},
          patch(back.data(), 3, some), how);
      for (std::uint64_t i = 0; i < some; ++i) ASSERT_EQ(back[some + i], columns * i + 2);
    }
    meet(w);
  });
}

TEST_P(sections_transfer_test, futures) {
  run([](world& w) {
    constexpr std::uint64_t n = 30;
    const auto array = allocate<int>(w, n * n).on(right_of(w));
    meet(w);
    std::vector<int> mine(n * n);
    std::iota(mine.begin(), mine.end(), w.rank());
    std::vector<future<void>> puts;
    const auto protocols = test::protocols_for(w, array);
    for (std::uint64_t i = 0; i < 5; ++i) {
      puts.push_back(put_async(w, patch(array + static_cast<int>(i) * 6, n, 6, n),
                               patch(mine.data() + i * 6, n, 6, n),
                               protocols[i % protocols.size()]));
    }
    for (auto& p : puts) p.get();
    std::vector<int> seen(n * n);
    std::vector<future<void>> gets;
    for (std::uint64_t i = 0; i < 5; ++i) {
      gets.push_back(get_async(w, patch(array + static_cast<int>(i) * 6, n, 6, n),
                               patch(seen.data() + i * 6, n, 6, n),
                               protocols[i % protocols.size()]));
    }
    for (auto& g : gets) g.get();
    EXPECT_EQ(seen, mine);
    meet(w);
  });
}

// Axiom 27: a rank's blocking operations on places that overlap take effect in program order,
// whatever protocols they take.
TEST_P(sections_transfer_test, blocking_ones_take_effect_in_order) {
  run([](world& w) {
    constexpr std::uint64_t n = 6;
    const auto array = allocate<std::uint64_t>(w, n * n).on(right_of(w));
    base::random random(test::drawn_seed(w));
    std::vector<std::uint64_t> model(n * n);
    const auto protocols = test::protocols_for(w, array);
    const int rounds = test::rounds_in_sim(w, 60, 100);
    for (int i = 0; i < rounds; ++i) {
      const auto how = protocols[random.below(protocols.size())];
      const std::uint64_t row = random.below(n);
      const std::uint64_t column = random.below(n);
      const std::uint64_t rows = 1 + random.below(n - row);
      const std::uint64_t columns = 1 + random.below(n - column);
      const auto place = patch(array, rows, columns, n);
      const auto at = static_cast<std::int64_t>(row * n + column);
      std::vector<std::uint64_t> mine(rows * columns, static_cast<std::uint64_t>(i));
      const auto there = section_of(dense(array, std::array<std::uint64_t, 2>{n, n}), {row, column},
                                    {rows, columns});
      EXPECT_EQ(there.first, place.first + at);
      for (std::uint64_t r = 0; r < rows; ++r) {
        for (std::uint64_t c = 0; c < columns; ++c) {
          model[(row + r) * n + column + c] = static_cast<std::uint64_t>(i);
        }
      }
      put(w, there, patch(mine.data(), rows, columns), how);
      std::vector<std::uint64_t> seen(n * n);
      get(w, patch(array, n, n), patch(seen.data(), n, n),
          protocols[random.below(protocols.size())]);
      ASSERT_EQ(seen, model) << "round " << i;
    }
    meet(w);
  });
}

template <class Error, class Call>
void expect_refused(Call call, const std::string& text) {
  try {
    call();
    ADD_FAILURE() << "not refused: " << text;
  } catch (const Error& failure) {
    EXPECT_NE(std::string(failure.what()).find(text), std::string::npos) << failure.what();
    EXPECT_EQ(std::string(failure.what()).find('\n'), std::string::npos) << failure.what();
  }
}

TEST_P(sections_transfer_test, bad_input_is_refused) {
  run([](world& w) {
    const auto array = allocate<int>(w, 100).on(right_of(w));
    meet(w);
    std::vector<int> mine(100, 1);
    int* const here = mine.data();
    const auto refused = [&]<std::size_t N>(const strided_ptr<int, N>& a,
                                            const strided_span<int, N>& b,
                                            const std::string& text) {
      expect_refused<bad_argument>([&] { put(w, a, b); }, "put of " + text);
    };
    refused(patch(array, 3, 4, 10), patch(here, 3, 5),
            "a section of 3 x 4 elements of 4 bytes: the local side has 3 x 5 elements: give both "
            "sides the same extents");
    refused(patch(array, 3, 4, 3), patch(here, 3, 4),
            "a section of 3 x 4 elements of 4 bytes: remote strides of 3, 1 elements make elements "
            "of the remote side overlap, which is written: write each element once");
    refused(strided_ptr<int, 2>{array, {3, 4}, {0, 1}}, patch(here, 3, 4),
            "a section of 3 x 4 elements of 4 bytes: remote strides of 0, 1 elements make");
    refused(strided_ptr<int, 1>{array + 9, {3}, {-1}}, dense(here, std::array<std::uint64_t, 1>{3}),
            "a section of 3 elements of 4 bytes: the remote stride of dimension 0 is -1; strides "
            "cannot be negative");
    refused(strided_ptr<int, 2>{array, {1u << 31, 1u << 31}, {1l << 31, 1}},
            strided_span<int, 2>{here, {1u << 31, 1u << 31}, {0, 0}}, "a section of 2147483648 x");
    refused(patch(array, 3, 4, 10), patch(static_cast<int*>(nullptr), 3, 4),
            "a section of 48 bytes: the local side is null");
    expect_refused<bad_argument>(
        [&] { get(w, patch(array, 3, 4, 10), patch(here, 3, 4, 2)); },
        "get of a section of 3 x 4 elements of 4 bytes: local strides of 2, 1 elements make "
        "elements of the local side overlap");
    // Only one rank's part is missing, so the owner may be asked.
    expect_refused<out_of_bounds>([&] { put(w, patch(array + 80, 5, 4, 10), patch(here, 5, 4)); },
                                  "access to ");
    expect_refused<out_of_bounds>([&] { get(w, patch(array + 80, 5, 4, 10), patch(here, 5, 4)); },
                                  "access to ");
    expect_refused<out_of_bounds>([&] { put(w, patch(ptr<int>(), 5, 4), patch(here, 5, 4)); },
                                  "the pointer is null");
    expect_refused<out_of_bounds>(
        [&] { put(w, patch(array.on(w.size()), 5, 4), patch(here, 5, 4)); },
        "the pointer is null, stale or corrupt");
    if (fabric::reached(w.words(), array.address()) == nullptr) {
      expect_refused<bad_argument>(
          [&] { put(w, patch(array, 5, 4, 10), patch(here, 5, 4), section_protocol::direct); },
          "put of a section by the protocol direct: plain instructions do not reach");
    }
    // Strides that interleave without meeting, and reads of one element again and again, are right.
    meet(w);
    put(w, strided_ptr<int, 2>{array, {3, 2}, {2, 3}}, strided_span<int, 2>{here, {3, 2}, {0, 0}});
    put(w, patch(array, 0, 4, 1), patch(here, 0, 4));
    put(w, patch(ptr<int>(), 4, 0), patch(static_cast<int*>(nullptr), 4, 0));
    std::vector<int> seen(100);
    get(w, array, seen);
    std::vector<int> expected(100);
    for (const std::size_t i : {0u, 2u, 3u, 4u, 5u, 7u}) expected[i] = 1;
    EXPECT_EQ(seen, expected);
    meet(w);
  });
}

}  // namespace
}  // namespace far
