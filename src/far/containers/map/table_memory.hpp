#pragma once

#include <cstddef>
#include <memory>

#include "far/base/language.hpp"

namespace far::containers {

/// Frees memory of allocate_table.
struct table_memory_deleter {
  std::size_t bytes = 0;
  void operator()(std::byte* memory) const noexcept;
};
using table_memory = std::unique_ptr<std::byte[], table_memory_deleter>;

/// Returns zeroed memory, aligned to 64 bytes. Large blocks come directly from the kernel, with a
/// request for huge pages: otherwise a large hash table misses the TLB at each access.
/// Errors: out_of_memory.
[[nodiscard]] table_memory allocate_table(std::size_t bytes);

}  // namespace far::containers
