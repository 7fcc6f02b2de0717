#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "far/base/language.hpp"

namespace far::base {

/// Frees memory of allocate_large.
struct large_memory_deleter {
  std::size_t bytes = 0;
  void operator()(std::byte* memory) const noexcept;
};
using large_memory = std::unique_ptr<std::byte[], large_memory_deleter>;

/// Returns zeroed memory, aligned to 64 bytes. Large blocks come directly from the kernel, with a
/// request for huge pages: otherwise accesses at random to what is large miss the TLB each time.
/// `user` begins the message of an error: "a hash table". Errors: out_of_memory.
[[nodiscard]] large_memory allocate_large(std::size_t bytes, std::string_view user);

}  // namespace far::base
