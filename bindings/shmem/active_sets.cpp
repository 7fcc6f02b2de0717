// Deprecated: collectives of active sets, which are teams that their members make at the first use.
// The work arrays pSync and pWrk are not used.

#include <algorithm>

#include <far/base/error.hpp>
#include <fmt/format.h>

#include "far_shmem/collectives.h"
#include "far_shmem/deprecated.h"
#include "shmem/collective.hpp"
#include "shmem/function.hpp"
#include "shmem/moving.hpp"
#include "shmem/runtime.hpp"

namespace far::shmem {

far_shmem_team& active_set(int start, int log_stride, int size) {
  runtime& self = runtime::get();
  const bool is_sane = start >= 0 && log_stride >= 0 && log_stride < 31 && size >= 1;
  const std::int64_t stride = is_sane ? std::int64_t{1} << log_stride : 1;
  if (!is_sane || start + stride * (size - 1) >= self.pes()) {
    throw bad_argument(fmt::format(
        "the active set of {} PEs from {} at strides of 2^{} does not fit into the {} PEs", size,
        start, log_stride, self.pes()));
  }
  if (start == 0 && (stride == 1 || size == 1) && size == self.pes()) return self.team_world;
  const std::int64_t distance = self.pe() - start;
  if (distance < 0 || distance % stride != 0 || distance / stride >= size) {
    throw bad_argument(
        fmt::format("this PE is not in the active set of {} PEs from {} at strides of 2^{}", size,
                    start, log_stride));
  }
  return self.member_made_team({start, static_cast<int>(stride), size});
}

}  // namespace far::shmem

using namespace far::shmem;

FAR_SHMEM_FUNCTION(void, barrier, (FAR_SHMEM_ACTIVE_SET, long* /*pSync*/)) {
  guarded("shmem_barrier", [&] {
    far_shmem_team& set = active_set(PE_start, logPE_stride, PE_size);
    complete(SHMEM_CTX_DEFAULT);
    sync(set);
  });
}

// The parentheses keep C11's selection of the same name away.
FAR_SHMEM_FUNCTION(void, sync, (FAR_SHMEM_ACTIVE_SET, long* /*pSync*/)) {
  guarded("shmem_sync", [&] { sync(active_set(PE_start, logPE_stride, PE_size)); });
}

namespace far::shmem {
namespace {

/// Broadcasts of active sets leave the root's own `dest` as it is.
void broadcast_to_others(far_shmem_team& set, void* dest, const void* source, std::size_t nelems,
                         std::size_t each, int root) {
  const std::uint64_t bytes = nelems * each;
  if (set.rank != root) return broadcast(set, dest, source, bytes, each, root);
  broadcast(set, const_cast<void*>(source), source, bytes, each, root);  // only read at the root
}

}  // namespace
}  // namespace far::shmem

#define FAR_SHMEM_OLD_MOVING_BODIES(BYTES, BITS)                                                   \
  FAR_SHMEM_FUNCTION(void, broadcast##BITS,                                                        \
                     (void* dest, const void* source, size_t nelems, int PE_root,                  \
                      FAR_SHMEM_ACTIVE_SET, long* /*pSync*/)) {                                    \
    guarded("shmem_broadcast" #BITS, [&] {                                                         \
      broadcast_to_others(active_set(PE_start, logPE_stride, PE_size), dest, source, nelems,       \
                          BYTES, PE_root);                                                         \
    });                                                                                            \
  }                                                                                                \
  FAR_SHMEM_FUNCTION(                                                                              \
      void, collect##BITS,                                                                         \
      (void* dest, const void* source, size_t nelems, FAR_SHMEM_ACTIVE_SET, long* /*pSync*/)) {    \
    guarded("shmem_collect" #BITS, [&] {                                                           \
      collect(active_set(PE_start, logPE_stride, PE_size), dest, source, nelems* BYTES, BYTES);    \
    });                                                                                            \
  }                                                                                                \
  FAR_SHMEM_FUNCTION(                                                                              \
      void, fcollect##BITS,                                                                        \
      (void* dest, const void* source, size_t nelems, FAR_SHMEM_ACTIVE_SET, long* /*pSync*/)) {    \
    guarded("shmem_fcollect" #BITS, [&] {                                                          \
      fcollect(active_set(PE_start, logPE_stride, PE_size), dest, source, nelems* BYTES, BYTES);   \
    });                                                                                            \
  }                                                                                                \
  FAR_SHMEM_FUNCTION(                                                                              \
      void, alltoall##BITS,                                                                        \
      (void* dest, const void* source, size_t nelems, FAR_SHMEM_ACTIVE_SET, long* /*pSync*/)) {    \
    guarded("shmem_alltoall" #BITS, [&] {                                                          \
      alltoall(active_set(PE_start, logPE_stride, PE_size), dest, source, nelems* BYTES, BYTES);   \
    });                                                                                            \
  }                                                                                                \
  FAR_SHMEM_FUNCTION(void, alltoalls##BITS,                                                        \
                     (void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, \
                      FAR_SHMEM_ACTIVE_SET, long* /*pSync*/)) {                                    \
    guarded("shmem_alltoalls" #BITS, [&] {                                                         \
      alltoalls(active_set(PE_start, logPE_stride, PE_size), dest, source, dst, sst, nelems,       \
                BYTES);                                                                            \
    });                                                                                            \
  }
FAR_SHMEM_OLD_MOVING_BODIES(4, 32)
FAR_SHMEM_OLD_MOVING_BODIES(8, 64)
