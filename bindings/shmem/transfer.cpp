#include "shmem/transfer.hpp"

#include <far/rma/nbi.hpp>
#include <far/rma/transfer.hpp>

#include "shmem/runtime.hpp"

namespace far::shmem {

void put_elsewhere(const char* function, shmem_ctx_t context, void* dest, const void* source,
                   std::uint64_t bytes, int pe, completes when) noexcept {
  const int to = world_pe(context, pe);
  if (std::byte* const there = reached_in_statics(dest, bytes, to)) {
    return copy_to(there, source, bytes, to);
  }
  put_slowly(function, context, dest, source, bytes, pe, when);
}

void get_elsewhere(const char* function, shmem_ctx_t context, void* dest, const void* source,
                   std::uint64_t bytes, int pe, completes when) noexcept {
  const int from = world_pe(context, pe);
  if (const std::byte* const there = reached_in_statics(source, bytes, from)) {
    return copy_from(dest, there, bytes);
  }
  get_slowly(function, context, dest, source, bytes, pe, when);
}

void put_slowly(const char* function, shmem_ctx_t context, void* dest, const void* source,
                std::uint64_t bytes, int pe, completes when) noexcept {
  guarded(function, [&] {
    const int to = checked_pe(context, pe);
    const fabric::address place = address_of(dest, bytes, to);
    lane_use use = lane_of(context);
    if (std::byte* const there = use->world().fabric().direct(place)) {
      if (there == source) return;
      fabric::release_fence();
      return fabric::copy_bytes(there, source, bytes);
    }
    if (when == completes::later) return rma::put_nbi(use->world(), place, source, bytes, nullptr);
    const fabric::put_part part{place, source, bytes};
    fabric::release_fence();
    fabric::completion taken;
    use->context().put({&part, 1}, nullptr, &taken);
    use->context().wait(taken, {"put", to, place});
  });
}

void get_slowly(const char* function, shmem_ctx_t context, void* dest, const void* source,
                std::uint64_t bytes, int pe, completes when) noexcept {
  guarded(function, [&] {
    const int from = checked_pe(context, pe);
    const fabric::address place = address_of(source, bytes, from);
    lane_use use = lane_of(context);
    if (const std::byte* const there = use->world().fabric().direct(place)) {
      if (there == dest) return;
      fabric::copy_bytes(dest, there, bytes);
      return fabric::acquire_fence();
    }
    if (when == completes::later) return rma::get_nbi(use->world(), place, dest, bytes);
    rma::get_bytes(use->world(), place, dest, bytes);
  });
}

}  // namespace far::shmem
