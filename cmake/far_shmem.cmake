# libfar_shmem.so: OpenSHMEM's interface (docs/openshmem.md). Its header has a name that other
# packages use too (shmem.h), so it is in a folder of its own.

far_glob_flat(far_shmem_sources bindings/shmem/*.cpp)
set(far_shmem_headers ${PROJECT_SOURCE_DIR}/bindings/shmem/include)
add_library(far_shmem SHARED ${far_shmem_sources})
set_target_properties(far_shmem PROPERTIES
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  INSTALL_RPATH $ORIGIN)
target_include_directories(far_shmem
  PUBLIC $<BUILD_INTERFACE:${far_shmem_headers}>
  PRIVATE ${PROJECT_SOURCE_DIR}/bindings)
# Thousands of functions are defined by macros of the interface's own C names. On one machine a
# transfer is a few instructions, which a frame pointer would add a quarter to.
target_compile_options(far_shmem PRIVATE ${far_warnings} -Wno-old-style-cast
  -fno-semantic-interposition -fomit-frame-pointer)
# Users see C, so nothing of libfar's compile options or headers.
target_link_libraries(far_shmem PRIVATE $<BUILD_INTERFACE:far>
  $<BUILD_INTERFACE:far_private_dependencies> INTERFACE $<LINK_ONLY:far>)
if(TARGET far_ucx)
  add_dependencies(far_shmem far_ucx)  # jobs of several machines load it
endif()
far_precompile(far_shmem <functional> <memory> <fmt/format.h> src/far/world/job.hpp)
