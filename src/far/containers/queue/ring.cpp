#include "far/containers/queue/ring.hpp"

#include <exception>
#include <string_view>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/base/hash.hpp"
#include "far/containers/queue/transferred_claims.hpp"
#include "far/memory/allocate.hpp"
#include "far/memory/segment_heap.hpp"
#include "far/team/agreement.hpp"
#include "far/team/team.hpp"

namespace far::containers {
namespace {

void check_request(const world& world, int host, std::uint64_t capacity, std::uint64_t slot_bytes) {
  if (host < 0 || host >= world.size()) {
    throw bad_argument(
        fmt::format("queue: rank {} cannot be the host: the job has {} ranks", host, world.size()));
  }
  if (capacity == 0 || capacity > fabric::address::max_offset / slot_bytes) {
    throw bad_argument(
        fmt::format("queue: capacity of {} values of {} bytes: must be 1 to {} values", capacity,
                    slot_bytes, fabric::address::max_offset / slot_bytes));
  }
}

/// At the host: allocates the slots. Returns null if they do not fit in the heap.
fabric::address allocate_slots(const world& world, std::uint64_t capacity, std::uint64_t slot_bytes,
                               std::uint64_t alignment) {
  try {
    return world.state().get<memory::heaps>().local().allocate(capacity, slot_bytes, alignment);
  } catch (const out_of_memory&) {
    return {};  // broadcast to all ranks, which throw
  }
}

std::uint64_t fingerprint(const ring& wanted, std::string_view type) {
  return base::hash_combine(
      base::hash_combine(base::hash_bytes(type.data(), type.size()), wanted.capacity),
      wanted.cursors.bits());
}

void return_memory(const world& world, const ring& where) {
  if (world.rank() == where.host()) {
    forget_claims(world, where);
    world.state().get<memory::heaps>().local().deallocate(where.slots);
  }
  deallocate(world, where.cursors.on(world.rank()));
}

}  // namespace

void check_fits(const ring& where, std::uint64_t n) {
  if (n > where.capacity) {
    throw bad_argument(
        fmt::format("queue: {} values at once never fit in a queue of {}: push fewer at a time", n,
                    where.capacity));
  }
}

owned_ring::owned_ring(const far::world& world, int host, std::uint64_t capacity,
                       std::uint64_t slot_bytes, std::uint64_t slot_alignment, amo_domain domain,
                       const char* type)
    : world_(world) {
  check_request(world, host, capacity, slot_bytes);
  ring_.cursors = allocate<ring_cursors>(world, 1, domain).on(host);
  ring_.capacity = capacity;
  ring_.slot_bytes = slot_bytes;
  if (world.rank() == host) {
    ring_.slots = allocate_slots(world, capacity, slot_bytes, slot_alignment);
  }
  if (!detail::all_agree(world, fingerprint(ring_, type))) {
    return_memory(world, ring_);
    throw bad_argument(
        fmt::format("rank {} makes a queue of {} values at rank {}, but other ranks make another "
                    "object: all ranks must make distributed objects in the same order",
                    world.rank(), capacity, host));
  }
  ring_.slots = broadcast(world, ring_.slots, host);
  if (!ring_.slots) {
    return_memory(world, ring_);
    throw out_of_memory(
        fmt::format("queue: {} values of {} bytes do not fit in the local heap of rank {}: raise "
                    "local_bytes (FAR_LOCAL_HEAP), or host it elsewhere",
                    capacity, slot_bytes, host));
  }
}

owned_ring::~owned_ring() {
  scope_.leave(world_);
  try {
    return_memory(world_, ring_);
  } catch (const std::exception&) {
    // The job has failed: its memory disappears with it.
  }
}

}  // namespace far::containers
