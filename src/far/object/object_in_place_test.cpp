// Updates that homes write over copies, one-sided.

#include <array>
#include <cstdint>
#include <mutex>
#include <string>

#include <gtest/gtest.h>

#include "far/object/object_space.hpp"
#include "far/object/object_test.hpp"
#include "far/object/part.hpp"
#include "far/object/rooted.hpp"
#include "test/support/jobs.hpp"

namespace {

using far::object_protocol;
using far::object_space;
using far::ref;
using far::test::node;
using far::test::record;
using far::test::small_space;

class object_in_place_test : public far::test::on_ranks {
 protected:
  object_in_place_test() {
    seeds = 10;
    options.symmetric_bytes = std::uint64_t{4} << 20;
    options.local_bytes = std::uint64_t{16} << 20;
  }
  static far::object_space_options in_place() {
    auto how = small_space;
    how.protocol = object_protocol::update_in_place;
    return how;
  }
};

template <class T>
ref<T> make_in_place(object_space& space) {
  if (space.world().rank() == 0) space.set_root("shared", space.make<T>());
  space.barrier();
  return space.root<T>("shared");
}

/// What the home of an object, which this rank is, knows of it.
template <class T>
far::objects::region_account account_of(const object_space& space, ref<T> object) {
  const std::scoped_lock lock(space.shared_part()->mutex);
  return space.shared_part()->directory.account(far::objects::place(object.bits()).offset());
}

std::uint64_t fetches_of(const object_space& space) {
  const std::scoped_lock lock(space.shared_part()->mutex);
  return space.shared_part()->fetches;
}

TEST_P(object_in_place_test, readers_see_changes_without_a_message) {
  run([](far::world& world) {
    for (const int writer : {0, world.size() - 1}) {
      object_space space(world, in_place());
      const auto shared = make_in_place<record>(space);
      const auto rounds = [&](std::uint64_t from, std::uint64_t to) {
        for (std::uint64_t round = from; round <= to; ++round) {
          if (world.rank() == writer) {
            space.write(shared).a += 1;
            space.write(shared).d = static_cast<std::uint16_t>(round);
          }
          space.barrier();
          EXPECT_EQ(space.read(shared).d, round);
          EXPECT_EQ(space.read(shared).a, round);
          space.barrier();
        }
      };
      rounds(1, 4);
      const std::uint64_t before = fetches_of(space);
      rounds(5, 20);
      if (world.fabric().name() != "sim") {
        EXPECT_EQ(fetches_of(space), before) << space.explain(shared);
        const auto sent = account_of(space, shared);
        const int readers = world.size() - (writer == 0 ? 1 : 2);
        if (world.rank() == 0 && readers > 0) {
          EXPECT_GT(sent.written, 3 * sent.sent);
        }
      }
      space.barrier();
    }
  });
}

TEST_P(object_in_place_test, writers_of_different_fields_lose_nothing) {
  run([](far::world& world) {
    object_space space(world, in_place());
    using numbers = std::array<std::uint32_t, 16>;
    const auto shared = make_in_place<numbers>(space);
    const auto own = static_cast<std::size_t>(world.rank());
    for (std::uint32_t round = 1; round <= 20; ++round) {
      for (std::size_t i = own; i < 16; i += static_cast<std::size_t>(world.size())) {
        space.write(shared)[i] += 1;
        if (i % 3 == 0) space.publish();
      }
      space.barrier();
      numbers expected;
      expected.fill(round);
      EXPECT_EQ(space.read(shared), expected);
      space.barrier();
    }
  });
}

TEST_P(object_in_place_test, monitors_hand_over_what_was_written) {
  run([](far::world& world) {
    object_space space(world, in_place());
    const auto shared = make_in_place<record>(space);
    const std::uint64_t rounds = world.fabric().name() == "sim" ? 5 : 50;
    world.threads(2, [&](far::world& own) {
      auto view = space.on(own);
      for (std::uint64_t i = 0; i < rounds; ++i) {
        const auto lock = view.lock(shared);
        const record now = view.read(shared);
        EXPECT_EQ(now.a, now.c);
        EXPECT_EQ(static_cast<double>(now.a), now.e);
        record& next = view.write(shared);
        next.a = now.a + 1;
        next.c = now.c + 1;
        next.e = now.e + 1;
      }
    });
    space.barrier();
    EXPECT_EQ(space.read(shared).a, 2 * rounds * static_cast<std::uint64_t>(world.size()));
    space.barrier();
  });
}

TEST_P(object_in_place_test, arrays_are_written_range_by_range) {
  run([](far::world& world) {
    const std::uint64_t n = world.fabric().name() == "sim" ? 600 : 40000;
    object_space space(world, in_place());
    if (world.rank() == 0) space.set_root("array", space.make_array<std::uint32_t>(n));
    space.barrier();
    const auto array = space.root<std::uint32_t[]>("array");
    // In odd rounds each rank changes every size-th element, in even ones a stretch.
    const auto own = static_cast<std::uint64_t>(world.rank());
    const auto size = static_cast<std::uint64_t>(world.size());
    for (std::uint32_t round = 1; round <= 6; ++round) {
      const std::uint64_t step = round % 2 == 1 ? size : 1;
      const std::uint64_t from = round % 2 == 1 ? own : own * n / size;
      const std::uint64_t to = round % 2 == 1 ? n : (own + 1) * n / size;
      for (std::uint64_t i = from; i < to; i += step) space.write(array, i) += 1;
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

/// References are the same words everywhere, so objects that have some are written, too.
TEST_P(object_in_place_test, references_are_followed) {
  run([](far::world& world) {
    object_space space(world, in_place());
    const auto list = make_in_place<node>(space);
    for (std::uint64_t round = 1; round <= 6; ++round) {
      if (world.rank() == static_cast<int>(round) % world.size()) {
        const ref<node> rest = space.read(list).next;
        space.write(list).next = space.make<node>(round, rest);
      }
      space.barrier();
      std::uint64_t length = 0;
      for (auto at = space.read(list).next; at; at = space.read(at).next) {
        EXPECT_EQ(space.read(at).key, round - length);
        ++length;
      }
      EXPECT_EQ(length, round);
      space.barrier();
    }
  });
}

TEST_P(object_in_place_test, who_reads_no_more_is_left_out) {
  run([](far::world& world) {
    if (world.size() == 1) return;
    object_space space(world, in_place());
    const auto shared = make_in_place<record>(space);
    for (int round = 0; round < 60; ++round) {
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
    EXPECT_EQ(space.read(shared).a, 60u);
    space.barrier();
  });
}

/// Does it again while copies in use fill the memory for them.
template <class Access>
void with_room(object_space& space, Access access) {
  for (int tries = 1;; ++tries) {
    try {
      return access();
    } catch (const far::out_of_memory&) {
      if (tries == 100) throw;
      space.refresh();
    }
  }
}

/// Copies go and come while homes write them.
TEST_P(object_in_place_test, with_little_memory_for_copies) {
  run([](far::world& world) {
    auto how = in_place();
    how.cache_bytes = 12 << 10;
    object_space space(world, how);
    using numbers = std::array<std::uint64_t, 64>;
    constexpr int objects = 12;
    std::array<ref<numbers>, objects> all;
    for (int k = 0; k < objects; ++k) {
      const std::string name = "object" + std::to_string(k);
      if (k % world.size() == world.rank()) {
        space.set_root(name, space.make<numbers>());
        (void)space.make_array<std::byte>(60000);  // the next one in another block
      }
      space.barrier();
      all[static_cast<std::size_t>(k)] = space.root<numbers>(name);
    }
    const std::uint64_t rounds = world.fabric().name() == "sim" ? 2 : 10;
    const auto own = static_cast<std::size_t>(world.rank());
    for (std::uint64_t round = 1; round <= rounds; ++round) {
      for (const auto at : all) {
        with_room(space, [&] { space.write(at)[own] += 1; });
        space.refresh();
      }
      space.barrier();
      for (const auto at : all) {
        with_room(space, [&] {
          for (int rank = 0; rank < world.size(); ++rank) {
            EXPECT_EQ(space.read(at)[static_cast<std::size_t>(rank)], round);
          }
        });
        space.refresh();
      }
      space.barrier();
    }
  });
}

/// After a collection smaller objects lie where larger ones had copies and twins. Their update
/// words are then bytes of old twins, which look like any state.
TEST_P(object_in_place_test, copies_lie_where_others_had_twins) {
  seeds = 3;
  run([](far::world& world) {
    if (world.size() < 2) return;
    using numbers = ref<std::uint64_t[]>;
    for (const bool chosen : {true, false}) {
      auto how = in_place();
      how.heap_bytes = 4 << 16;
      if (!chosen) {
        how.protocol = object_protocol::automatic;
        how.reachable_copies = true;
      }
      object_space space(world, how);
      constexpr std::uint64_t large = 4000;
      constexpr std::uint64_t small = 100;
      const auto make = [&](std::uint64_t arrays, std::uint64_t n) {
        if (world.rank() == 0) {
          const far::rooted<numbers[]> list(space, space.make_array<numbers>(arrays));
          for (std::uint64_t k = 0; k < arrays; ++k) {
            const numbers made = space.make_array<std::uint64_t>(n);
            space.write(list, k) = made;
          }
          space.set_root("list", list);
        }
        space.barrier();
        return space.root<numbers[]>("list");
      };
      auto list = make(6, large);
      if (world.rank() == world.size() - 1) {
        for (std::uint64_t k = 0; k < 6; ++k) {
          const numbers at = space.read(list, k);
          for (std::uint64_t& word : space.write_from(at, 0)) word = ~std::uint64_t{0};
        }
      }
      space.barrier();
      if (world.rank() == 0) space.set_root("list", ref<numbers[]>());
      space.barrier();
      space.collect();
      space.barrier();
      list = make(60, small);
      for (int turn = 0; turn < world.size(); ++turn) {
        for (std::uint64_t k = 0; k < 60; ++k) {
          const numbers at = space.read(list, k);
          EXPECT_EQ(space.read(at, small - 1), static_cast<std::uint64_t>(turn));
        }
        space.barrier();
        if (turn == world.rank()) {
          for (std::uint64_t k = 0; k < 60; ++k) {
            const numbers at = space.read(list, k);
            space.write(at, small - 1) += 1;
          }
        }
        space.barrier();
      }
    }
  });
}

TEST_P(object_in_place_test, objects_choose_at_run_time) {
  run([](far::world& world) {
    auto how = small_space;
    how.reachable_copies = true;
    object_space space(world, how);
    const auto shared = make_in_place<record>(space);
    constexpr std::array<object_protocol, 4> kinds{
        object_protocol::update_in_place, object_protocol::update, object_protocol::invalidate,
        object_protocol::automatic};
    for (std::uint64_t round = 1; round <= 12; ++round) {
      if (world.rank() == 0) space.set_protocol(shared, kinds[round / 2 % kinds.size()]);
      if (world.rank() == static_cast<int>(round) % world.size()) space.write(shared).a = round;
      space.barrier();
      EXPECT_EQ(space.read(shared).a, round);
      space.barrier();
    }
  });
}

TEST_P(object_in_place_test, says_what_it_does) {
  run([](far::world& world) {
    const auto told = [&](const far::object_space_options& how, const char* what) {
      object_space space(world, how);
      const auto shared = make_in_place<record>(space);
      space.set_protocol(shared, object_protocol::update_in_place);
      space.barrier();
      (void)space.read(shared);
      space.barrier();
      const std::string text = space.explain(shared);
      EXPECT_NE(text.find(what), std::string::npos) << text;
      space.barrier();
    };
    told(in_place(),
         "update in place, as chosen: so far 0 updates of copies in place, 0 by message");
    told(small_space, "object_space_options::reachable_copies");
  });
}

TEST_P(object_in_place_test, without_room_in_the_segment_by_messages) {
  options.local_bytes = std::uint64_t{1} << 20;
  run([](far::world& world) {
    object_space space(world, in_place());
    const auto shared = make_in_place<record>(space);
    for (std::uint64_t round = 1; round <= 6; ++round) {
      if (world.rank() == world.size() - 1) space.write(shared).a = round;
      space.barrier();
      EXPECT_EQ(space.read(shared).a, round);
      space.barrier();
    }
    if (world.rank() == 0) {
      EXPECT_EQ(account_of(space, shared).written, 0u);
    }
    space.barrier();
  });
}

INSTANTIATE_FAR_MODES_ON(object_in_place_test, 1, 2, 4);

}  // namespace
