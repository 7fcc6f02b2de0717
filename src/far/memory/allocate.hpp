#pragma once
// Allocates and frees memory that other ranks can reach, and gives plain access to a rank's own.

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "far/memory/ptr.hpp"
#include "far/memory/segment_heap.hpp"
#include "far/world/world.hpp"

namespace far {

using fabric::amo_domain;

namespace memory {

/// This rank's memory at `place`, after checking that `bytes` bytes there are allocated.
/// Errors: bad_argument for another rank's memory, out_of_bounds.
[[nodiscard]] std::byte* checked_local(fabric::fabric& fabric, fabric::address place,
                                       std::uint64_t bytes);
/// The global address of `place`. Errors: bad_argument for memory in no segment of this rank.
[[nodiscard]] fabric::address checked_address(const fabric::fabric& fabric, const void* place);

}  // namespace memory

/// Collective: allocates space for n objects on every rank, at the same offset everywhere. Returns
/// a pointer to this rank's part; p.on(r) is rank r's. The bytes are zero, and aligned as T is, but
/// at least to 64. n may be 0.
///
/// On each rank one thread makes the collective allocations of a job, in the same order and with
/// the same n on every rank. So all ranks get the same offset, without messages and without
/// waiting. Therefore access another rank's part only after a barrier that follows this call:
/// before that, the other rank may not have allocated and zeroed it yet.
///
/// `domain`: selects who performs atomics there. Use `nic` for words that are mostly changed by
/// ranks of other machines: a network interface with atomics then does not involve the target's
/// processor. But all ranks go through the interface, even the owner, and signals cannot use these
/// words (docs/memory_model.md, axiom 4).
///
/// Threads: safe while other threads call allocate_local.
/// Cost: no communication; O(log blocks), and a memset where memory is used again.
/// Errors: out_of_memory, on every rank alike.
/// Checked by: allocate_test.symmetric_offsets_agree, allocate_test.reused_memory_is_zero
/// Checked by: NicDomain.AtomicsOfAllRanksAddUp
template <remote_object T>
[[nodiscard]] ptr<T> allocate(const world& world, std::uint64_t n = 1,
                              amo_domain domain = amo_domain::cpu) {
  static_assert(alignof(T) <= memory::max_alignment);
  auto& heap = world.state().get<memory::heaps>().symmetric(domain);
  return ptr<T>(heap.allocate(n, sizeof(T), alignof(T)));
}

/// The same, aligned to `alignment` bytes, in the global address and in each rank's own memory.
/// Errors: bad_argument unless it is a power of two, at most 8 MB, and 4096 bytes in the simulator
/// and for amo_domain::nic; out_of_memory.
/// Checked by: reallocate_test.alignments_are_chosen_at_run_time
template <remote_object T>
[[nodiscard]] ptr<T> allocate_aligned(const world& world, std::uint64_t n, std::uint64_t alignment,
                                      amo_domain domain = amo_domain::cpu) {
  static_assert(alignof(T) <= memory::max_alignment);
  auto& heap = world.state().get<memory::heaps>().symmetric(domain);
  return ptr<T>(heap.allocate(n, sizeof(T), heap.checked_alignment(alignment, alignof(T))));
}

/// Collective: gives what allocate returned room for n objects on every rank. Each rank's content
/// stays, up to the smaller of the two sizes; what is new is zero. The result is at the same place
/// if there is room, else elsewhere, and `p` is freed; on all ranks alike. It is aligned to
/// `alignment`, a power of two, or if that is 0, as T is. Null: as allocate.
///
/// As with deallocate, no rank may still access another's part, so a barrier must precede this
/// call; and as with allocate, access another rank's part only after a barrier that follows it.
///
/// Cost: no communication; O(log blocks) and a memset in place, else also a memcpy. While the
/// content is copied, both allocations exist. Errors: bad_argument if no live allocation begins at
/// p, or for the alignment; out_of_memory, on every rank alike, then the allocation at p is as
/// before. Checked by: reallocate_test.content_is_kept, reallocate_test.grows_in_place_where_it_can
template <remote_object T>
[[nodiscard]] ptr<T> reallocate(const world& world, ptr<T> p, std::uint64_t n,
                                std::uint64_t alignment = 0) {
  static_assert(alignof(T) <= memory::max_alignment);
  auto& heap = world.state().get<memory::heaps>().symmetric_with(p.address());
  alignment = heap.checked_alignment(alignment == 0 ? alignof(T) : alignment, alignof(T));
  return ptr<T>(heap.reallocate(p.address(), n, sizeof(T), alignment));
}

/// Collective: frees what allocate returned. `p` points to this rank's part; null is ignored.
/// No rank may still access another's part, so a barrier must precede this call.
///
/// Cost: no communication.
/// Errors: bad_argument if no live allocation begins at p.
/// Checked by: allocate_test.freeing_twice_is_refused
template <class T>
void deallocate(const world& world, ptr<T> p) {
  world.state().get<memory::heaps>().symmetric_with(p.address()).deallocate(p.address());
}

/// Allocates space for n objects on this rank only. Every rank can reach it through the pointer.
/// The bytes are zero, and aligned as T is, but at least to 16. n may be 0.
///
/// Threads: safe. Handlers may call it: message::owner is the rank_state.
/// Cost: no communication; a lock, O(log blocks), and a memset where memory is used again.
/// Errors: out_of_memory.
/// Checked by: allocate_test.local_memory_is_reached_by_all
template <remote_object T>
[[nodiscard]] ptr<T> allocate_local(rank_state& state, std::uint64_t n = 1) {
  static_assert(alignof(T) <= memory::max_alignment);
  return ptr<T>(state.get<memory::heaps>().local().allocate(n, sizeof(T), alignof(T)));
}
template <remote_object T>
[[nodiscard]] ptr<T> allocate_local(const world& world, std::uint64_t n = 1) {
  return allocate_local<T>(world.state(), n);
}

/// Frees what allocate_local returned on this rank; null is ignored.
/// Errors: bad_argument if no live allocation begins at p.
/// Checked by: allocate_test.freeing_twice_is_refused
template <class T>
void deallocate_local(rank_state& state, ptr<T> p) {
  state.get<memory::heaps>().local().deallocate(p.address());
}
template <class T>
void deallocate_local(const world& world, ptr<T> p) {
  deallocate_local(world.state(), p);
}

/// A fingerprint of this rank's collective allocations and frees so far. If it differs between
/// ranks that are between the same two collective calls, they have broken the rule of allocate.
/// Checked by: allocate_test.history_tells_ranks_apart
[[nodiscard]] inline std::uint64_t allocation_history(const world& world) {
  return world.state().get<memory::heaps>().history();
}

/// A plain pointer to this rank's object at p, for loads and stores while no other rank accesses
/// it in a conflicting way (docs/memory_model.md, axiom 12).
/// Errors: bad_argument if p is another rank's; out_of_bounds if nothing is allocated there.
/// Checked by: allocate_test.local_is_checked
template <class T>
[[nodiscard]] T* local(const world& world, ptr<T> p) {
  return reinterpret_cast<T*>(memory::checked_local(world.fabric(), p.address(), sizeof(T)));
}

/// n objects of this rank, starting at p.
/// Errors: as local.
/// Checked by: allocate_test.local_is_checked
template <class T>
[[nodiscard]] std::span<T> local_span(const world& world, ptr<T> p, std::uint64_t n) {
  if (n > fabric::address::max_offset / sizeof(T)) n = fabric::address::max_offset / sizeof(T);
  return {reinterpret_cast<T*>(memory::checked_local(world.fabric(), p.address(), n * sizeof(T))),
          static_cast<std::size_t>(n)};
}

/// The inverse of local: the global pointer to an object of this rank that lies in memory of
/// allocate or allocate_local.
/// Errors: bad_argument for other memory.
/// Checked by: allocate_test.local_is_checked
template <class T>
[[nodiscard]] ptr<T> ptr_to(const world& world, T& object) {
  return ptr<T>(memory::checked_address(world.fabric(), &object));
}

}  // namespace far
