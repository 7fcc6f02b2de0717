#ifndef SHMEM_H
#define SHMEM_H
/* OpenSHMEM 1.6 over libfar, for C99, C11 (names without types) and C++ (overloads).
 *
 * docs/openshmem.md of libfar says how to build and start programs, and what it does beyond the
 * specification. Where the specification calls behavior undefined, most errors end the job with a
 * line that names the function and the PE. */

#include "far_shmem/constants.h"
#include "far_shmem/types.h"

#include "far_shmem/atomics.h"
#include "far_shmem/collectives.h"
#include "far_shmem/deprecated.h"
#include "far_shmem/setup.h"
#include "far_shmem/teams.h"
#include "far_shmem/transfers.h"
#include "far_shmem/waiting.h"

#if defined(__cplusplus)
#include "far_shmem/overloads.h"
#elif __STDC_VERSION__ >= 201112L
#include "far_shmem/generic.h"
#endif

#endif
