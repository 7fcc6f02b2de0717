#ifndef FAR_SHMEM_TYPES_H
#define FAR_SHMEM_TYPES_H
/* The one table of OpenSHMEM's types. X(A, TYPE, NAME) is called for each type of a family: A is
 * whatever the caller passes, TYPE the type, NAME the TYPENAME in names of functions. Prototypes,
 * definitions, C11's selections and C++'s overloads are all made from it.
 *
 * The tables ..._DISTINCT_... name each type once, whatever its typedefs, as selections must. */

#include <stddef.h>
#include <stdint.h>

/* An extension in C++, where overloads.h has std::complex, too. */
#ifdef __cplusplus
__extension__ typedef double _Complex far_shmem_complexd;
__extension__ typedef float _Complex far_shmem_complexf;
#define FAR_SHMEM_COMPLEX 1
#elif !defined(__STDC_NO_COMPLEX__)
typedef double _Complex far_shmem_complexd;
typedef float _Complex far_shmem_complexf;
#define FAR_SHMEM_COMPLEX 1
#endif

/* ---- groups ------------------------------------------------------------------------------------ */

#define FAR_SHMEM_REALS(X, A) \
  X(A, float, float)          \
  X(A, double, double)        \
  X(A, long double, longdouble)

#ifdef FAR_SHMEM_COMPLEX
#define FAR_SHMEM_COMPLEXES(X, A)      \
  X(A, far_shmem_complexd, complexd)   \
  X(A, far_shmem_complexf, complexf)
#else
#define FAR_SHMEM_COMPLEXES(X, A)
#endif

#define FAR_SHMEM_LONGS(X, A) \
  X(A, int, int)              \
  X(A, long, long)            \
  X(A, long long, longlong)

#define FAR_SHMEM_ULONGS(X, A)    \
  X(A, unsigned int, uint)        \
  X(A, unsigned long, ulong)      \
  X(A, unsigned long long, ulonglong)

#define FAR_SHMEM_SMALL_SIGNED(X, A) \
  X(A, char, char)                   \
  X(A, signed char, schar)           \
  X(A, short, short)

#define FAR_SHMEM_SMALL_UNSIGNED(X, A) \
  X(A, unsigned char, uchar)           \
  X(A, unsigned short, ushort)

#define FAR_SHMEM_FIXED_WORDS(X, A) \
  X(A, int32_t, int32)              \
  X(A, int64_t, int64)              \
  X(A, uint32_t, uint32)            \
  X(A, uint64_t, uint64)

#define FAR_SHMEM_FIXED_SMALL(X, A) \
  X(A, int8_t, int8)                \
  X(A, int16_t, int16)              \
  X(A, uint8_t, uint8)              \
  X(A, uint16_t, uint16)

/* ---- families ---------------------------------------------------------------------------------- */

/* Transfers, and collectives that only move data. */
#define FAR_SHMEM_DISTINCT_RMA(X, A) \
  FAR_SHMEM_REALS(X, A)              \
  FAR_SHMEM_SMALL_SIGNED(X, A)       \
  FAR_SHMEM_LONGS(X, A)              \
  FAR_SHMEM_SMALL_UNSIGNED(X, A)     \
  FAR_SHMEM_ULONGS(X, A)
#define FAR_SHMEM_RMA(X, A)     \
  FAR_SHMEM_DISTINCT_RMA(X, A)  \
  FAR_SHMEM_FIXED_SMALL(X, A)   \
  FAR_SHMEM_FIXED_WORDS(X, A)   \
  X(A, size_t, size)            \
  X(A, ptrdiff_t, ptrdiff)

/* Atomics: arithmetic; fetch, set and swap; bitwise. */
#define FAR_SHMEM_DISTINCT_AMO(X, A) \
  FAR_SHMEM_LONGS(X, A)              \
  FAR_SHMEM_ULONGS(X, A)
#define FAR_SHMEM_AMO(X, A)    \
  FAR_SHMEM_DISTINCT_AMO(X, A) \
  FAR_SHMEM_FIXED_WORDS(X, A)  \
  X(A, size_t, size)           \
  X(A, ptrdiff_t, ptrdiff)
#define FAR_SHMEM_DISTINCT_EXTENDED_AMO(X, A) \
  X(A, float, float)                          \
  X(A, double, double)                        \
  FAR_SHMEM_DISTINCT_AMO(X, A)
#define FAR_SHMEM_EXTENDED_AMO(X, A) \
  X(A, float, float)                 \
  X(A, double, double)               \
  FAR_SHMEM_AMO(X, A)
#define FAR_SHMEM_DISTINCT_BITWISE_AMO(X, A) \
  FAR_SHMEM_ULONGS(X, A)                     \
  X(A, int, int32)                           \
  X(A, long, int64)
#define FAR_SHMEM_BITWISE_AMO(X, A) \
  FAR_SHMEM_ULONGS(X, A)            \
  FAR_SHMEM_FIXED_WORDS(X, A)

/* Waiting. */
#define FAR_SHMEM_DISTINCT_SYNC(X, A) \
  X(A, short, short)                  \
  X(A, unsigned short, ushort)        \
  FAR_SHMEM_DISTINCT_AMO(X, A)
#define FAR_SHMEM_SYNC(X, A)   \
  X(A, short, short)           \
  X(A, unsigned short, ushort) \
  FAR_SHMEM_AMO(X, A)

/* Reductions of teams: bitwise; max and min; sum, product and scans. */
#define FAR_SHMEM_DISTINCT_BITWISE(X, A) \
  FAR_SHMEM_SMALL_UNSIGNED(X, A)         \
  FAR_SHMEM_ULONGS(X, A)                 \
  X(A, signed char, int8)                \
  X(A, short, int16)                     \
  X(A, int, int32)                       \
  X(A, long, int64)
#define FAR_SHMEM_BITWISE(X, A)  \
  FAR_SHMEM_SMALL_UNSIGNED(X, A) \
  FAR_SHMEM_ULONGS(X, A)         \
  FAR_SHMEM_FIXED_SMALL(X, A)    \
  FAR_SHMEM_FIXED_WORDS(X, A)    \
  X(A, size_t, size)
#define FAR_SHMEM_DISTINCT_ORDERED(X, A) FAR_SHMEM_DISTINCT_RMA(X, A)
#define FAR_SHMEM_ORDERED(X, A) FAR_SHMEM_RMA(X, A)
#define FAR_SHMEM_DISTINCT_SUMMED(X, A) \
  FAR_SHMEM_DISTINCT_RMA(X, A)          \
  FAR_SHMEM_COMPLEXES(X, A)
#define FAR_SHMEM_SUMMED(X, A) \
  FAR_SHMEM_RMA(X, A)          \
  FAR_SHMEM_COMPLEXES(X, A)

/* Reductions of active sets, deprecated. */
#define FAR_SHMEM_OLD_BITWISE(X, A) \
  X(A, short, short)                \
  FAR_SHMEM_LONGS(X, A)
#define FAR_SHMEM_OLD_ORDERED(X, A) \
  FAR_SHMEM_OLD_BITWISE(X, A)       \
  FAR_SHMEM_REALS(X, A)
#define FAR_SHMEM_OLD_SUMMED(X, A) \
  FAR_SHMEM_OLD_ORDERED(X, A)      \
  FAR_SHMEM_COMPLEXES(X, A)

/* Waiting of OpenSHMEM 1.3, deprecated. */
#define FAR_SHMEM_OLD_SYNC(X, A) FAR_SHMEM_OLD_BITWISE(X, A)

/* Transfers of elements of 8 to 128 bits: X(A, BYTES, SUFFIX). */
#define FAR_SHMEM_SIZES(X, A) \
  X(A, 1, 8)                  \
  X(A, 2, 16)                 \
  X(A, 4, 32)                 \
  X(A, 8, 64)                 \
  X(A, 16, 128)

#endif
