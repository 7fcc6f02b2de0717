// Locks, monitors and collectives of all ranks.

#include <functional>
#include <memory>
#include <span>

#include "bench/scaling/load.hpp"

namespace far::bench::scaling {
namespace {

using word = std::uint64_t;

constexpr std::size_t piece_words = 1024;  // 8 KB

object_space_options small_space() { return {.heap_bytes = 1 << 20, .cache_bytes = 1 << 20}; }

struct monitor_bed {
  explicit monitor_bed(const world& world) : space(world, small_space()), own(space) {
    if (world.rank() == 0) space.set_root("shared", space.make<word>());
    own = space.make<word>();
    space.barrier();
    shared = space.root<word>("shared");
  }

  object_space space;
  rooted<word> own;
  ref<word> shared;
};

}  // namespace

std::vector<load> lock_loads(world& world) {
  struct locks {
    explicit locks(const far::world& on) : queue(on), levels(on), readers(on) {}
    mcs_lock queue;
    topology_lock levels;
    rw_lock readers;
  };
  const auto all = std::make_shared<locks>(world);
  return owning(all, {holds("mcs_lock", all->queue), holds("topology_lock", all->levels),
                      holds("rw_lock, writers", all->readers)});
}

std::vector<load> rw_lock_loads(world& world) {
  const auto lock = std::make_shared<rw_lock>(world);
  std::vector<load> loads;
  add_shares(loads, world, "rw_lock", *lock);
  return owning(lock, std::move(loads));
}

std::vector<load> object_loads(world& world) {
  const auto bed = std::make_shared<monitor_bed>(world);
  const auto enters = [bed](ref<word> object) {
    return [bed, object](std::int64_t) {
      const auto lock = bed->space.lock(object);
      ++bed->space.write(object);
    };
  };
  return {load_of("monitor of all", enters(bed->shared)),
          load_of("monitor of one's own", enters(bed->own))};
}

std::vector<load> collective_loads(world& world) {
  struct pieces {
    explicit pieces(int ranks) : from(piece_words * static_cast<std::size_t>(ranks)), to(from) {}
    std::vector<word> from;
    std::vector<word> to;
  };
  const auto both = std::make_shared<pieces>(world.size());
  return {
      collective_load_of("barrier", [&world](std::int64_t) { barrier(world); }),
      collective_load_of("allreduce", [&world](std::int64_t) { keep(allreduce(world, word{1})); }),
      // Another root each time, so that none runs ahead.
      collective_load_of("broadcast",
                         [&world](std::int64_t i) {
                           const auto root = static_cast<int>(i % world.size());
                           keep(broadcast(world, static_cast<word>(i), root));
                         }),
      collective_load_of("alltoall, 8 KB",
                         [&world, both](std::int64_t) { alltoall(world, both->from, both->to); })};
}

std::vector<load> object_barrier_loads(world& world) {
  const auto space = std::make_shared<object_space>(world, small_space());
  return {collective_load_of("object_space::barrier", [space](std::int64_t) { space->barrier(); })};
}

}  // namespace far::bench::scaling
