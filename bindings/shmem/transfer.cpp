#include "shmem/transfer.hpp"

#include "shmem/runtime.hpp"

namespace far::shmem {

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
    const fabric::put_part part{place, source, bytes};
    fabric::release_fence();
    if (when == completes::later) return use->context().put({&part, 1});
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
    const fabric::get_part part{place, dest, bytes};
    if (when == completes::later) return use->context().get({&part, 1}, &use->fetches);
    fabric::completion done;
    use->context().get({&part, 1}, &done);
    use->context().wait(done, {"get", from, place});
    fabric::acquire_fence();
  });
}

}  // namespace far::shmem
