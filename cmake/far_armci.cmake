# libfar_armci.so: ARMCI's interface (docs/armci.md), where Open MPI's headers are installed. Its
# headers have names that other packages use too (message.h), so they are in a folder of their own.

if(FAR_SANITIZE OR NOT TARGET far_mpi OR NOT TARGET far_ucx)
  return()  # MPI itself is not sanitizer-clean; without PMIx no rank finds the others
endif()

far_glob_flat(far_armci_sources bindings/armci/*.cpp)
set(far_armci_headers ${PROJECT_SOURCE_DIR}/bindings/armci/include)
add_library(far_armci SHARED ${far_armci_sources})
set_target_properties(far_armci PROPERTIES
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  INSTALL_RPATH $ORIGIN)
target_include_directories(far_armci
  PUBLIC $<BUILD_INTERFACE:${far_armci_headers}>
  PRIVATE ${PROJECT_SOURCE_DIR}/bindings)
target_compile_options(far_armci PRIVATE ${far_warnings})
target_link_libraries(far_armci PUBLIC far_mpi PRIVATE far far_private_dependencies)
add_dependencies(far_armci far_ucx)  # jobs that mpirun starts load it
far_precompile(far_armci <fmt/format.h> src/far/world/job.hpp)
