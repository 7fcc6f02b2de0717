#include "far/array/nd_array.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <ranges>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/base/random.hpp"
#include "test/support/jobs.hpp"

namespace far {
namespace {

class nd_array_test : public test::on_ranks {
 protected:
  nd_array_test() {
    seeds = 20;
    allowed = test::run_size::any;
  }
};
class nd_algorithms_test : public nd_array_test {};
class nd_ghosts_test : public nd_array_test {};
INSTANTIATE_FAR_MODES_ON(nd_array_test, 1, 3, 4, 6);
INSTANTIATE_FAR_MODES_ON(nd_algorithms_test, 1, 3, 4, 6);
INSTANTIATE_FAR_MODES_ON(nd_ghosts_test, 1, 3, 4, 6);

/// What the tests store at an index.
template <std::size_t N>
double value_at(const nd_index<N>& index) {
  double value = 1;
  for (const std::uint64_t i : index) value = 10 * value + static_cast<double>(i);
  return value;
}

template <class T, std::size_t N>
void number(const nd_array_view<T, N>& a) {
  for_each(a, [](const nd_index<N>& index, T& x) { x = T(value_at(index)); });
}

/// Blocks of uneven lengths, one of them empty, for up to 6 ranks.
nd_array_options<2> uneven(const world& w) {
  nd_array_options<2> how;
  how.begins[0] = w.size() < 6 ? std::vector<std::uint64_t>{0} : std::vector<std::uint64_t>{0, 4};
  how.begins[1] =
      w.size() < 3 ? std::vector<std::uint64_t>{0} : std::vector<std::uint64_t>{0, 1, 1};
  how.ghosts = {1, 2};
  return how;
}

TEST_P(nd_array_test, owners_and_places) {
  run([](world& w) {
    const matrix<int> a(w, {6, 7}, uneven(w));
    std::uint64_t parts = 0;
    for (const auto& [rank, part] : a.owners({{1, 0}, {4, 7}})) {
      EXPECT_EQ(intersection(part, a.block(rank)), part);
      parts += part.size();
      EXPECT_EQ(a.owner(part.begin), rank);
      EXPECT_EQ(a.place(part.begin).rank(), rank);
    }
    EXPECT_EQ(parts, 28u);
    // Rows of a block are adjacent but for the ghosts.
    const section<2> own = a.own_block();
    if (own.extents[0] > 1 && own.extents[1] > 0) {
      EXPECT_EQ(a.place({own.begin[0] + 1, own.begin[1]}) - a.place(own.begin),
                static_cast<std::int64_t>(own.extents[1] + 4));
    }
  });
}

TEST_P(nd_array_test, local_parts_are_sections) {
  run([](world& w) {
    const nd_array<double, 3> a(w, {3, 4, 5});
    number(a);
    const strided_span<double, 3> own = a.local();
    EXPECT_EQ(own.extents, a.own_block().extents);
    for_each_index(section<3>{{}, own.extents}, [&](const nd_index<3>& i) {
      const section<3> block = a.own_block();
      EXPECT_EQ(own(i[0], i[1], i[2]),
                value_at<3>({block.begin[0] + i[0], block.begin[1] + i[1], block.begin[2] + i[2]}));
    });
  });
}

static_assert(std::ranges::random_access_range<decltype(std::declval<matrix<int>&>().local())>);

TEST_P(nd_array_test, local_parts_are_ranges) {
  run([](world& w) {
    nd_array_options<2> how;
    how.ghosts = {1, 2};
    const matrix<std::uint64_t> a(w, {5, 7}, how);
    const section<2> own = a.own_block();
    std::ranges::fill(a.local_with_ghosts(), 100);
    std::uint64_t next = 0;
    for (std::uint64_t& x : a.local()) x = next++;
    EXPECT_EQ(next, own.size());
    std::uint64_t expected = 0;
    for_each_index(section<2>{{}, own.extents},
                   [&](const nd_index<2>& i) { EXPECT_EQ(a.local()(i[0], i[1]), expected++); });
    EXPECT_EQ(std::ranges::count_if(a.local(), [](std::uint64_t x) { return x < 100; }),
              static_cast<std::int64_t>(own.size()));
    if (own.empty()) return;
    EXPECT_EQ(*std::ranges::max_element(a.local()), own.size() - 1);
    EXPECT_EQ(std::ranges::find(a.local(), own.size() / 2) - a.local().begin(),
              static_cast<std::int64_t>(own.size() / 2));
  });
}

TEST_P(nd_array_test, elements) {
  run([](world& w) {
    const matrix<std::uint64_t> a(w, {3, 4});
    const auto self = static_cast<std::uint64_t>(w.rank());
    if (self < 3) a.put({self, self}, 7 + self);
    barrier(w);
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(3, static_cast<unsigned>(w.size()));
         ++i) {
      EXPECT_EQ(a.get({i, i}), 7 + i);
      EXPECT_EQ(a.get_async({i, i}).get(), 7 + i);
    }
    a.ref({2, 3}).fetch_add(self + 1);
    barrier(w);
    const auto ranks = static_cast<std::uint64_t>(w.size());
    EXPECT_EQ(a.get({2, 3}), ranks * (ranks + 1) / 2);
    EXPECT_EQ(a.get({0, 1}), 0u);
  });
}

/// Random sections of an array, put and read by all ranks in turns, against a copy in one piece.
template <std::size_t N>
void random_sections(world& w, const std::array<std::uint64_t, N>& extents, nd_array_options<N> how,
                     int rounds) {
  const nd_array<double, N> a(w, extents, std::move(how));
  std::vector<double> copy(a.size());
  const strided_span<double, N> mirror = dense(copy.data(), extents);
  base::random random(7);  // the same on all ranks
  for (int round = 0; round < rounds; ++round) {
    section<N> some;
    for (std::size_t k = 0; k < N; ++k) {
      some.begin[k] = random.below(extents[k] + 1);
      some.extents[k] = random.below(extents[k] - some.begin[k] + 1);
    }
    const strided_span<double, N> there = section_of(mirror, some.begin, some.extents);
    for_each_index(section<N>{{}, some.extents}, [&](const nd_index<N>& i) {
      std::array<std::uint64_t, N> one;
      one.fill(1);
      *section_of(there, i, one).first = round + value_at(i) / 1e9;
    });
    if (round % w.size() == w.rank()) {
      a.put(some, there);
      std::vector<double> packed(some.size(), -1);
      a.get(some, packed);
      std::size_t at = 0;
      for_each_index(section<N>{{}, some.extents}, [&](const nd_index<N>& i) {
        EXPECT_EQ(packed[at++], round + value_at(i) / 1e9);
      });
    }
    barrier(w);
  }
  std::vector<double> all(a.size(), -1);
  a.get(a.all(), all);
  EXPECT_EQ(all, copy);
  barrier(w);
}

TEST_P(nd_array_test, random_sections) {
  run([](world& w) {
    const int rounds = test::rounds_in_sim(w, 40, 12);
    random_sections<1>(w, {11}, {}, rounds);
    random_sections<2>(w, {6, 7}, uneven(w), rounds);
    nd_array_options<3> ghosts;
    ghosts.ghosts = {0, 1, 2};
    random_sections<3>(w, {4, 3, 5}, ghosts, rounds);
    random_sections<4>(w, {2, 3, 1, 4}, {}, rounds);
  });
}

TEST_P(nd_array_test, accumulates_of_all_ranks) {
  run([](world& w) {
    const matrix<long> a(w, {9, 8});
    std::vector<long> ones(5 * 6, 1);
    for (int i = 0; i < 3; ++i) {
      a.accumulate({{2, 1}, {5, 6}}, w.rank() + 1, dense<const long*, 2>(ones.data(), {5, 6}));
    }
    a.accumulate({{0, 0}, {5, 6}}, 100, ones);
    barrier(w);
    const long ranks = w.size();
    EXPECT_EQ(a.get({6, 6}), 3 * ranks * (ranks + 1) / 2);
    EXPECT_EQ(a.get({4, 5}), 3 * ranks * (ranks + 1) / 2 + 100 * ranks);
    EXPECT_EQ(a.get({7, 6}), 0);
    EXPECT_EQ(reduce(a, 0L), 30 * (3 * ranks * (ranks + 1) / 2 + 100 * ranks));
  });
}

TEST_P(nd_array_test, lists_of_elements) {
  run([](world& w) {
    const matrix<std::complex<double>> a(w, {5, 6});
    const std::vector<nd_index<2>> at{{4, 5}, {0, 0}, {2, 3}, {4, 5}};
    std::vector<std::complex<double>> values{{1, 2}, {3, 4}, {5, 6}, {1, 2}};
    if (w.rank() == w.size() - 1) a.put_many(at, values);
    barrier(w);
    a.accumulate_many(at, {0, 1}, values);  // twice to the first
    barrier(w);
    std::vector<std::complex<double>> got(4);
    a.get_many(at, got);
    const double n = w.size();
    EXPECT_EQ(got[0], std::complex<double>(1, 2) + 2 * n * std::complex<double>(-2, 1));
    EXPECT_EQ(got[1], std::complex<double>(3, 4) + n * std::complex<double>(-4, 3));
    EXPECT_EQ(got[3], got[0]);
    a.get_many({}, {});
    EXPECT_THROW(a.get_many(at, std::span(got).first(3)), bad_argument);
    EXPECT_THROW(a.put_many(std::vector<nd_index<2>>{{5, 0}}, std::span(values).first(1)),
                 out_of_bounds);
  });
}

TEST_P(nd_array_test, moves) {
  run([](world& w) {
    matrix<int> a(w, {4, 4});
    fill(a, 3);
    matrix<int> b(std::move(a));
    EXPECT_EQ(b.get({3, 3}), 3);
    b = matrix<int>(w, {2, 2});
    EXPECT_EQ(b.get({1, 1}), 0);
    EXPECT_EQ(b.size(), 4u);
    const matrix<int> nothing(w, {0, 5});
    EXPECT_TRUE(nothing.empty());
    nothing.get({{0, 2}, {0, 3}}, std::span<int>());
    EXPECT_EQ(reduce(nothing, 5), 5);
  });
}

template <class Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const error& e) {
    return e.what();
  }
  return "none";
}

TEST_P(nd_array_test, bad_options) {
  run([](world& w) {
    nd_array_options<2> many;
    many.blocks = {static_cast<std::uint64_t>(w.size()) + 1, 0};
    EXPECT_THROW(matrix<int>(w, {4, 4}, many), bad_argument);
    const matrix<int> a(w, {4, 6});
    std::vector<int> memory(100);
    EXPECT_EQ(error_of([&] {
                a.put({{2, 3}, {2, 4}}, std::span(memory).first(8));
              }),
              "nd_array::put: a section of 2 x 4 elements at (2, 3) of an array of 4 x 6 elements");
    EXPECT_EQ(error_of([&] {
                a.get({{2, 3}, {2, 2}}, std::span(memory).first(5));
              }),
              "nd_array::get: the section has 2 x 2 elements, and the memory 5");
    EXPECT_EQ(error_of([&] {
                a.get({{2, 3}, {2, 2}}, dense<int*, 2>(memory.data(), {2, 3}));
              }),
              "nd_array::get: the section has 2 x 2 elements, and the memory 2 x 3");
    EXPECT_EQ(error_of([&] {
                (void)a.get({0, 6});
              }),
              "nd_array::place: element (0, 6) of an array of 4 x 6 elements");
    EXPECT_EQ(error_of([&] {
                a.get({{~0ull, 0}, {2, 1}}, std::span(memory).first(2));
              }),
              "nd_array::get: a section of 2 x 1 elements at (18446744073709551615, 0) of an array "
              "of 4 x 6 elements");
    EXPECT_EQ(reduce(a, 0), 0);  // nothing was written
  });
}

TEST_P(nd_algorithms_test, every_element_once) {
  run([](world& w) {
    const nd_array<std::uint64_t, 3> a(w, {3, 2, 4});
    for_each(a, [&](const nd_index<3>& index, std::uint64_t& x) {
      EXPECT_EQ(a.owner(index), w.rank());
      ++x;
    });
    EXPECT_EQ(reduce(a, 0u), 24u);
    EXPECT_EQ(reduce(a, 5u, minimum()), 1u);
  });
}

TEST_P(nd_algorithms_test, reductions) {
  run([](world& w) {
    const matrix<double> a(w, {4, 5}, uneven(w));
    number(a);
    double sum = 0;
    for_each_index(a.all(), [&](const nd_index<2>& index) { sum += value_at(index); });
    EXPECT_EQ(reduce(a, 1.0), sum + 1);
    EXPECT_EQ(reduce(a, 0.0, maximum()), value_at<2>({3, 4}));
  });
}

TEST_P(nd_algorithms_test, fill_scale_copy_and_dot) {
  run([](world& w) {
    const matrix<double> a(w, {6, 5}, uneven(w));
    const matrix<double> b(w, {6, 5});
    number(a);
    copy(a, b);
    scale(b, 2);
    EXPECT_EQ(b.get({5, 4}), 2 * value_at<2>({5, 4}));
    double sum = 0;
    for_each_index(a.all(),
                   [&](const nd_index<2>& index) { sum += 2 * value_at(index) * value_at(index); });
    EXPECT_EQ(dot(a, b), sum);
    EXPECT_EQ(dot(b, b), 2 * sum);
    fill(a, 1);
    EXPECT_EQ(reduce(a, 0.0), 30);
    EXPECT_THROW((void)dot(a, matrix<double>(w, {5, 6})), bad_argument);
  });
}

/// Each ghost cell is what it stands for, or, beyond an end, untouched.
template <std::size_t N>
void expect_ghosts(world& w, const std::array<std::uint64_t, N>& extents,
                   const nd_array_options<N>& how) {
  const nd_array<double, N> a(w, extents, how);
  number(a);
  update_ghosts(a);
  const section<N> own = a.own_block();
  const strided_span<double, N> memory = a.local_with_ghosts();
  for_each_index(section<N>{{}, memory.extents}, [&](const nd_index<N>& cell) {
    nd_index<N> index{};
    bool exists = true;
    for (std::size_t k = 0; k < N; ++k) {
      const auto shifted = static_cast<std::int64_t>(own.begin[k] + cell[k]) -
                           static_cast<std::int64_t>(how.ghosts[k]);
      const auto extent = static_cast<std::int64_t>(extents[k]);
      exists = exists && (how.periodic[k] || (shifted >= 0 && shifted < extent));
      index[k] = static_cast<std::uint64_t>(((shifted % extent) + extent) % extent);
    }
    std::array<std::uint64_t, N> one;
    one.fill(1);
    EXPECT_EQ(*section_of(memory, cell, one).first, exists ? value_at(index) : 0);
  });
}

TEST_P(nd_ghosts_test, sections_around_blocks) {
  run([](world& w) {
    expect_ghosts<2>(w, {6, 7}, uneven(w));
    nd_array_options<3> how;
    how.ghosts = {1, 0, 2};
    expect_ghosts<3>(w, {4, 3, 5}, how);
  });
}

TEST_P(nd_ghosts_test, periodic_and_wide) {
  run([](world& w) {
    nd_array_options<2> how = uneven(w);
    how.periodic = {true, false};
    expect_ghosts<2>(w, {6, 7}, how);
    nd_array_options<1> wide;
    wide.ghosts = {5};
    wide.periodic = {true};
    expect_ghosts<1>(w, {3}, wide);
  });
}

}  // namespace
}  // namespace far
