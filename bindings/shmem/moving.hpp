#pragma once
// Collectives that move data, for teams and for active sets. `bytes`: of one member's piece;
// `each`: of an element. Errors: out_of_bounds if `dest` is not symmetric; bad_argument;
// rank_failed.

#include <cstddef>
#include <cstdint>

#include "shmem/team.hpp"

namespace far::shmem {

void broadcast(far_shmem_team& team, void* dest, const void* source, std::uint64_t bytes,
               std::size_t each, int root);
void collect(far_shmem_team& team, void* dest, const void* source, std::uint64_t bytes,
             std::size_t each);
void fcollect(far_shmem_team& team, void* dest, const void* source, std::uint64_t bytes,
              std::size_t each);
void alltoall(far_shmem_team& team, void* dest, const void* source, std::uint64_t bytes,
              std::size_t each);
/// Strides in elements.
void alltoalls(far_shmem_team& team, void* dest, const void* source, std::ptrdiff_t dst,
               std::ptrdiff_t sst, std::size_t nelems, std::size_t each);

}  // namespace far::shmem
