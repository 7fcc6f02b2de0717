#include "far/containers/queue/ring_set.hpp"

#include <string_view>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/base/hash.hpp"
#include "far/containers/queue/transferred_claims.hpp"
#include "far/team/agreement.hpp"

namespace far::containers {

ring_set::ring_set(const far::world& world, ptr<std::byte> slots, std::uint64_t capacity,
                   std::uint64_t slot_bytes, amo_domain domain, const char* type)
    : world_(world), slots_(slots), capacity_(capacity), slot_bytes_(slot_bytes) {
  try {
    cursors_ = allocate<ring_cursors>(world, 1, domain);
  } catch (const out_of_memory&) {
    deallocate(world, slots_.on(world.rank()));
    throw;
  }
  const std::string_view name(type);
  const std::uint64_t mine =
      base::hash_combine(base::hash_combine(base::hash_bytes(name.data(), name.size()), capacity),
                         cursors_.on(0).bits());
  if (detail::all_agree(world, mine)) return;
  deallocate(world, cursors_.on(world.rank()));
  deallocate(world, slots_.on(world.rank()));
  throw bad_argument(
      fmt::format("rank {} makes queues of {} values, but other ranks make another object: all "
                  "ranks must make distributed objects in the same order",
                  world.rank(), capacity));
}

ring_set::~ring_set() {
  scope_.leave(world_);
  try {
    forget_claims(world_, at(world_.rank()));
    deallocate(world_, cursors_.on(world_.rank()));
    deallocate(world_, slots_.on(world_.rank()));
  } catch (const std::exception&) {
    // The job has failed: its memory disappears with it.
  }
}

}  // namespace far::containers
