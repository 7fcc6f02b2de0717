#include "far/sections/accumulate.hpp"

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/base/random.hpp"
#include "far/fabric/reach.hpp"
#include "far/memory/allocate.hpp"
#include "far/rma/transfer.hpp"
#include "far/rpc/call.hpp"
#include "far/sections/sections_test.hpp"
#include "test/support/jobs.hpp"

namespace far {
namespace {

class sections_accumulate_test : public test::on_ranks {
 protected:
  static void meet(world& w) { w.fabric().quiesce(w.context()); }
  static int right_of(const world& w) { return (w.rank() + 1) % w.size(); }
};
INSTANTIATE_FAR_MODES_ON(sections_accumulate_test, 1, 2, 5);

/// Small numbers, which floats hold exactly.
template <class T>
T number(std::uint64_t i) {
  const auto value = static_cast<int>(i % 50) - 20;
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<T>(value);
  } else {
    return T(static_cast<typename T::value_type>(value),
             static_cast<typename T::value_type>(i % 3));
  }
}

template <class T, std::size_t N>
void accumulate_and_compare(world& w, ptr<T> array, base::random& random, section_protocol how,
                            std::uint64_t max_extent) {
  const auto c = test::random_section<N>(random, max_extent);
  std::vector<T> model(c.elements_there);
  for (std::size_t i = 0; i < model.size(); ++i) model[i] = number<T>(3 * i);
  std::vector<T> mine(c.elements_here);
  for (std::size_t i = 0; i < mine.size(); ++i) mine[i] = number<T>(i);
  put(w, array, model);
  const T a = random.below(2) == 0 ? T(1) : number<T>(random.below(50));
  accumulate(w, test::there(c, array), a, test::here(c, std::as_const(mine).data()), how);
  test::for_each_element(
      c, [&](std::size_t there, std::size_t here) { model[there] += a * mine[here]; });
  std::vector<T> seen(model.size());
  get(w, array, seen);
  EXPECT_EQ(seen, model) << N << " dimensions, protocol " << static_cast<int>(how);
}

template <class T>
void accumulate_some(world& w, base::random& random, ptr<std::complex<double>> memory) {
  const auto array = reinterpret_pointer_cast<T>(memory);
  const auto protocols = test::protocols_for(w, array);
  const auto how = protocols[random.below(protocols.size())];
  switch (random.below(4)) {
    case 0:
      return accumulate_and_compare<T, 1>(w, array, random, how, 100);
    case 1:
      return accumulate_and_compare<T, 2>(w, array, random, how, 12);
    case 2:
      return accumulate_and_compare<T, 3>(w, array, random, how, 5);
    default:
      return accumulate_and_compare<T, 7>(w, array, random, how, 1 + random.below(2));
  }
}

TEST_P(sections_accumulate_test, random_sections_of_every_type) {
  run([](world& w) {
    const auto memory = allocate<std::complex<double>>(w, 1 << 14).on(right_of(w));
    base::random random(test::drawn_seed(w));
    const int rounds = test::rounds_in_sim(w, 400, 40);
    for (int i = 0; i < rounds; ++i) {
      switch (random.below(7)) {
        case 0:
          accumulate_some<int>(w, random, memory);
          break;
        case 1:
          accumulate_some<long>(w, random, memory);
          break;
        case 2:
          accumulate_some<float>(w, random, memory);
          break;
        case 3:
          accumulate_some<double>(w, random, memory);
          break;
        case 4:
          accumulate_some<std::complex<float>>(w, random, memory);
          break;
        case 5:
          accumulate_some<long long>(w, random, memory);
          break;
        default:
          accumulate_some<std::complex<double>>(w, random, memory);
          break;
      }
    }
    meet(w);
  });
}

/// All ranks add to the same patch of rank 0, each by the protocol that choose(round) names, and
/// then look at the sum.
template <class Choose>
void add_at_one_place(world& w, int rounds, Choose choose) {
  constexpr std::uint64_t n = 5;
  const auto whole = std::array<std::uint64_t, 2>{n, n};
  const auto sums = allocate<long>(w, n * n);
  const auto halves = allocate<double>(w, n * n);
  w.fabric().quiesce(w.context());
  const auto there = section_of(dense(sums.on(0), whole), {1, 1}, {3, 4});
  const auto there_too = section_of(dense(halves.on(0), whole), {0, 2}, {4, 3});
  const std::vector<long> ones(12, 1);
  const std::vector<double> twos(12, 2);
  for (int i = 0; i < rounds; ++i) {
    accumulate(w, there, w.rank() + 1, patch(ones.data(), 3, 4), choose(i));
    accumulate(w, there_too, 0.25, patch(twos.data(), 4, 3), choose(i + 1));
  }
  w.fabric().quiesce(w.context());
  const long expected = static_cast<long>(rounds) * w.size() * (w.size() + 1) / 2;
  std::vector<long> seen(n * n);
  std::vector<double> seen_too(n * n);
  get(w, sums.on(0), seen);
  get(w, halves.on(0), seen_too);
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t c = 0; c < n; ++c) {
      ASSERT_EQ(seen[r * n + c], r >= 1 && r < 4 && c >= 1 ? expected : 0);
      ASSERT_EQ(seen_too[r * n + c], r < 4 && c >= 2 ? rounds * w.size() * 0.5 : 0);
    }
  }
  w.fabric().quiesce(w.context());
}

TEST_P(sections_accumulate_test, all_ranks_at_the_same_place) {
  run([](world& w) {
    add_at_one_place(w, test::rounds_in_sim(w, 60, 300),
                     [](int) { return section_protocol::automatic; });
  });
}

// The origin's lock and the owner's lane exclude each other.
TEST_P(sections_accumulate_test, protocols_exclude_each_other) {
  run([](world& w) {
    const auto rank_0 = ptr<long>(fabric::address(0, fabric::symmetric_segment, 64));
    const auto protocols = test::protocols_for(w, rank_0);
    add_at_one_place(w, test::rounds_in_sim(w, 120, 200), [&](int i) {
      return protocols[static_cast<std::size_t>(w.rank() + i) % protocols.size()];
    });
  });
}

TEST_P(sections_accumulate_test, futures) {
  run([](world& w) {
    constexpr std::uint64_t n = 40;
    const auto sums = allocate<int>(w, n);
    meet(w);
    const std::vector<int> ones(n, 1);
    const auto protocols = test::protocols_for(w, sums.on(0));
    const int rounds = test::rounds_in_sim(w, 60, 100);
    std::vector<future<void>> all;
    for (int i = 0; i < rounds; ++i) {
      const std::uint64_t some = n - static_cast<std::uint64_t>(i) % 7;
      const std::array<std::uint64_t, 1> extents{some};
      all.push_back(accumulate_async(w, dense(sums.on(0), extents), 2, dense(ones.data(), extents),
                                     protocols[static_cast<std::size_t>(i) % protocols.size()]));
    }
    for (auto& one : all) one.get();
    meet(w);
    EXPECT_EQ(get(w, sums.on(0)), 2 * rounds * w.size());
    meet(w);
  });
}

// Several slices of a large accumulate, in parts under one lock, while others add, too.
TEST_P(sections_accumulate_test, large_ones_in_slices) {
  options.symmetric_bytes = 16 << 20;
  seeds = 3;
  run([](world& w) {
    const std::uint64_t rows = w.fabric().name() == "sim" ? 20 : 600;
    constexpr std::uint64_t columns = 500;
    constexpr std::uint64_t leading = 510;
    const auto sums = allocate<double>(w, rows * leading);
    meet(w);
    const std::vector<double> mine(rows * columns, 0.5);
    for (const section_protocol how :
         {section_protocol::automatic, section_protocol::packed, section_protocol::pipelined}) {
      accumulate(w, patch(sums.on(0) + 3, rows, columns, leading), 4,
                 patch(mine.data(), rows, columns), how);
    }
    meet(w);
    std::vector<double> seen(rows * leading);
    get(w, sums.on(0), seen);
    for (std::uint64_t i = 0; i < rows; ++i) {
      ASSERT_EQ(seen[i * leading + 2], 0);
      ASSERT_EQ(seen[i * leading + 3], 6 * w.size());
      ASSERT_EQ(seen[i * leading + 502], 6 * w.size());
      ASSERT_EQ(seen[i * leading + 503], 0);
    }
    meet(w);
  });
}

TEST_P(sections_accumulate_test, continuations_and_remote_functions_may_start_them) {
  run([](world& w) {
    const auto sums = allocate<long>(w, 4);
    meet(w);
    static const std::array<long, 4> ones{1, 1, 1, 1};
    const std::array<std::uint64_t, 1> four{4};
    ready_future(w)
        .then([&] {
          return accumulate_async(w, dense(sums.on(right_of(w)), four), 3,
                                  dense(ones.data(), four));
        })
        .get();
    rpc(
        w, right_of(w),
        [](const world& there, ptr<long> y) {
          const std::array<std::uint64_t, 1> extents{4};
          return accumulate_async(there, dense(y.on((there.rank() + 1) % there.size()), extents), 4,
                                  dense(ones.data(), extents));
        },
        sums)
        .get();
    meet(w);
    EXPECT_EQ(get(w, sums + 3), 7);
    meet(w);
  });
}

TEST_P(sections_accumulate_test, bad_input_is_refused) {
  run([](world& w) {
    const auto sums = allocate<double>(w, 16).on(right_of(w));
    meet(w);
    const std::vector<double> ones(25, 1);
    const auto says = [&](auto call, const std::string& text) {
      try {
        call();
        ADD_FAILURE() << text;
      } catch (const error& failure) {
        EXPECT_NE(std::string(failure.what()).find(text), std::string::npos) << failure.what();
      }
    };
    const auto odd = reinterpret_pointer_cast<double>(reinterpret_pointer_cast<char>(sums) + 4);
    says([&] { accumulate(w, patch(odd, 2, 2), 1, patch(ones.data(), 2, 2)); },
         "its elements must be aligned to 8 bytes");
    says([&] { accumulate(w, patch(sums, 2, 2), 1, patch(ones.data(), 2, 3)); },
         "accumulate of a section of 2 x 2 elements of 8 bytes: the local side has 2 x 3");
    says([&] { accumulate(w, patch(sums, 2, 2, 1), 1, patch(ones.data(), 2, 2)); }, "overlap");
    says([&] { accumulate(w, patch(sums, 5, 5), 1, patch(ones.data(), 5, 5)); },
         "access to 200 bytes");
    meet(w);
    EXPECT_EQ(get(w, sums), 0);
    meet(w);
  });
}

}  // namespace
}  // namespace far
