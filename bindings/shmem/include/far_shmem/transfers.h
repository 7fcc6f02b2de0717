#ifndef FAR_SHMEM_TRANSFERS_H
#define FAR_SHMEM_TRANSFERS_H
/* Put and get. P is shmem or pshmem.
 *
 * Each function exists twice, with and without a context: FAR_SHMEM_TRANSFERS_ makes one of them. C
 * is the middle of the name, empty or _ctx; CTX the first parameter, empty or `shmem_ctx_t ctx,`. */

#include <stddef.h>
#include <stdint.h>

#include "far_shmem/constants.h"
#include "far_shmem/types.h"

#define FAR_SHMEM_NO_CTX
#define FAR_SHMEM_WITH_CTX shmem_ctx_t ctx,
#define FAR_SHMEM_STRIDES ptrdiff_t dst, ptrdiff_t sst
#define FAR_SHMEM_SIGNAL uint64_t *sig_addr, uint64_t signal, int sig_op

/* Transfers of elements of type T, or of void with sizes or mem in the name. */
#define FAR_SHMEM_BULK_(P, CTX, T, PUT, GET)                                              \
  void P##PUT(CTX T* dest, const T* source, size_t nelems, int pe);                       \
  void P##GET(CTX T* dest, const T* source, size_t nelems, int pe);                       \
  void P##PUT##_nbi(CTX T* dest, const T* source, size_t nelems, int pe);                 \
  void P##GET##_nbi(CTX T* dest, const T* source, size_t nelems, int pe);                 \
  void P##PUT##_signal(CTX T* dest, const T* source, size_t nelems, FAR_SHMEM_SIGNAL, int pe); \
  void P##PUT##_signal_nbi(CTX T* dest, const T* source, size_t nelems, FAR_SHMEM_SIGNAL, int pe);
#define FAR_SHMEM_STRIDED_(P, CTX, T, NAME_IPUT, NAME_IGET, NAME_IBPUT, NAME_IBGET)             \
  void P##NAME_IPUT(CTX T* dest, const T* source, FAR_SHMEM_STRIDES, size_t nelems, int pe);    \
  void P##NAME_IGET(CTX T* dest, const T* source, FAR_SHMEM_STRIDES, size_t nelems, int pe);    \
  void P##NAME_IBPUT(CTX T* dest, const T* source, FAR_SHMEM_STRIDES, size_t bsize,             \
                     size_t nblocks, int pe);                                                   \
  void P##NAME_IBGET(CTX T* dest, const T* source, FAR_SHMEM_STRIDES, size_t bsize,             \
                     size_t nblocks, int pe);

#define FAR_SHMEM_DECLARE_TRANSFERS(P, T, NAME)                                                   \
  FAR_SHMEM_BULK_(P, FAR_SHMEM_NO_CTX, T, _##NAME##_put, _##NAME##_get)                           \
  FAR_SHMEM_BULK_(P, FAR_SHMEM_WITH_CTX, T, _ctx_##NAME##_put, _ctx_##NAME##_get)                 \
  FAR_SHMEM_STRIDED_(P, FAR_SHMEM_NO_CTX, T, _##NAME##_iput, _##NAME##_iget, _##NAME##_ibput,     \
                     _##NAME##_ibget)                                                             \
  FAR_SHMEM_STRIDED_(P, FAR_SHMEM_WITH_CTX, T, _ctx_##NAME##_iput, _ctx_##NAME##_iget,            \
                     _ctx_##NAME##_ibput, _ctx_##NAME##_ibget)                                    \
  void P##_##NAME##_p(T* dest, T value, int pe);                                                  \
  void P##_ctx_##NAME##_p(shmem_ctx_t ctx, T* dest, T value, int pe);                             \
  T P##_##NAME##_g(const T* source, int pe);                                                      \
  T P##_ctx_##NAME##_g(shmem_ctx_t ctx, const T* source, int pe);

#define FAR_SHMEM_DECLARE_SIZED_TRANSFERS(P, BYTES, BITS)                                         \
  FAR_SHMEM_BULK_(P, FAR_SHMEM_NO_CTX, void, _put##BITS, _get##BITS)                              \
  FAR_SHMEM_BULK_(P, FAR_SHMEM_WITH_CTX, void, _ctx_put##BITS, _ctx_get##BITS)                    \
  FAR_SHMEM_STRIDED_(P, FAR_SHMEM_NO_CTX, void, _iput##BITS, _iget##BITS, _ibput##BITS,           \
                     _ibget##BITS)                                                                \
  FAR_SHMEM_STRIDED_(P, FAR_SHMEM_WITH_CTX, void, _ctx_iput##BITS, _ctx_iget##BITS,               \
                     _ctx_ibput##BITS, _ctx_ibget##BITS)

#define FAR_SHMEM_DECLARE_UNTYPED_TRANSFERS(P)                                               \
  FAR_SHMEM_BULK_(P, FAR_SHMEM_NO_CTX, void, _putmem, _getmem)                               \
  FAR_SHMEM_BULK_(P, FAR_SHMEM_WITH_CTX, void, _ctx_putmem, _ctx_getmem)                     \
  void P##_signal_set(uint64_t* sig_addr, uint64_t signal, int pe);                          \
  void P##_signal_add(uint64_t* sig_addr, uint64_t signal, int pe);                          \
  void P##_ctx_signal_set(shmem_ctx_t ctx, uint64_t* sig_addr, uint64_t signal, int pe);     \
  void P##_ctx_signal_add(shmem_ctx_t ctx, uint64_t* sig_addr, uint64_t signal, int pe);     \
  uint64_t P##_signal_fetch(const uint64_t* sig_addr);

#ifdef __cplusplus
extern "C" {
#endif
FAR_SHMEM_RMA(FAR_SHMEM_DECLARE_TRANSFERS, shmem)
FAR_SHMEM_SIZES(FAR_SHMEM_DECLARE_SIZED_TRANSFERS, shmem)
FAR_SHMEM_DECLARE_UNTYPED_TRANSFERS(shmem)
#ifdef __cplusplus
}
#endif

#endif
