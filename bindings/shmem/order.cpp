// Fence and quiet, and where memory of other PEs is mapped.

#include <far/base/error.hpp>
#include <far/fabric/copy.hpp>

#include "far_shmem/setup.h"
#include "shmem/context.hpp"
#include "shmem/function.hpp"
#include "shmem/places.hpp"
#include "shmem/runtime.hpp"

namespace far::shmem {
namespace {

[[gnu::noinline, gnu::cold]] void complete_slowly(const char* function,
                                                  shmem_ctx_t context) noexcept {
  if (context == SHMEM_CTX_INVALID) return;  // as the specification says
  guarded(function, [&] { complete(context); });
}

void quiet(const char* function, shmem_ctx_t context) noexcept {
  if (places.is_coherent) [[likely]]
    return fabric::full_fence();
  complete_slowly(function, context);
}

void fence(const char* function, shmem_ctx_t context) noexcept {
  if (places.is_coherent) [[likely]]
    return fabric::release_fence();
  complete_slowly(function, context);
}

void pe_quiet(const char* function, shmem_ctx_t context, const int* pes, std::size_t n) noexcept {
  if (context == SHMEM_CTX_INVALID) return;
  guarded(function, [&] {
    for (std::size_t i = 0; i < n; ++i) {
      const int pe = checked_pe(context, pes[i]);
      check_pe(pe);
      if (!places.is_coherent) complete(context, pe);
    }
    if (places.is_coherent) fabric::full_fence();
  });
}

/// Null where instructions do not reach it.
void* mapped(const void* dest, int pe) {
  if (pe < 0 || pe >= runtime::get().pes()) return nullptr;
  for (const area* const in : {&places.heap, &places.statics}) {
    const std::uint64_t offset = in->offset_of(dest);
    if (!in->holds(offset, 1)) continue;
    std::byte* const there = in->words[pe];
    return there == nullptr ? nullptr : there + offset;
  }
  return nullptr;
}

}  // namespace
}  // namespace far::shmem

using namespace far::shmem;

FAR_SHMEM_FUNCTION(void, fence, (void)) { far::shmem::fence("shmem_fence", SHMEM_CTX_DEFAULT); }
FAR_SHMEM_FUNCTION(void, ctx_fence, (shmem_ctx_t ctx)) {
  far::shmem::fence("shmem_ctx_fence", ctx);
}
FAR_SHMEM_FUNCTION(void, quiet, (void)) { far::shmem::quiet("shmem_quiet", SHMEM_CTX_DEFAULT); }
FAR_SHMEM_FUNCTION(void, ctx_quiet, (shmem_ctx_t ctx)) {
  far::shmem::quiet("shmem_ctx_quiet", ctx);
}

FAR_SHMEM_FUNCTION(void, pe_quiet, (const int* target_pes, size_t npes)) {
  far::shmem::pe_quiet("shmem_pe_quiet", SHMEM_CTX_DEFAULT, target_pes, npes);
}
FAR_SHMEM_FUNCTION(void, ctx_pe_quiet, (shmem_ctx_t ctx, const int* target_pes, size_t npes)) {
  far::shmem::pe_quiet("shmem_ctx_pe_quiet", ctx, target_pes, npes);
}

FAR_SHMEM_FUNCTION(void*, ptr, (const void* dest, int pe)) {
  return guarded("shmem_ptr", [&] { return mapped(dest, pe); });
}

FAR_SHMEM_FUNCTION(void*, team_ptr, (shmem_team_t team, const void* dest, int pe)) {
  return guarded("shmem_team_ptr", [&]() -> void* {
    if (team == SHMEM_TEAM_INVALID) return nullptr;
    return mapped(dest, checked_world_pe(team_of(team), pe));
  });
}
