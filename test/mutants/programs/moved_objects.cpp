// Shared objects that migrate to the rank that alone uses them, and come back.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "far/base/random.hpp"
#include "far/object/object_space.hpp"
#include "test/mutants/explore.hpp"
#include "test/support/object_counters.hpp"

namespace far::mutants {
namespace {

struct item {
  std::uint64_t number = 0;
  ref<item> next;
};

}  // namespace
}  // namespace far::mutants

template <>
struct far::object_type<far::mutants::item>
    : far::object_fields<far::mutants::item, &far::mutants::item::number,
                         &far::mutants::item::next> {};

namespace far::mutants {
namespace {

const object_space_options moving{.heap_bytes = 1 << 20,
                                  .cache_bytes = 1 << 20,
                                  .protocol = object_protocol::invalidate,
                                  .migrate_after = 1};

const program counters("moved_counters", {.ranks = 3}, [](world& w) {
  static test::object_counters::ghosts shared;
  object_space space(w, moving);
  const test::object_counters program(space, shared, {.writes = 6, .favours = true});
  w.threads(2, [&](world& own) {
    auto view = space.on(own);
    program.run(view, 120);
  });
  program.check_all();
});

/// Makes an object for each rank, at the next one, whose threads keep no rights to it.
template <class T>
ref<T> make_for_another(object_space& space) {
  const int size = space.world().size();
  const int rank = space.world().rank();
  {
    auto maker = space.on(space.world());
    maker.set_root("of " + std::to_string((rank + 1) % size), maker.make<T>());
  }
  space.barrier();
  return space.root<T>("of " + std::to_string(rank));
}

/// Lists whose heads have migrated, while collections take place.
const program lists("moved_lists", {.ranks = 3}, [](world& w) {
  object_space space(w, moving);
  const ref<item> head = make_for_another<item>(space);
  std::vector<std::uint64_t> expected;
  for (std::uint64_t i = 0; i < 30; ++i) {
    if (i % 3 != 2) {
      const ref<item> made = space.make<item>(i, space.read(head).next);
      space.write(head).next = made;
      expected.push_back(i);
    } else {
      space.write(head).next = space.read(space.read(head).next).next;
      expected.pop_back();
    }
    space.publish();
    if (i % 10 == 9) space.collect();
    auto number = expected.rbegin();
    for (ref<item> at = space.read(head).next; at; at = space.read(at).next) {
      check(number != expected.rend() && space.read(at).number == *number++, "a list has changed");
    }
    check(number == expected.rend(), "a list is shorter");
  }
  space.barrier();
  // All lists are alike. This one's head is here.
  const auto own = space.root<item>("of " + std::to_string((w.rank() + 1) % w.size()));
  auto number = expected.rbegin();
  for (ref<item> at = space.read(own).next; at; at = space.read(at).next) {
    check(number != expected.rend() && space.read(at).number == *number++, "a change is lost");
  }
  check(number == expected.rend(), "a change is lost");
  space.barrier();
  space.collect();
  space.barrier();
  check(space.collections().live_objects ==
            static_cast<std::uint64_t>(w.size()) * (1 + expected.size()),
        "a collection leaves objects that nobody reaches");
  space.barrier();
});

/// One rank changes words one after the other; another one looks at them meanwhile.
const program words("moved_words", {.ranks = 3}, [](world& w) {
  constexpr std::size_t count = 12;
  constexpr std::uint64_t changes = 10;
  static std::array<std::uint64_t, count> published;
  static base::random choices(0);
  object_space space(w, moving);
  if (w.rank() == 0) {
    published = {};
    choices = base::random(0);
    auto maker = space.on(w);
    for (std::size_t k = 0; k < count; ++k) {
      maker.set_root("word " + std::to_string(k), maker.make<std::uint64_t>());
    }
  }
  space.barrier();
  for (std::size_t k = 0; k < count; ++k) {
    const auto word = space.root<std::uint64_t>("word " + std::to_string(k));
    for (std::uint64_t i = 1; i <= changes && w.rank() == 1; ++i) {
      space.write(word) = i;
      space.publish();
      published[k] = i;
      for (std::uint64_t n = choices.below(6); n > 0; --n) w.progress();
    }
    if (w.rank() != 2) continue;
    while (published[k] < 1 + k % 3) w.compute(100);
    for (int looks = 0; looks < 4; ++looks) {
      const std::uint64_t least = published[k];
      space.refresh();
      check(space.read(word) >= least, "a published change is not seen");
    }
  }
  space.barrier();
  for (std::size_t k = 0; k < count; ++k) {
    check(space.read(space.root<std::uint64_t>("word " + std::to_string(k))) == changes,
          "a change is lost");
  }
  space.barrier();
});

/// More regions migrate than the cache holds.
const program arrays("moved_arrays", {.ranks = 2}, [](world& w) {
  constexpr std::uint64_t n = 6 * 8184;
  auto how = moving;
  how.cache_bytes = 3 << 16;
  object_space space(w, how);
  if (w.rank() == 0) {
    auto maker = space.on(w);
    maker.set_root("array", maker.make_array<std::uint64_t>(n));
  }
  space.barrier();
  const auto array = space.root<std::uint64_t[]>("array");
  if (w.rank() == 1) {
    for (std::uint64_t i = 0; i < n; i += 2000) {
      for (std::uint64_t round = 1; round <= 3; ++round) {
        space.write(array, i) = i + round;
        space.publish();
      }
      space.safe_point();
    }
  }
  space.barrier();
  if (w.rank() == 0) {
    for (std::uint64_t i = 0; i < n; i += 2000) {
      check(space.read(array, i) == i + 3, "a change is lost");
    }
  }
  space.barrier();
});

/// An object migrates once its monitor is free.
const program moves("moves", {.ranks = 3}, [](world& w) {
  object_space space(w, moving);
  const ref<item> own = make_for_another<item>(space);
  const auto has_moved = [&] {
    return space.explain(own).find("; migrated to") != std::string::npos;
  };
  const auto change = [&] {
    ++space.write(own).number;
    space.publish();
  };
  {
    const auto lock = space.lock(own);
    for (int i = 0; i < 5; ++i) change();
    check(!has_moved(), "a region has migrated whose monitor is locked");
  }
  while (!has_moved()) change();
  check(space.read(own).number >= 6, "a change is lost");
  space.barrier();
});

}  // namespace
}  // namespace far::mutants
