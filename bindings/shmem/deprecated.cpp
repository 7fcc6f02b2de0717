// Older names, and cache control, which coherent machines do not need.

#include "far_shmem/deprecated.h"

#include "far_shmem/setup.h"
#include "shmem/function.hpp"

FAR_SHMEM_FUNCTION(void, set_cache_inv, (void)) {}
FAR_SHMEM_FUNCTION(void, set_cache_line_inv, (void* /*dest*/)) {}
FAR_SHMEM_FUNCTION(void, clear_cache_inv, (void)) {}
FAR_SHMEM_FUNCTION(void, clear_cache_line_inv, (void* /*dest*/)) {}
FAR_SHMEM_FUNCTION(void, udcflush, (void)) {}
FAR_SHMEM_FUNCTION(void, udcflush_line, (void* /*dest*/)) {}

FAR_SHMEM_EXPORT void start_pes(int /*npes*/) {
  int is_initialized = 0;
  shmem_query_initialized(&is_initialized);
  if (is_initialized == 0) shmem_init();
}
FAR_SHMEM_EXPORT int _my_pe(void) { return shmem_my_pe(); }
FAR_SHMEM_EXPORT int _num_pes(void) { return shmem_n_pes(); }
FAR_SHMEM_EXPORT void* shmalloc(size_t size) { return shmem_malloc(size); }
FAR_SHMEM_EXPORT void shfree(void* ptr) { shmem_free(ptr); }
FAR_SHMEM_EXPORT void* shrealloc(void* ptr, size_t size) { return shmem_realloc(ptr, size); }
FAR_SHMEM_EXPORT void* shmemalign(size_t alignment, size_t size) {
  return shmem_align(alignment, size);
}
