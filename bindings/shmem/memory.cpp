// Symmetric allocation. All PEs make the same calls in the same order, so all find the same room,
// or none.

#include <map>

#include <far/base/error.hpp>
#include <far/memory/allocate.hpp>
#include <far/team/barrier.hpp>
#include <fmt/format.h>

#include "far_shmem/setup.h"
#include "shmem/blocks.hpp"
#include "shmem/collective.hpp"
#include "shmem/function.hpp"
#include "shmem/places.hpp"
#include "shmem/runtime.hpp"

namespace far::shmem {
namespace {

constexpr std::size_t least_alignment = 64;

/// Sizes that were asked for, by offset. Of one job: it goes with the rank's state.
struct block_map {
  explicit block_map(rank_state& /*state*/) {}
  std::mutex mutex;
  std::map<std::uint64_t, std::uint64_t> sizes;
};

block_map& blocks() { return runtime::get().world().state().get<block_map>(); }

memory::segment_heap& heap() {
  return runtime::get().world().state().get<memory::heaps>().symmetric(fabric::amo_domain::cpu);
}

/// Errors: bad_argument unless a live block begins there.
std::uint64_t size_of_block(const void* place) {
  const std::uint64_t offset = places.heap.offset_of(place);
  const std::scoped_lock lock(blocks().mutex);
  const auto found = blocks().sizes.find(offset);
  if (found == blocks().sizes.end()) {
    throw bad_argument(fmt::format(
        "no symmetric block begins at {}: pass what shmem_malloc or a function like it has "
        "returned, once",
        place));
  }
  return found->second;
}

void release(const void* place) {
  const std::uint64_t offset = places.heap.offset_of(place);
  {
    const std::scoped_lock lock(blocks().mutex);
    blocks().sizes.erase(offset);
  }
  heap().deallocate({runtime::get().pe(), fabric::symmetric_segment, offset});
  note_extent();
}

bool is_power_of_two(std::size_t number) { return number != 0 && (number & (number - 1)) == 0; }

/// Null: there is no room, and the block is as it was.
void* resize(void* block, std::size_t bytes) {
  if (bytes > symmetric_capacity()) return nullptr;
  const std::uint64_t offset = places.heap.offset_of(block);
  try {
    const fabric::address before(runtime::get().pe(), fabric::symmetric_segment, offset);
    const fabric::address after = heap().reallocate(before, bytes, 1, least_alignment);
    {
      const std::scoped_lock lock(blocks().mutex);
      blocks().sizes.erase(offset);
      blocks().sizes[after.offset()] = bytes;
    }
    note_extent();
    return runtime::get().world().fabric().local(after);
  } catch (const out_of_memory&) {
    return nullptr;
  }
}

/// The body of the functions that allocate.
void* allocate(std::size_t alignment, std::size_t bytes) {
  if (bytes == 0) return nullptr;
  void* const place = allocate_symmetric(alignment, bytes);
  barrier_all();  // before others access it
  return place;
}

}  // namespace

std::uint64_t symmetric_capacity() {
  return runtime::get().world().fabric().layout().bytes[fabric::symmetric_segment];
}

void check_block(const void* place, std::uint64_t offset, std::uint64_t bytes) {
  const std::scoped_lock lock(blocks().mutex);
  const auto after = blocks().sizes.upper_bound(offset);
  if (after == blocks().sizes.begin()) {
    throw out_of_bounds(
        fmt::format("the symmetric memory at {} is not allocated, or was freed", place));
  }
  const auto [begin, size] = *std::prev(after);
  if (offset - begin < size && bytes <= size - (offset - begin)) return;
  const std::uint64_t room = (size + least_alignment - 1) / least_alignment * least_alignment;
  if (offset - begin >= room) {
    throw out_of_bounds(
        fmt::format("the symmetric memory at {} is not allocated, or was freed", place));
  }
  throw out_of_bounds(
      fmt::format("{} bytes at {} end {} bytes beyond their block, which has {} bytes", bytes,
                  place, offset - begin + bytes - size, size));
}

void* allocate_symmetric(std::size_t alignment, std::size_t bytes) {
  runtime& self = runtime::get();
  if (bytes > symmetric_capacity()) return nullptr;
  try {
    const fabric::address made = heap().allocate(bytes, 1, std::max(alignment, least_alignment));
    {
      const std::scoped_lock lock(blocks().mutex);
      blocks().sizes[made.offset()] = bytes;
    }
    note_extent();
    return self.world().fabric().local(made);
  } catch (const out_of_memory&) {
    return nullptr;
  }
}

}  // namespace far::shmem

using namespace far::shmem;

FAR_SHMEM_FUNCTION(void*, malloc, (size_t size)) {
  return guarded("shmem_malloc", [&] {
    (void)runtime::get();
    return allocate(least_alignment, size);
  });
}

FAR_SHMEM_FUNCTION(void*, malloc_with_hints, (size_t size, long /*hints*/)) {
  return guarded("shmem_malloc_with_hints", [&] {
    (void)runtime::get();
    return allocate(least_alignment, size);
  });
}

FAR_SHMEM_FUNCTION(void*, calloc, (size_t count, size_t size)) {
  return guarded("shmem_calloc", [&] {
    (void)runtime::get();
    std::size_t bytes = 0;
    if (__builtin_mul_overflow(count, size, &bytes)) bytes = SIZE_MAX;
    return allocate(least_alignment, bytes);  // which is zero
  });
}

FAR_SHMEM_FUNCTION(void*, align, (size_t alignment, size_t size)) {
  return guarded("shmem_align", [&]() -> void* {
    const auto& layout = runtime::get().world().fabric().layout();
    if (!is_power_of_two(alignment) || alignment > layout.alignment) return nullptr;
    return allocate(alignment, size);
  });
}

FAR_SHMEM_FUNCTION(void*, realloc, (void* ptr, size_t size)) {
  return guarded("shmem_realloc", [&]() -> void* {
    (void)runtime::get();
    if (ptr == nullptr) return allocate(least_alignment, size);
    (void)size_of_block(ptr);
    barrier_all();  // nobody accesses the block any more
    if (size == 0) {
      release(ptr);
      return nullptr;
    }
    void* const place = resize(ptr, size);
    barrier_all();
    return place;
  });
}

FAR_SHMEM_FUNCTION(void, free, (void* ptr)) {
  guarded("shmem_free", [&] {
    (void)runtime::get();
    if (ptr == nullptr) return;
    (void)size_of_block(ptr);
    barrier_all();
    release(ptr);
  });
}
