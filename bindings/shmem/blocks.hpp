#pragma once
// The blocks of the symmetric heap that the program has allocated: the same on all PEs.

#include <cstddef>
#include <cstdint>

namespace far::shmem {

/// Bytes of the symmetric segment.
[[nodiscard]] std::uint64_t symmetric_capacity();

/// Errors: out_of_bounds unless [offset, offset + bytes) lies in one block. `place`: as the program
/// calls it.
void check_block(const void* place, std::uint64_t offset, std::uint64_t bytes);

/// Collective, for the library's own use, as shmem_align without a barrier. Null: there is no room.
[[nodiscard]] void* allocate_symmetric(std::size_t alignment, std::size_t bytes);

}  // namespace far::shmem
