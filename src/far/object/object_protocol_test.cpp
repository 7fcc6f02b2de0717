// What becomes of copies when an object is changed, and who decides.

#include <array>
#include <cstdint>
#include <mutex>
#include <string>

#include <gtest/gtest.h>

#include "far/object/object_space.hpp"
#include "far/object/object_test.hpp"
#include "far/object/part.hpp"
#include "test/support/jobs.hpp"

namespace {

using far::object_protocol;
using far::object_space;
using far::ref;
using far::test::record;
using far::test::small_space;

class object_protocol_test : public far::test::on_ranks {
 protected:
  object_protocol_test() { seeds = 10; }
};

/// Fetches that this rank has made.
std::uint64_t fetches_of(const object_space& space) {
  const std::scoped_lock lock(space.shared_part()->mutex);
  return space.shared_part()->fetches;
}

/// An object of rank 0.
template <class T>
ref<T> make_shared(object_space& space) {
  if (space.world().rank() == 0) space.set_root("shared", space.make<T>());
  space.barrier();
  return space.root<T>("shared");
}

/// The writer changes the object in each round; after it, all others read it.
void write_and_read(object_space& space, ref<record> shared, int writer, std::uint64_t rounds) {
  for (std::uint64_t round = 1; round <= rounds; ++round) {
    if (space.world().rank() == writer) {
      space.write(shared).a += 1;
      space.write(shared).d = static_cast<std::uint16_t>(round);
    }
    space.barrier();
    EXPECT_EQ(space.read(shared).d, round);
    space.barrier();
  }
}

/// In a simulation messages overtake each other; then a copy is fetched again.
void expect_no_fetches(object_space& space, ref<record> shared, std::uint64_t before) {
  if (space.world().fabric().name() == "sim") return;
  EXPECT_EQ(fetches_of(space), before) << space.explain(shared);
}

TEST_P(object_protocol_test, readers_are_sent_changes) {
  run([](far::world& world) {
    for (const int writer : {0, world.size() - 1}) {
      object_space space(world, small_space);
      const auto shared = make_shared<record>(space);
      if (world.rank() == 0) space.set_protocol(shared, object_protocol::update);
      space.barrier();
      write_and_read(space, shared, writer, 4);
      const std::uint64_t before = fetches_of(space);
      write_and_read(space, shared, writer, 20);
      expect_no_fetches(space, shared, before);
      EXPECT_EQ(space.read(shared).a, 24u);
      space.barrier();
    }
  });
}

TEST_P(object_protocol_test, copies_are_fetched_after_each_change) {
  run([](far::world& world) {
    auto how = small_space;
    how.protocol = object_protocol::invalidate;
    object_space space(world, how);
    const auto shared = make_shared<record>(space);
    write_and_read(space, shared, 0, 4);
    const std::uint64_t before = fetches_of(space);
    write_and_read(space, shared, 0, 20);
    EXPECT_EQ(fetches_of(space), before + (world.rank() == 0 ? 0 : 20));
    space.barrier();
  });
}

TEST_P(object_protocol_test, who_reads_each_change_is_sent_it) {
  run([](far::world& world) {
    object_space space(world, small_space);
    const auto shared = make_shared<record>(space);
    write_and_read(space, shared, 0, 20);
    const std::uint64_t before = fetches_of(space);
    write_and_read(space, shared, 0, 10);
    expect_no_fetches(space, shared, before);
    space.barrier();
  });
}

TEST_P(object_protocol_test, who_reads_no_more_is_left_out) {
  run([](far::world& world) {
    if (world.size() == 1) return;
    auto how = small_space;
    how.protocol = object_protocol::update;
    object_space space(world, how);
    const auto shared = make_shared<record>(space);
    for (int round = 0; round < 30; ++round) {
      if (world.rank() == 0) space.write(shared).a += 1;
      space.barrier();
      if (round < 3) {
        EXPECT_EQ(space.read(shared).a, static_cast<std::uint64_t>(round) + 1);
      }
      space.barrier();
    }
    if (world.rank() == 0) {
      const std::string told = space.explain(shared);
      EXPECT_NE(told.find(" 0 ranks keep copies, 0 have"), std::string::npos) << told;
    }
    space.barrier();
    EXPECT_EQ(space.read(shared).a, 30u);
    space.barrier();
  });
}

TEST_P(object_protocol_test, home_threads_lose_nothing) {
  run([](far::world& world) {
    object_space space(world, small_space);
    const auto shared = make_shared<record>(space);
    space.set_protocol(shared, object_protocol::update);
    write_and_read(space, shared, 0, 4);
    {
      auto other = space.on(world);  // another thread's, as far as the space can tell
      if (world.rank() == 0) {
        space.write(shared).a = 100;
        other.write(shared).c = 200;
        space.publish();
      }
      space.barrier();
      EXPECT_EQ(space.read(shared).a, 100u);
      space.barrier();
      if (world.rank() == 0) other.publish();
      space.barrier();
      EXPECT_EQ(space.read(shared).c, 200u);
    }
    space.barrier();
  });
}

TEST_P(object_protocol_test, arrays_are_updated_piece_by_piece) {
  options.symmetric_bytes = std::uint64_t{4} << 20;
  run([](far::world& world) {
    const std::uint64_t n = world.fabric().name() == "sim" ? 3000 : 20000;
    object_space space(world, small_space);
    if (world.rank() == 0) space.set_root("array", space.make_array<std::uint32_t>(n));
    space.barrier();
    const auto array = space.root<std::uint32_t[]>("array");
    if (world.rank() == world.size() - 1) space.set_protocol(array, object_protocol::update);
    space.barrier();
    // Each rank changes every size-th element; everyone reads all.
    const auto own = static_cast<std::uint64_t>(world.rank());
    const auto step = static_cast<std::uint64_t>(world.size());
    for (std::uint32_t round = 1; round <= 5; ++round) {
      for (std::uint64_t i = own; i < n; i += step) space.write(array, i) += 1;
      space.barrier();
      std::uint64_t wrong = 0;
      for (std::uint64_t i = 0; i < n;) {
        for (const std::uint32_t value : space.read_from(array, i)) {
          wrong += value != round ? 1 : 0;
          ++i;
        }
      }
      EXPECT_EQ(wrong, 0u) << "of round " << round;
      space.barrier();
    }
  });
}

TEST_P(object_protocol_test, says_what_it_does) {
  run([](far::world& world) {
    object_space space(world, small_space);
    const auto shared = make_shared<record>(space);
    const auto has = [&](const char* what) {
      const std::string told = space.explain(shared);
      EXPECT_NE(told.find(what), std::string::npos) << told;
    };
    has("of rank 0: update, by what is observed of its type: 0 changes");
    has(world.rank() == 0 ? "here: its home" : "here: no copy");
    space.barrier();
    if (world.rank() == 0) space.set_protocol(shared, object_protocol::update);
    space.barrier();
    has("update, as chosen");
    EXPECT_EQ(space.read(shared).a, 0u);
    if (world.rank() != 0) has("here: a copy");
    space.barrier();
    if (world.rank() == 0) space.set_protocol(shared, object_protocol::invalidate);
    space.barrier();
    has("invalidate, as chosen");
    space.barrier();
    if (world.fabric().coherent()) {
      auto how = small_space;
      how.force_protocol = false;
      object_space direct(world, how);
      const auto object = make_shared<record>(direct);
      direct.set_protocol(object, object_protocol::update);
      EXPECT_NE(direct.explain(object).find("no copies"), std::string::npos);
      direct.barrier();
    }
  });
}

INSTANTIATE_FAR_MODES_ON(object_protocol_test, 1, 2, 4);

}  // namespace
