#pragma once

#include <cstddef>
#include <memory>

#include "far/base/language.hpp"

namespace far::containers {

/// Returns what allocate_table gave.
struct table_memory_deleter {
  std::size_t bytes = 0;
  void operator()(std::byte* memory) const noexcept;
};
using table_memory = std::unique_ptr<std::byte[], table_memory_deleter>;

/// Zeroed memory, aligned to 64 bytes. Large blocks come straight from the kernel and ask for huge
/// pages: a big hash table misses the TLB at each access otherwise.
/// Errors: out_of_memory.
[[nodiscard]] table_memory allocate_table(std::size_t bytes);

}  // namespace far::containers
