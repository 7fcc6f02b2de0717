// A thread that waits keeps nobody from having copies of what it has made, or from owning it.

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "far/object/object_space.hpp"
#include "far/object/object_test.hpp"
#include "test/support/jobs.hpp"

namespace {

using far::object_space;
using far::object_view;
using far::ref;
using far::test::record;
using far::test::small_space;

class object_maker_test : public far::test::on_ranks {
 protected:
  object_maker_test() {
    seeds = 10;
    allowed = far::test::run_size::any;
  }
};

bool stays_current(object_view& view, ref<record> object) {
  return view.explain(object).find("here: a copy that stays current") != std::string::npos;
}

/// What rank 0 makes before it waits. The monitor of `place` is free while it does.
struct made {
  ref<std::uint64_t> place;
  ref<record> read;
  ref<record> changed;
};
made make_all(object_space& space) {
  if (space.world().rank() == 0) {
    space.set_root("place", space.make<std::uint64_t>());
    space.set_root("read", space.make<record>(record{1, 2, 3, 4, 5}));
    space.set_root("changed", space.make<record>());
    space.monitor(space.root<std::uint64_t>("place")).lock();
  }
  space.barrier();
  return {space.root<std::uint64_t>("place"), space.root<record>("read"),
          space.root<record>("changed")};
}

/// Rank 0 passes the monitor on a moment before it waits. Until it does, copies of what it has made
/// go when their readers synchronize.
void await_rank_0(object_space& space, const made& all) {
  for (int tries = 0; tries < 10'000; ++tries) {
    (void)space.read(all.read);
    if (stays_current(space, all.read)) return;
    const auto again = space.lock(all.place);
  }
  ADD_FAILURE() << "rank 0 does not wait";
}

/// Rank 0 waits in the monitor while each of the others does something there.
template <class Work>
void while_rank_0_waits(object_space& space, const made& all, Work work) {
  const auto others = static_cast<std::uint64_t>(space.world().size()) - 1;
  auto monitor = space.monitor(all.place);
  if (space.world().rank() == 0) {
    monitor.wait([&] { return space.read(all.place) == others; });
    monitor.unlock();
  } else {
    const auto lock = space.lock(all.place);
    await_rank_0(space, all);
    work();
    if (++space.write(all.place) == others) monitor.notify();
  }
}

TEST_P(object_maker_test, copies_stay_current_while_it_waits) {
  run([](far::world& world) {
    object_space space(world, small_space);
    const made all = make_all(space);
    while_rank_0_waits(space, all, [&] {
      EXPECT_EQ(space.read(all.read).a, 1u);
      EXPECT_TRUE(stays_current(space, all.read)) << space.explain(all.read);
    });
    if (world.rank() == 0) ++space.write(all.read).a;
    space.barrier();
    EXPECT_EQ(space.read(all.read).a, 2u);
    space.barrier();
  });
}

TEST_P(object_maker_test, what_it_has_made_migrates_while_it_waits) {
  run([](far::world& world) {
    object_space space(world, small_space);
    const made all = make_all(space);
    const int last = world.size() - 1;
    while_rank_0_waits(space, all, [&] {
      if (world.rank() != last) return;
      for (int i = 0; i < 4; ++i) {
        ++space.write(all.changed).a;
        space.publish();
      }
      EXPECT_NE(space.explain(all.changed).find("; migrated to rank"), std::string::npos)
          << space.explain(all.changed);
    });
    if (world.rank() == 0) {
      EXPECT_EQ(space.read(all.changed).a, last > 0 ? 4u : 0u);
      space.write(all.changed).a = 7;
    }
    space.barrier();
    EXPECT_EQ(space.read(all.changed).a, 7u);
    space.barrier();
  });
}

/// The rank's own thread waits for those that it has started. What it has changed and not published
/// is seen once it publishes.
TEST_P(object_maker_test, copies_stay_current_while_it_waits_for_threads) {
  run([](far::world& world) {
    object_space space(world, small_space);
    if (world.rank() == 0) {
      space.set_root("made", space.make<record>());
      space.set_root("kept", space.make<record>());
    }
    space.barrier();
    const auto made = space.root<record>("made");
    const auto kept = space.root<record>("kept");
    EXPECT_EQ(space.read(kept).a, 0u);
    space.barrier();
    EXPECT_EQ(space.read(kept).a, 0u);
    space.barrier();
    if (world.rank() == 0) space.write(kept).a = 1;
    world.threads(1, [&](far::world& own) {
      auto view = space.on(own);
      const auto arrived = view.volatile_field(made, &record::c);
      (void)arrived.fetch_add(1);
      while (arrived.load() < static_cast<std::uint32_t>(own.size())) own.progress();
      if (own.rank() != 0) {
        EXPECT_EQ(view.read(made).a, 0u);
        EXPECT_TRUE(stays_current(view, made)) << view.explain(made);
        EXPECT_LE(view.read(kept).a, 1u);
      }
      (void)arrived.fetch_add(1);
      while (arrived.load() < 2 * static_cast<std::uint32_t>(own.size())) own.progress();
    });
    space.barrier();
    EXPECT_EQ(space.read(kept).a, 1u);
    space.barrier();
  });
}

INSTANTIATE_FAR_MODES_ON(object_maker_test, 1, 2, 4);

}  // namespace
