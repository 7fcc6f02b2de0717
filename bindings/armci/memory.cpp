// Allocation. Every block is in the local heap of its rank, so ranks may ask for different sizes.

#include <cstdio>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "armci.h"
#include "armci/groups.hpp"
#include "armci/profiled.hpp"
#include "armci/runtime.hpp"
#include "far/base/error.hpp"
#include "far/memory/allocate.hpp"

using namespace far::armci;

namespace {

/// What blocks are aligned to: a cache line, as numerical programs expect.
struct alignas(64) line {
  std::byte bytes[64];
};

/// Null for no bytes. Errors: bad_argument, out_of_memory.
void* allocate(armci_size_t bytes) {
  runtime& self = runtime::get();
  if (bytes < 0) throw far::bad_argument(fmt::format("{} bytes: the size is negative", bytes));
  if (bytes == 0) return nullptr;
  const auto lines = (static_cast<std::uint64_t>(bytes) + sizeof(line) - 1) / sizeof(line);
  return self.pointer_to(far::allocate_local<line>(self.world(), lines).address());
}

void release(void* place) {
  if (place == nullptr) return;
  runtime& self = runtime::get();
  if (!self.is_shared(place)) {
    throw far::bad_argument(fmt::format(
        "the memory at {} did not come from ARMCI_Malloc or ARMCI_Malloc_local of this rank",
        place));
  }
  far::deallocate_local(self.world(), far::ptr_to(self.world(), *static_cast<std::byte*>(place)));
}

/// Allocates, or says why it cannot, and returns false.
bool try_allocate(const char* call, armci_size_t bytes, void*& place) {
  try {
    place = allocate(bytes);
    return true;
  } catch (const far::out_of_memory& failure) {
    std::fprintf(stderr, "%s: rank %d: %s\n", call, runtime::get().rank(), failure.what());
    return false;
  }
}

/// An entry of what ranks exchange.
struct offer {
  void* place = nullptr;
  long is_good = 1;
};

int allocate_on_all(const char* call, void** places, armci_size_t bytes, MPI_Comm comm) {
  return guarded(call, [&] {
    if (places == nullptr) throw far::bad_argument("the array for the addresses is null");
    offer own;
    own.is_good = try_allocate(call, bytes, own.place) ? 1 : 0;
    int size = 0;
    MPI_Comm_size(comm, &size);
    std::vector<offer> all(static_cast<std::size_t>(size));
    {
      const out_of_turn meanwhile;
      MPI_Allgather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE, comm);
    }
    long are_good = 1;
    for (std::size_t i = 0; i < all.size(); ++i) {
      places[i] = all[i].place;
      are_good &= all[i].is_good;
    }
    if (are_good != 0) return 0;
    release(own.place);
    for (std::size_t i = 0; i < all.size(); ++i) places[i] = nullptr;
    return 1;
  });
}

/// Ranks may still have operations in flight at this rank's memory until they have come here.
int free_on_all(const char* call, void* place, MPI_Comm comm) {
  return guarded_0(call, [&] {
    runtime& self = runtime::get();
    self.fence_all();
    self.barrier(comm);
    release(place);
  });
}

MPI_Comm world_comm(const char* call) {
  return guarded(call, [] { return runtime::get().comm(); });
}

MPI_Comm checked_comm(const char* call, const ARMCI_Group* group) {
  return guarded(call, [&] { return comm_of(group); });
}

}  // namespace

extern "C" {

int ARMCI_Malloc(void** base_ptrs, armci_size_t size) {
  return allocate_on_all("ARMCI_Malloc", base_ptrs, size, world_comm("ARMCI_Malloc"));
}

int ARMCI_Free(void* ptr) { return free_on_all("ARMCI_Free", ptr, world_comm("ARMCI_Free")); }

int ARMCI_Malloc_group(void** base_ptrs, armci_size_t size, ARMCI_Group* group) {
  constexpr const char* call = "ARMCI_Malloc_group";
  return allocate_on_all(call, base_ptrs, size, checked_comm(call, group));
}

int ARMCI_Free_group(void* ptr, ARMCI_Group* group) {
  constexpr const char* call = "ARMCI_Free_group";
  return free_on_all(call, ptr, checked_comm(call, group));
}

void* ARMCI_Malloc_local(armci_size_t size) {
  return guarded("ARMCI_Malloc_local", [&] {
    void* place = nullptr;
    (void)try_allocate("ARMCI_Malloc_local", size, place);
    return place;
  });
}

int ARMCI_Free_local(void* ptr) {
  return guarded_0("ARMCI_Free_local", [&] { release(ptr); });
}

int ARMCI_Malloc_memdev(void** base_ptrs, armci_size_t size, const char*) {
  return ARMCI_Malloc(base_ptrs, size);
}

int ARMCI_Malloc_group_memdev(void** base_ptrs, armci_size_t size, ARMCI_Group* group,
                              const char*) {
  return ARMCI_Malloc_group(base_ptrs, size, group);
}

int ARMCI_Free_memdev(void* ptr) { return ARMCI_Free(ptr); }

void ARMCI_Access_begin(void*) {}
void ARMCI_Access_end(void*) {}

void ARMCI_Copy(void* src, void* dst, int size) {
  if (size > 0) std::memmove(dst, src, static_cast<std::size_t>(size));
}

}  // extern "C"

FAR_ARMCI_PROFILED(ARMCI_Malloc);
FAR_ARMCI_PROFILED(ARMCI_Free);
FAR_ARMCI_PROFILED(ARMCI_Malloc_local);
FAR_ARMCI_PROFILED(ARMCI_Free_local);
FAR_ARMCI_PROFILED(ARMCI_Malloc_memdev);
FAR_ARMCI_PROFILED(ARMCI_Malloc_group_memdev);
FAR_ARMCI_PROFILED(ARMCI_Free_memdev);
FAR_ARMCI_PROFILED(ARMCI_Access_begin);
FAR_ARMCI_PROFILED(ARMCI_Access_end);
