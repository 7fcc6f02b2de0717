#include <unistd.h>

#include <algorithm>
#include <exception>
#include <optional>

#include "apps/kv/event_worker.hpp"
#include "apps/kv/item_size.hpp"
#include "apps/kv/serve.hpp"
#include "far/team/team.hpp"

namespace far::apps::kv {
namespace {

void work(server& here, const world& world) {
  std::optional<worker> mine;
  std::exception_ptr failure;
  try {
    mine.emplace(here, world);
    mine->run();
  } catch (...) {
    failure = std::current_exception();
    here.fail();
  }
  here.leave();  // until then others may post to it
  if (failure) std::rethrow_exception(failure);
}

void ask_others(server& here, const world& world) {
  try {
    here.remote().run(world, here.items().on(world));
  } catch (...) {
    here.fail();
    throw;
  }
}

}  // namespace

void serve(const world& world, const command& asked) {
  // Each rank's part must hold a few of the largest items, however little memory is asked for.
  constexpr std::uint64_t min_items = 3;
  const std::uint64_t min_bytes =
      min_items * asked.max_item_bytes * static_cast<std::uint64_t>(world.size());
  store items(world,
              {.memory_bytes = std::max(asked.memory_bytes, min_bytes),
               .max_item_bytes = static_cast<std::uint32_t>(store_item_bytes(asked.max_item_bytes)),
               .evicts = asked.evicts});
  server here(world, asked, items);
  here.listeners = share_listeners(world, asked);
  const int workers = here.threads();
  const bool has_others = world.size() > 1;
  world.threads(workers + (has_others ? 1 : 0), [&](far::world& mine) {
    if (mine.thread() < workers) {
      work(here, mine);
    } else {
      ask_others(here, mine);
    }
  });
  here.listeners.clear();
  // Before the job ends, so that it is never the next server's.
  if (!asked.socket_path.empty()) unlink(asked.socket_path.c_str());
  barrier(world);  // no rank calls this one's server any more
}

}  // namespace far::apps::kv
