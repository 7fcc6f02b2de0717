#include "far/containers/map/table_memory.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "far/base/error.hpp"

namespace far::containers {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t cache_line = 64;

constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) noexcept {
  return (bytes + unit - 1) / unit * unit;
}

[[noreturn]] void throw_no_memory(std::size_t bytes) {
  throw out_of_memory(fmt::format(
      "a hash table needs {} bytes more of this process's memory, which the system does not have: "
      "use more ranks on more machines, or fewer or smaller keys and values",
      bytes));
}

}  // namespace

table_memory allocate_table(std::size_t bytes) {
  if (bytes < 2 * huge_page) {
    const std::size_t size = round_up(bytes, cache_line);
    auto* memory = static_cast<std::byte*>(std::aligned_alloc(cache_line, size));
    if (memory == nullptr) throw_no_memory(bytes);
    std::memset(memory, 0, size);
    return {memory, {bytes}};
  }
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw_no_memory(bytes);
  madvise(memory, bytes, MADV_HUGEPAGE);  // a hint: kernels without huge pages refuse it
  return {static_cast<std::byte*>(memory), {bytes}};
}

void table_memory_deleter::operator()(std::byte* memory) const noexcept {
  if (bytes < 2 * huge_page) {
    std::free(memory);
  } else {
    munmap(memory, bytes);
  }
}

}  // namespace far::containers
