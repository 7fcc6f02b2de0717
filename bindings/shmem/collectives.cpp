// Barriers, and collectives that move data.

#include "far_shmem/collectives.h"

#include <cstring>
#include <vector>

#include <far/team/alltoall.hpp>
#include <far/team/barrier.hpp>
#include <far/team/broadcast.hpp>
#include <far/team/gather.hpp>

#include "far_shmem/deprecated.h"
#include "shmem/collective.hpp"
#include "shmem/function.hpp"
#include "shmem/moving.hpp"
#include "shmem/places.hpp"

namespace far::shmem {

void barrier_all() {
  runtime& self = runtime::get();
  if (self.is_threaded() && !places.is_coherent) complete(SHMEM_CTX_DEFAULT);
  sync(self.team_world);
}

void sync(far_shmem_team& team) {
  collectively(team, [](const world& world, const far::team& of) { far::barrier(world, of); });
}

namespace {

std::span<std::byte> bytes_at(void* place, std::uint64_t bytes) {
  return {static_cast<std::byte*>(place), bytes};
}
std::span<const std::byte> bytes_at(const void* place, std::uint64_t bytes) {
  return {static_cast<const std::byte*>(place), bytes};
}

}  // namespace

void broadcast(far_shmem_team& team, void* dest, const void* source, std::uint64_t bytes,
               std::size_t each, int root) {
  (void)checked_world_pe(team, root);
  check_symmetric(dest, bytes);
  if (team.rank == root && dest != source && bytes > 0) std::memmove(dest, source, bytes);
  collectively(team, [&](const world& world, const far::team& of) {
    detail::broadcast_bytes(world, of.state(), bytes_at(dest, bytes), each, root);
  });
}

void collect(far_shmem_team& team, void* dest, const void* source, std::uint64_t bytes,
             std::size_t each) {
  collectively(team, [&](const world& world, const far::team& of) {
    detail::varying_allgather gather(world, of.state(), bytes, each);
    check_symmetric(dest, gather.total());
    gather.run(bytes_at(source, bytes), bytes_at(dest, gather.total()));
  });
}

void fcollect(far_shmem_team& team, void* dest, const void* source, std::uint64_t bytes,
              std::size_t each) {
  const std::uint64_t total = bytes * static_cast<std::uint64_t>(team.size);
  check_symmetric(dest, total);
  collectively(team, [&](const world& world, const far::team& of) {
    detail::allgather_bytes(world, of.state(), bytes_at(source, bytes), bytes_at(dest, total),
                            each);
  });
}

namespace {

/// From and to any memory.
void alltoall_any(far_shmem_team& team, void* dest, const void* source, std::uint64_t bytes,
                  std::size_t each) {
  const std::uint64_t total = bytes * static_cast<std::uint64_t>(team.size);
  collectively(team, [&](const world& world, const far::team& of) {
    detail::alltoall_bytes(world, of.state(), bytes_at(source, total), bytes_at(dest, total), each);
  });
}

}  // namespace

void alltoall(far_shmem_team& team, void* dest, const void* source, std::uint64_t bytes,
              std::size_t each) {
  check_symmetric(dest, bytes * static_cast<std::uint64_t>(team.size));
  alltoall_any(team, dest, source, bytes, each);
}

void alltoalls(far_shmem_team& team, void* dest, const void* source, std::ptrdiff_t dst,
               std::ptrdiff_t sst, std::size_t nelems, std::size_t each) {
  const std::size_t n = nelems * static_cast<std::size_t>(team.size);
  std::vector<std::byte> from(n * each);
  std::vector<std::byte> to(n * each);
  const auto stride = [each](std::ptrdiff_t elements) {
    return elements * static_cast<std::ptrdiff_t>(each);
  };
  const auto* next = static_cast<const std::byte*>(source);
  for (std::size_t i = 0; i < n; ++i, next += stride(sst)) {
    std::memcpy(from.data() + i * each, next, each);
  }
  alltoall_any(team, to.data(), from.data(), nelems * each, each);
  auto* into = static_cast<std::byte*>(dest);
  for (std::size_t i = 0; i < n; ++i, into += stride(dst)) {
    std::memcpy(into, to.data() + i * each, each);
  }
}

}  // namespace far::shmem

using namespace far::shmem;

FAR_SHMEM_FUNCTION(void, barrier_all, (void)) {
  guarded("shmem_barrier_all", [] { far::shmem::barrier_all(); });
}
FAR_SHMEM_FUNCTION(void, sync_all, (void)) {
  guarded("shmem_sync_all", [] { far::shmem::sync(runtime::get().team_world); });
}
FAR_SHMEM_FUNCTION(int, team_sync, (shmem_team_t team)) {
  return guarded("shmem_team_sync", [&] {
    if (team == SHMEM_TEAM_INVALID) return -1;
    far::shmem::sync(team_of(team));
    return 0;
  });
}

#define FAR_SHMEM_MOVING_BODIES(T, BYTES, BEFORE, AFTER)                                           \
  FAR_SHMEM_FUNCTION(int, BEFORE##broadcast##AFTER,                                                \
                     (shmem_team_t team, T * dest, const T* source, size_t nelems, int PE_root)) { \
    return guarded("shmem_" #BEFORE "broadcast" #AFTER, [&] {                                      \
      broadcast(team_of(team), dest, source, nelems*(BYTES), BYTES, PE_root);                      \
      return 0;                                                                                    \
    });                                                                                            \
  }                                                                                                \
  FAR_SHMEM_FUNCTION(int, BEFORE##collect##AFTER,                                                  \
                     (shmem_team_t team, T * dest, const T* source, size_t nelems)) {              \
    return guarded("shmem_" #BEFORE "collect" #AFTER, [&] {                                        \
      collect(team_of(team), dest, source, nelems*(BYTES), BYTES);                                 \
      return 0;                                                                                    \
    });                                                                                            \
  }                                                                                                \
  FAR_SHMEM_FUNCTION(int, BEFORE##fcollect##AFTER,                                                 \
                     (shmem_team_t team, T * dest, const T* source, size_t nelems)) {              \
    return guarded("shmem_" #BEFORE "fcollect" #AFTER, [&] {                                       \
      fcollect(team_of(team), dest, source, nelems*(BYTES), BYTES);                                \
      return 0;                                                                                    \
    });                                                                                            \
  }                                                                                                \
  FAR_SHMEM_FUNCTION(int, BEFORE##alltoall##AFTER,                                                 \
                     (shmem_team_t team, T * dest, const T* source, size_t nelems)) {              \
    return guarded("shmem_" #BEFORE "alltoall" #AFTER, [&] {                                       \
      alltoall(team_of(team), dest, source, nelems*(BYTES), BYTES);                                \
      return 0;                                                                                    \
    });                                                                                            \
  }                                                                                                \
  FAR_SHMEM_FUNCTION(int, BEFORE##alltoalls##AFTER,                                                \
                     (shmem_team_t team, T * dest, const T* source, ptrdiff_t dst, ptrdiff_t sst,  \
                      size_t nelems)) {                                                            \
    return guarded("shmem_" #BEFORE "alltoalls" #AFTER, [&] {                                      \
      alltoalls(team_of(team), dest, source, dst, sst, nelems, BYTES);                             \
      return 0;                                                                                    \
    });                                                                                            \
  }
#define FAR_SHMEM_TYPED_MOVING(A, T, N) FAR_SHMEM_MOVING_BODIES(T, sizeof(T), N##_, )

FAR_SHMEM_RMA(FAR_SHMEM_TYPED_MOVING, )
FAR_SHMEM_MOVING_BODIES(void, 1, , mem)
