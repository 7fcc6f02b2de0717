# The apps, the benchmarks and the examples.

if(TARGET far_mpi AND NOT FAR_SANITIZE)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/apps/common/variant.cpp
    PROPERTIES COMPILE_DEFINITIONS FAR_APPS_WITH_MPI=1)
  far_add_static(far_apps_mpi ${far_mpi_sources_of_common})
  target_compile_definitions(far_apps_mpi PUBLIC FAR_APPS_WITH_MPI=1)
  target_link_libraries(far_apps_mpi PUBLIC far_apps_common far_mpi)
endif()

# An app is apps/NAME/main.cpp; its other files form a library, so that tests can call them.
foreach(app IN LISTS far_apps)
  set(parts ${far_sources_of_${app}})
  set(main ${PROJECT_SOURCE_DIR}/apps/${app}/main.cpp)
  list(REMOVE_ITEM parts ${main})
  if(app STREQUAL "kv" AND NOT TARGET far_kv)
    continue()
  endif()
  # blas_X.cpp is no part of the library, so that tests need no BLAS.
  set(blas_parts ${parts})
  list(FILTER blas_parts INCLUDE REGEX "/blas_[^/]*\\.cpp$")
  list(FILTER parts EXCLUDE REGEX "/blas_[^/]*\\.cpp$")
  far_add_static(far_app_${app} ${parts})
  if(parts)
    target_link_libraries(far_app_${app} PUBLIC far_apps_common)
  else()
    target_link_libraries(far_app_${app} INTERFACE far_apps_common)
  endif()
  if(far_mpi_sources_of_${app} AND TARGET far_apps_mpi)
    target_sources(far_app_${app} PRIVATE ${far_mpi_sources_of_${app}})
    target_link_libraries(far_app_${app} PUBLIC far_apps_mpi)
  endif()
  if(app STREQUAL "kv")
    target_link_libraries(far_app_kv PUBLIC far_kv)
  endif()
  if(blas_parts AND NOT TARGET PkgConfig::OPENBLAS)
    message(STATUS "No far-${app}: it needs OpenBLAS (Debian: libopenblas-dev)")
  elseif(EXISTS ${main})
    add_executable(far-${app} ${main} ${blas_parts})
    target_compile_options(far-${app} PRIVATE ${far_warnings})
    target_link_libraries(far-${app} PRIVATE far_app_${app})
    far_precompile_program(far-${app})
    if(blas_parts)
      # Its header only: blas_X.cpp loads the library.
      target_include_directories(far-${app} SYSTEM PRIVATE ${OPENBLAS_INCLUDE_DIRS})
      target_link_libraries(far-${app} PRIVATE ${CMAKE_DL_LIBS})
    endif()
  endif()
endforeach()

# Loops over pairs of atoms, rows of blocks and rows of cells, which the default options would not
# vectorize. GCC 12 crashes on the last in the pass that is left out, and with a sanitizer.
set_source_files_properties(
  ${PROJECT_SOURCE_DIR}/apps/water/force.cpp ${PROJECT_SOURCE_DIR}/apps/lu/kernels.cpp
  PROPERTIES COMPILE_OPTIONS "-O3;-fno-math-errno" SKIP_PRECOMPILE_HEADERS ON)
if(NOT FAR_SANITIZE)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/apps/mg/kernels.cpp
    PROPERTIES COMPILE_OPTIONS "-O3;-fno-ipa-cp")
endif()

# The program that `far bench` runs.
add_executable(far_bench ${far_bench_sources} ${PROJECT_SOURCE_DIR}/tools/far/complain.cpp)
set_target_properties(far_bench PROPERTIES OUTPUT_NAME far-bench)
target_compile_options(far_bench PRIVATE ${far_warnings})
target_link_libraries(far_bench PRIVATE far_bench_harness
  far_app_graph  # to read graphs
  far_app_water far_app_lu)
# Loops of one clock cycle: what is compared must not depend on where the linker puts it.
set_source_files_properties(
  ${PROJECT_SOURCE_DIR}/bench/array.cpp ${PROJECT_SOURCE_DIR}/bench/array_hits.cpp
  PROPERTIES COMPILE_OPTIONS "-falign-functions=64;-falign-loops=64" SKIP_PRECOMPILE_HEADERS ON)
far_precompile_program(far_bench)

foreach(tool IN LISTS far_other_tools)
  add_executable(${tool} ${far_sources_of_tool_${tool}})
  target_include_directories(${tool} PRIVATE ${PROJECT_SOURCE_DIR}/tools)
  target_compile_options(${tool} PRIVATE ${far_warnings})
  target_link_libraries(${tool} PRIVATE far_apps_common)
  far_precompile_program(${tool})
endforeach()

if(NOT TARGET far_kv)
  list(FILTER far_example_sources EXCLUDE REGEX "/kv_[^/]*$")
endif()
foreach(source IN LISTS far_example_sources)
  cmake_path(GET source STEM name)
  add_executable(example_${name} ${source})
  target_compile_options(example_${name} PRIVATE ${far_warnings})
  target_link_libraries(example_${name} PRIVATE far)  # only what users link
  if(name MATCHES "^kv_")
    target_link_libraries(example_${name} PRIVATE far_kv)
  endif()
endforeach()
