// The functions of contiguous transfers.

#include "far_shmem/transfers.h"

#include "shmem/transfer.hpp"

using namespace far::shmem;

// C, CTX: as in far_shmem/transfers.h; GIVEN: the context. PUT and GET: the names after shmem_.
#define FAR_SHMEM_BULK_BODIES(CTX, GIVEN, T, BYTES, PUT, GET)                                     \
  FAR_SHMEM_FUNCTION(void, PUT, (CTX T * dest, const T* source, size_t nelems, int pe)) {         \
    put_objects<BYTES>("shmem_" #PUT, GIVEN, dest, source, nelems, pe, completes::before_return); \
  }                                                                                               \
  FAR_SHMEM_FUNCTION(void, GET, (CTX T * dest, const T* source, size_t nelems, int pe)) {         \
    get_objects<BYTES>("shmem_" #GET, GIVEN, dest, source, nelems, pe, completes::before_return); \
  }                                                                                               \
  FAR_SHMEM_FUNCTION(void, PUT##_nbi, (CTX T * dest, const T* source, size_t nelems, int pe)) {   \
    put_objects<BYTES>("shmem_" #PUT "_nbi", GIVEN, dest, source, nelems, pe, completes::later);  \
  }                                                                                               \
  FAR_SHMEM_FUNCTION(void, GET##_nbi, (CTX T * dest, const T* source, size_t nelems, int pe)) {   \
    get_objects<BYTES>("shmem_" #GET "_nbi", GIVEN, dest, source, nelems, pe, completes::later);  \
  }

#define FAR_SHMEM_TYPED_BODIES(A, T, NAME)                                                         \
  FAR_SHMEM_BULK_BODIES(FAR_SHMEM_NO_CTX, SHMEM_CTX_DEFAULT, T, sizeof(T), NAME##_put, NAME##_get) \
  FAR_SHMEM_BULK_BODIES(FAR_SHMEM_WITH_CTX, ctx, T, sizeof(T), ctx_##NAME##_put, ctx_##NAME##_get) \
  FAR_SHMEM_FUNCTION(void, NAME##_p, (T * dest, T value, int pe)) {                                \
    put_value("shmem_" #NAME "_p", SHMEM_CTX_DEFAULT, dest, value, pe);                            \
  }                                                                                                \
  FAR_SHMEM_FUNCTION(void, ctx_##NAME##_p, (shmem_ctx_t ctx, T * dest, T value, int pe)) {         \
    put_value("shmem_ctx_" #NAME "_p", ctx, dest, value, pe);                                      \
  }                                                                                                \
  FAR_SHMEM_FUNCTION(T, NAME##_g, (const T* source, int pe)) {                                     \
    return get_value("shmem_" #NAME "_g", SHMEM_CTX_DEFAULT, source, pe);                          \
  }                                                                                                \
  FAR_SHMEM_FUNCTION(T, ctx_##NAME##_g, (shmem_ctx_t ctx, const T* source, int pe)) {              \
    return get_value("shmem_ctx_" #NAME "_g", ctx, source, pe);                                    \
  }

#define FAR_SHMEM_SIZED_BODIES(A, BYTES, BITS)                                                  \
  FAR_SHMEM_BULK_BODIES(FAR_SHMEM_NO_CTX, SHMEM_CTX_DEFAULT, void, BYTES, put##BITS, get##BITS) \
  FAR_SHMEM_BULK_BODIES(FAR_SHMEM_WITH_CTX, ctx, void, BYTES, ctx_put##BITS, ctx_get##BITS)

FAR_SHMEM_RMA(FAR_SHMEM_TYPED_BODIES, )
FAR_SHMEM_SIZES(FAR_SHMEM_SIZED_BODIES, )
FAR_SHMEM_BULK_BODIES(FAR_SHMEM_NO_CTX, SHMEM_CTX_DEFAULT, void, 1, putmem, getmem)
FAR_SHMEM_BULK_BODIES(FAR_SHMEM_WITH_CTX, ctx, void, 1, ctx_putmem, ctx_getmem)
