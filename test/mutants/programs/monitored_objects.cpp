// Shared objects that threads use inside monitors, mostly: their own, and those of others.

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "far/base/random.hpp"
#include "far/object/object_space.hpp"
#include "test/mutants/explore.hpp"

namespace far::mutants {
namespace {

constexpr std::size_t objects = 2;
constexpr std::size_t max_threads = 6;
using numbers = std::array<std::uint64_t, objects + max_threads>;

/// Number m of each object is guarded by object m's monitor; the others belong to one thread each.
/// `lone`: the one rank that changes its own numbers without a monitor, many times; -1: all do.
void run_monitors(world& w, const object_space_options& how, int lone) {
  static std::array<numbers, objects> ghosts;
  static base::random choices(0);
  object_space space(w, how);
  if (w.rank() == 0) {
    ghosts = {};
    choices = base::random(0);
  }
  space.barrier();
  std::array<ref<numbers>, objects> at;
  for (std::size_t k = 0; k < objects; ++k) {
    const std::string name = "numbers" + std::to_string(k);
    if (static_cast<std::size_t>(w.rank()) == k % static_cast<std::size_t>(w.size())) {
      auto maker = space.on(w);  // its threads keep no rights
      maker.set_root(name, maker.make<numbers>());
    }
    space.barrier();
    at[k] = space.root<numbers>(name);
  }
  w.threads(2, [&](world& own) {
    auto view = space.on(own);
    const auto me =
        objects + static_cast<std::size_t>(own.rank()) * 2 + static_cast<std::size_t>(own.thread());
    const auto access_to = [&](std::size_t k, std::size_t number) {
      check(view.read(at[k])[number] == ghosts[k][number], "a guarded number is stale");
      if (choices.below(3) == 0) return;
      ++ghosts[k][number];
      ++view.write(at[k])[number];
    };
    const auto access = [&](std::size_t number) { access_to(choices.below(objects), number); };
    for (int i = 0; i < 30; ++i) {
      const std::size_t m = choices.below(objects);
      switch (choices.below(8)) {
        case 0:
          view.refresh();
          break;
        case 1:
          if (lone >= 0 && own.rank() != lone) break;
          for (std::uint64_t n = 1 + choices.below(lone < 0 ? 2 : 8); n > 0; --n) {
            access_to(m, me);
            if (lone >= 0 || choices.below(2) == 0) view.publish();
          }
          break;
        default: {
          auto lock = view.lock(at[m]);
          for (std::uint64_t n = choices.below(3); n > 0; --n) access(m);
          if (choices.below(4) == 0) (void)lock.monitor().wait_for(std::chrono::nanoseconds(1));
          for (std::uint64_t n = choices.below(3); n > 0; --n) access(m);
          if (m == 0 && choices.below(3) == 0) {
            const auto another = view.lock(at[1]);
            access(1);
          }
          if (choices.below(4) == 0) access_to(m, me);
        }
          for (std::uint64_t n = choices.below(12); n > 0; --n) own.progress();
          if (choices.below(4) == 0) access_to(m, me);
      }
    }
  });
  space.barrier();
  for (std::size_t k = 0; k < objects; ++k) {
    check(space.read(at[k]) == ghosts[k], "a change is lost at the end");
  }
  space.barrier();
}

const program monitors("object_monitors", {.ranks = 3}, [](world& w) {
  run_monitors(w,
               {.heap_bytes = 1 << 20,
                .cache_bytes = 1 << 20,
                .protocol = object_protocol::invalidate,
                .migrate_after = 0},
               -1);
});

const program moved("moved_monitors", {.ranks = 3}, [](world& w) {
  run_monitors(w,
               {.heap_bytes = 1 << 20,
                .cache_bytes = 1 << 20,
                .protocol = object_protocol::invalidate,
                .migrate_after = 1},
               2);
});

}  // namespace
}  // namespace far::mutants
