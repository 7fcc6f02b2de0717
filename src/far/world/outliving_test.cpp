// Objects that outlive their job. Ranks are threads or fibers, whose objects the test can keep.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/far.hpp"
#include "test/support/jobs.hpp"

namespace far {
namespace {

struct node {
  std::uint64_t value;
};

}  // namespace

template <>
struct object_type<node> : object_fields<node, &node::value> {};

namespace {

/// One of each kind of object of a rank.
struct objects_of_rank {
  world view;
  array<std::uint64_t> numbers{view, 100};
  nd_array<double, 2> grid{view, {16, 16}};
  cached_array<std::uint64_t> cached{view, 1000};
  hash_map<int, int> map{view};
  hash_map<int, int> table{view, 100, policy::one_sided};
  queue<int> values{view, 0, 16};
  queues<int> many{view, 16};
  mcs_lock mcs{view};
  rw_lock readers{view};
  topology_lock tree{view};
  condition_variable_any condition{view};
  object_space space{view};
  service serving{view};
  team half = team::of(view).split(view, view.rank() % 2);
  ptr<std::uint64_t> words = allocate_local<std::uint64_t>(view, 10);
  std::uint64_t* plain = local(view, words);

  explicit objects_of_rank(const world& w) : view(w) {
    numbers.put(static_cast<std::uint64_t>(w.rank()), 7);
    cached.put(static_cast<std::uint64_t>(w.rank()), 7);
    map.insert(w.rank(), 7);
    barrier(w);
  }
};

class outliving_test : public test::on_ranks {
 protected:
  outliving_test() {
    seeds = 3;
    allowed = test::run_size::any;
  }

  /// Runs a job whose ranks leave their objects here.
  std::vector<std::unique_ptr<objects_of_rank>> left() {
    std::vector<std::unique_ptr<objects_of_rank>> all(static_cast<std::size_t>(options.ranks));
    run([&](world& w) {
      all[static_cast<std::size_t>(w.rank())] = std::make_unique<objects_of_rank>(w);
      quiesce(w);
    });
    return all;
  }
};

TEST_P(outliving_test, objects_and_views_throw) {
  const auto all = left();
  for (int rank = 0; rank < options.ranks; ++rank) {
    objects_of_rank& o = *all[static_cast<std::size_t>(rank)];
    EXPECT_EQ(o.view.rank(), rank);
    EXPECT_EQ(o.view.size(), options.ranks);
    EXPECT_THROW(barrier(o.view), error);
    EXPECT_THROW((void)o.view.now(), error);
    EXPECT_THROW(o.view.progress(), error);
    EXPECT_THROW((void)allocate<int>(o.view), error);
    EXPECT_THROW((void)get(o.view, o.words), error);
    EXPECT_THROW(put(o.view, o.words, std::uint64_t{1}), error);
    EXPECT_THROW((void)o.numbers.get(0), error);
    EXPECT_THROW(o.numbers.put(0, std::uint64_t{1}), error);
    EXPECT_THROW((void)o.grid.get({0, 0}), error);
    EXPECT_THROW((void)o.map.find(0), error);
    EXPECT_THROW((void)o.table.insert(1, 1), error);
    EXPECT_THROW((void)allreduce(o.view, 1), error);
    *o.plain = 5;  // what it points to is no rank's memory any more, but there
    EXPECT_EQ(*o.plain, 5u);
  }
}

TEST_P(outliving_test, destructors_do_nothing) {
  { const auto all = left(); }
  const auto first = left();
  const auto second = left();  // a job with objects of another one around
}

std::vector<test::ranks> modes() {
  std::vector<test::ranks> result;
  for (const test::ranks& one : test::all_modes({1, 3})) {
    if (one.mode == job_mode::threads || one.mode == job_mode::fibers) result.push_back(one);
  }
  return result;
}
INSTANTIATE_TEST_SUITE_P(on, outliving_test, ::testing::ValuesIn(modes()), test::name_of);

TEST(outliving, a_left_job_has_a_view_that_throws) {
  job here;
  world& world = here.world();
  const far::world copy = world;
  array<int> numbers(world, 100);
  here.leave();
  EXPECT_EQ(here.world().rank(), 0);
  EXPECT_THROW(barrier(here.world()), error);
  EXPECT_THROW(barrier(copy), error);
  EXPECT_THROW(numbers.put(0, 1), error);
  EXPECT_THROW(here.leave(), bad_argument);
  job again;  // its memory is another
  EXPECT_EQ(allreduce(again.world(), 1), 1);
  EXPECT_THROW((void)numbers.get(0), error);
}

}  // namespace
}  // namespace far
