# libfar_shmem.so: OpenSHMEM's interface (docs/openshmem.md). Its header has a name that other
# packages use too (shmem.h), so it is in a folder of its own.

far_glob_flat(far_shmem_sources bindings/shmem/*.cpp)
set(far_shmem_headers ${PROJECT_SOURCE_DIR}/bindings/shmem/include)
add_library(far_shmem SHARED ${far_shmem_sources})
set_target_properties(far_shmem PROPERTIES
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  CXX_VISIBILITY_PRESET hidden  # calls within the library need no table
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

# far_shmem_wrappers(folder include lib): writes far-oshcc, far-oshc++ and far-oshrun, which find the
# rest by paths relative to the folder that they are in.
function(far_shmem_wrappers folder far_shmem_include_from_bin far_shmem_lib_from_bin)
  set(from ${PROJECT_SOURCE_DIR}/bindings/shmem)
  set(executable FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
    GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  configure_file(${from}/far-oshcc.in ${folder}/far-oshcc @ONLY ${executable})
  configure_file(${from}/far-oshcc.in ${folder}/far-oshc++ @ONLY ${executable})
  configure_file(${from}/far-oshrun.in ${folder}/far-oshrun @ONLY ${executable})
endfunction()
file(RELATIVE_PATH far_shmem_include ${PROJECT_BINARY_DIR}/bin ${far_shmem_headers})
far_shmem_wrappers(${PROJECT_BINARY_DIR}/bin ${far_shmem_include} ../lib)
