# libfar.so and the generated version header.

configure_file(${PROJECT_SOURCE_DIR}/src/far/base/version.hpp.in
  ${PROJECT_BINARY_DIR}/include/far/base/version.hpp @ONLY)

add_library(far SHARED ${far_library_sources})
add_library(far::far ALIAS far)
set_target_properties(far PROPERTIES
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})  # before 1.0, minors may break
# The file set also makes both folders the include path of the library and its users.
target_sources(far PUBLIC FILE_SET HEADERS
  BASE_DIRS ${PROJECT_SOURCE_DIR}/src ${PROJECT_BINARY_DIR}/include
  FILES ${far_headers} ${PROJECT_BINARY_DIR}/include/far/base/version.hpp)
target_compile_features(far PUBLIC cxx_std_20)
# Calls within a source file bypass the PLT. So a program that replaces a function of a source file
# must replace the whole file, as the mutants of test/mutants do.
target_compile_options(far PRIVATE ${far_warnings} -fno-semantic-interposition)
if(FAR_DEBUG_CHECKS)
  # Public, because headers contain checks too: library and program must agree.
  target_compile_definitions(far PUBLIC FAR_DEBUG_CHECKS=1)
endif()
target_link_options(far INTERFACE -Wl,--build-id -Wl,--export-dynamic)
target_link_libraries(far PUBLIC Threads::Threads
  PRIVATE $<BUILD_INTERFACE:far_private_dependencies>)
# GCC warns of a class with fields of file-local types, except in the file that it compiles.
set_source_files_properties(src/far/fabric/sim/fiber.cpp
  PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
far_unity(far 20)
far_precompile(far <atomic> <functional> <memory> <span> <fmt/format.h>
  src/far/fabric/fabric.hpp src/far/world/world.hpp)

# The uplink over UCX: a separate library, loaded by jobs that need it, so that libfar.so does not
# depend on UCX. It calls libfar's internals, so it has the same version and no program links it.
if(UCX_FOUND AND PMIX_FOUND)
  add_library(far_ucx SHARED ${far_ucx_sources})
  set_target_properties(far_ucx PROPERTIES
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    INSTALL_RPATH $ORIGIN)
  target_compile_options(far_ucx PRIVATE ${far_warnings})
  target_link_libraries(far_ucx PRIVATE far far_private_dependencies PkgConfig::UCX PkgConfig::PMIX)
  far_unity(far_ucx 20)
  far_precompile(far_ucx <memory> <fmt/format.h> src/far/fabric/ucx/link.hpp)
  if(NOT PROJECT_IS_TOP_LEVEL)
    # What links libfar is built with the uplink, also where this folder is EXCLUDE_FROM_ALL. The
    # uplink links libfar itself, so not for it.
    add_library(far_uplink INTERFACE)
    add_dependencies(far_uplink far_ucx)
    set_target_properties(far_ucx PROPERTIES FAR_IS_UPLINK ON)
    target_link_libraries(far INTERFACE
      $<BUILD_INTERFACE:$<$<NOT:$<BOOL:$<TARGET_PROPERTY:FAR_IS_UPLINK>>>:far_uplink>>)
  endif()
else()
  message(STATUS "Without UCX and PMIx (libucx-dev, libpmix-dev) jobs are of one machine")
endif()
