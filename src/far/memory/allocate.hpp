#pragma once
// Getting and returning memory that other ranks can reach, and looking at one's own.

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

/// This rank's memory behind `place`, after checking that `bytes` of it are there.
/// Errors: bad_argument for another rank's memory, out_of_bounds.
[[nodiscard]] std::byte* checked_local(fabric::fabric& fabric, fabric::address place,
                                       std::uint64_t bytes);
/// Errors: bad_argument for memory that is in no segment of this rank.
[[nodiscard]] fabric::address checked_address(const fabric::fabric& fabric, const void* place);

}  // namespace memory

/// Collective: room for n objects on every rank, at the same offset everywhere. Returns a pointer
/// to this rank's own; p.on(r) is rank r's. The bytes are zero, and aligned as T is, to 64 at
/// least. n may be 0.
///
/// One thread per rank makes the collective allocations of a job, in the same order and with the
/// same n on every rank: then all get the same offset, and no message is needed. For the same
/// reason nobody waits: reach for another rank's part only after a barrier that follows this
/// call, for until then it may not exist, and it is zeroed when its rank comes here.
///
/// `domain`: who performs atomics there. `nic`, for words that ranks of other machines change most:
/// an interface that has atomics then needs no processor of the target; but all ranks ask it, the
/// owner too, and its words carry no signals (docs/memory_model.md, axiom 4).
///
/// Threads: safe beside allocate_local of others.
/// Cost: no communication; O(log blocks), and a memset where memory is used again.
/// Errors: out_of_memory, on every rank alike.
/// Checked by: allocate_test.symmetric_offsets_agree, allocate_test.reused_memory_is_zero
/// Checked by: NicDomain.AtomicsOfAllRanksAddUp
template <remote_object T>
[[nodiscard]] ptr<T> allocate(const world& view, std::uint64_t n = 1,
                              amo_domain domain = amo_domain::cpu) {
  static_assert(alignof(T) <= memory::max_alignment);
  auto& heap = view.state().get<memory::heaps>().symmetric(domain);
  return ptr<T>(heap.allocate(n, sizeof(T), alignof(T)));
}

/// Collective: returns what allocate gave. `p` is the pointer to this rank's own part, or null,
/// which is ignored. No rank may still access another's part: a barrier comes before.
///
/// Cost: no communication.
/// Errors: bad_argument when nothing was allocated at p.
/// Checked by: allocate_test.freeing_twice_is_refused
template <class T>
void deallocate(const world& view, ptr<T> p) {
  view.state().get<memory::heaps>().symmetric_with(p.address()).deallocate(p.address());
}

/// Room for n objects on this rank alone, that every rank can reach through the pointer. The
/// bytes are zero, and aligned as T is, to 16 at least. n may be 0.
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
[[nodiscard]] ptr<T> allocate_local(const world& view, std::uint64_t n = 1) {
  return allocate_local<T>(view.state(), n);
}

/// Returns what allocate_local gave on this rank; null is ignored.
/// Errors: bad_argument when nothing was allocated at p.
/// Checked by: allocate_test.freeing_twice_is_refused
template <class T>
void deallocate_local(rank_state& state, ptr<T> p) {
  state.get<memory::heaps>().local().deallocate(p.address());
}
template <class T>
void deallocate_local(const world& view, ptr<T> p) {
  deallocate_local(view.state(), p);
}

/// A fingerprint of this rank's collective allocations and frees so far. Ranks between the same
/// two collective calls that differ in it have broken the rule of allocate.
/// Checked by: allocate_test.history_tells_ranks_apart
[[nodiscard]] inline std::uint64_t allocation_history(const world& view) {
  return view.state().get<memory::heaps>().history();
}

/// This rank's own object behind p, for plain loads and stores. They are for data that no other
/// rank touches at the same time (docs/memory_model.md, axiom 12).
/// Errors: bad_argument if p is another rank's; out_of_bounds if nothing is allocated there.
/// Checked by: allocate_test.local_is_checked
template <class T>
[[nodiscard]] T* local(const world& view, ptr<T> p) {
  return reinterpret_cast<T*>(memory::checked_local(view.fabric(), p.address(), sizeof(T)));
}

/// n objects of this rank from p on.
/// Errors: as local.
/// Checked by: allocate_test.local_is_checked
template <class T>
[[nodiscard]] std::span<T> local_span(const world& view, ptr<T> p, std::uint64_t n) {
  if (n > fabric::address::max_offset / sizeof(T)) n = fabric::address::max_offset / sizeof(T);
  return {reinterpret_cast<T*>(memory::checked_local(view.fabric(), p.address(), n * sizeof(T))),
          static_cast<std::size_t>(n)};
}

/// The pointer to an object of this rank that lies in memory of allocate or allocate_local: the
/// way back from local.
/// Errors: bad_argument for other memory.
/// Checked by: allocate_test.local_is_checked
template <class T>
[[nodiscard]] ptr<T> ptr_to(const world& view, T& object) {
  return ptr<T>(memory::checked_address(view.fabric(), &object));
}

}  // namespace far
