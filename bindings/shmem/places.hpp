#pragma once
// Where a symmetric address of this PE lies on another PE: the check and the look-up that every
// transfer begins with. For the heap inline, because on one machine little else is left of a put;
// what is elsewhere is looked up by a call at the end of a function, so that the quick way saves no
// registers.

#include <atomic>
#include <cstddef>
#include <cstdint>

#include <far/fabric/address.hpp>
#include <far/fabric/plain_wake.hpp>
#include <far/world/world.hpp>

namespace far::shmem {

/// Symmetric memory of this process, and where plain instructions reach it on the other PEs.
struct area {
  std::uintptr_t base = 0;               ///< in this process
  std::atomic<std::uint64_t> bytes = 0;  ///< that are allocated; 0: none
  std::byte* const* words = nullptr;     ///< [pe]; entries are null where instructions do not reach
  std::byte* const* atomics = nullptr;   ///< the same for read-modify-writes
  fabric::address first;                 ///< of this PE

  [[nodiscard]] std::uint64_t offset_of(const void* place) const noexcept {
    return reinterpret_cast<std::uintptr_t>(place) - base;
  }
  [[nodiscard]] bool holds(std::uint64_t offset, std::uint64_t size) const noexcept {
    const std::uint64_t all = bytes.load(std::memory_order_relaxed);
    return offset < all && size <= all - offset;
  }
};

/// Bytes of the heap that are there from the start.
inline constexpr std::uint64_t least_heap = 64;

/// The symmetric heap and the static data of the executable. All zero outside of a job, and under
/// SHMEM_DEBUG: then every access takes the slow path, which says what is wrong.
struct place_table {
  area heap;
  area statics;
  unsigned pes = 0;
  bool is_coherent = false;  ///< in a job where plain instructions do everything
  /// To be told of what instructions change, in case that somebody sleeps until it changes.
  fabric::plain_waker waker;
};
[[gnu::visibility("hidden")]] extern constinit place_table places;

enum class access : bool { word, atomic };

/// Where `bytes` bytes at the address `place` of the symmetric heap are on `pe`, if instructions
/// reach them; else null, also for what is not in the heap or no PE.
template <access How = access::word>
[[nodiscard, gnu::always_inline]] inline std::byte* reached_in_heap(const void* place,
                                                                    std::uint64_t bytes,
                                                                    int pe) noexcept {
  if (static_cast<unsigned>(pe) >= places.pes) [[unlikely]]
    return nullptr;
  const area& heap = places.heap;
  const std::uint64_t offset = heap.offset_of(place);
  if (!heap.holds(offset, bytes)) [[unlikely]]
    return nullptr;
  std::byte* const there =
      (How == access::atomic ? heap.atomics : heap.words)[static_cast<unsigned>(pe)];
  return there == nullptr ? nullptr : there + offset;
}

/// The same for an object of `Bytes` bytes, with one comparison.
template <std::uint64_t Bytes, access How = access::word>
[[nodiscard, gnu::always_inline]] inline std::byte* reached_in_heap(const void* place,
                                                                    int pe) noexcept {
  static_assert(Bytes <= least_heap);
  if (static_cast<unsigned>(pe) >= places.pes) [[unlikely]]
    return nullptr;
  const area& heap = places.heap;
  const std::uint64_t offset = heap.offset_of(place);
  if (offset > heap.bytes.load(std::memory_order_relaxed) - Bytes) [[unlikely]]
    return nullptr;
  std::byte* const there =
      (How == access::atomic ? heap.atomics : heap.words)[static_cast<unsigned>(pe)];
  return there == nullptr ? nullptr : there + offset;
}

/// The same for the static data of the executable.
[[nodiscard, gnu::noinline]] std::byte* reached_in_statics(const void* place, std::uint64_t bytes,
                                                           int pe,
                                                           access how = access::word) noexcept;

/// In either.
template <access How = access::word>
[[nodiscard, gnu::always_inline]] inline std::byte* reached(const void* place, std::uint64_t bytes,
                                                            int pe) noexcept {
  std::byte* const there = reached_in_heap<How>(place, bytes, pe);
  return there != nullptr ? there : reached_in_statics(place, bytes, pe, How);
}

/// The address of `bytes` bytes of `pe` that this PE calls `place`.
/// Errors: bad_argument for a PE outside the job; out_of_bounds for what is not symmetric memory,
/// is freed, or (in debug) is beyond its block.
[[nodiscard]] fabric::address address_of(const void* place, std::uint64_t bytes, int pe);

/// For memory that only this PE accesses, so that nothing breaks if it is not symmetric, as in
/// programs that are known. Errors: out_of_bounds under SHMEM_DEBUG, as address_of.
void check_symmetric(const void* place, std::uint64_t bytes);

/// Errors: bad_argument unless 0 <= pe < n_pes.
void check_pe(int pe);

/// The job has begun: fills the table. `checked`: SHMEM_DEBUG.
void open_places(const world& world, bool checked);
void close_places() noexcept;
/// The heap has grown or shrunk.
void note_extent();

}  // namespace far::shmem
