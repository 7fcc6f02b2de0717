# Programs that do the work of `far bench` with other libraries, one per installed library:
# bench/peers/mpi_*.c by the compiler wrapper of each MPI, ga_peer.c with Global Arrays, shmem_peer.c
# with OpenSHMEM, ucp_peer.cpp with UCX, absl_peer.cpp with Abseil, python/ by packages of Python.
# They are in libexec/far, which `far` finds relative to its own folder.

if(FAR_SANITIZE)
  return()  # for tests, not for measuring
endif()

# Whether a compiler wrapper has its header: Debian's package of Open MPI's runtime contains the
# wrappers, but not the headers.
function(far_finds_header result wrapper header)
  execute_process(COMMAND ${wrapper} -fsyntax-only -include ${header} -x c /dev/null
    RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  if(status EQUAL 0)
    set(${result} TRUE PARENT_SCOPE)
  else()
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

set(far_peer_folder ${PROJECT_BINARY_DIR}/libexec/far)
set(far_peers "")
far_glob_flat(far_mpi_peer_sources bench/peers/mpi_*.c)
foreach(mpi IN ITEMS openmpi mpich)
  find_program(FAR_MPICC_${mpi} mpicc.${mpi})
  mark_as_advanced(FAR_MPICC_${mpi})
  if(NOT FAR_MPICC_${mpi})
    continue()
  endif()
  far_finds_header(far_has_headers ${FAR_MPICC_${mpi}} mpi.h)
  if(NOT far_has_headers)
    message(STATUS "No peer of ${mpi}: ${FAR_MPICC_${mpi}} finds no mpi.h")
    continue()
  endif()
  set(peer ${far_peer_folder}/mpi_peer.${mpi})
  add_custom_command(OUTPUT ${peer}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${far_peer_folder}
    COMMAND ${FAR_MPICC_${mpi}} -std=c11 -O2 -g -Wall -Wextra
      -o ${peer} ${far_mpi_peer_sources}
    DEPENDS ${far_mpi_peer_sources} ${PROJECT_SOURCE_DIR}/bench/peers/mpi_peer.h
    COMMENT "Building mpi_peer.${mpi}" VERBATIM)
  list(APPEND far_peers ${peer})
endforeach()

# far_ga_peer(name dependency words...): bench/peers/ga_peer.c with Global Arrays and the ARMCI
# that `words` name.
function(far_ga_peer name dependency)
  set(peer ${far_peer_folder}/${name})
  set(source ${PROJECT_SOURCE_DIR}/bench/peers/ga_peer.c)
  add_custom_command(OUTPUT ${peer}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${far_peer_folder}
    COMMAND ${FAR_MPICC_openmpi} -std=c11 -O2 -g -Wall -Wextra -o ${peer} ${source}
      ${far_global_arrays} ${ARGN} -lm -lpthread
    DEPENDS ${source} ${dependency}
    COMMENT "Building ${name}" VERBATIM)
  set(far_peers ${far_peers} ${peer} PARENT_SCOPE)
endfunction()

if(far_global_arrays AND FAR_MPICC_openmpi)
  if(FAR_DEBIAN_ARMCI)
    far_ga_peer(ga_peer.armci-mpi "" ${FAR_DEBIAN_ARMCI})
  endif()
  if(TARGET far_armci)
    far_ga_peer(ga_peer.libfar far_armci -L${CMAKE_LIBRARY_OUTPUT_DIRECTORY} -lfar_armci
      -Wl,-rpath,$ORIGIN/../../lib:$ORIGIN/../../${CMAKE_INSTALL_LIBDIR})
  endif()
endif()
# bench/peers/shmem_peer.c with libfar's OpenSHMEM and with Open MPI's.
function(far_shmem_peer name dependency)
  set(peer ${far_peer_folder}/${name})
  set(source ${PROJECT_SOURCE_DIR}/bench/peers/shmem_peer.c)
  add_custom_command(OUTPUT ${peer}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${far_peer_folder}
    COMMAND ${ARGN} -std=gnu11 -O2 -g -Wall -Wextra -Wno-deprecated-declarations -o ${peer} ${source}
    DEPENDS ${source} ${dependency}
    COMMENT "Building ${name}" VERBATIM)
  set(far_peers ${far_peers} ${peer} PARENT_SCOPE)
endfunction()
find_program(FAR_OSHCC_openmpi oshcc)
find_program(FAR_CC NAMES gcc cc clang)
mark_as_advanced(FAR_OSHCC_openmpi FAR_CC)
if(FAR_OSHCC_openmpi)
  far_finds_header(far_has_oshmem ${FAR_OSHCC_openmpi} shmem.h)
endif()
if(far_has_oshmem)
  far_shmem_peer(shmem_peer.oshmem "" ${FAR_OSHCC_openmpi})
endif()
if(TARGET far_shmem AND FAR_CC)
  far_shmem_peer(shmem_peer.libfar far_shmem ${FAR_CC} -I${far_shmem_headers}
    -L${CMAKE_LIBRARY_OUTPUT_DIRECTORY} -Wl,--no-as-needed -lfar_shmem
    -Wl,-rpath,$ORIGIN/../../lib:$ORIGIN/../../${CMAKE_INSTALL_LIBDIR} -Wl,--build-id)
endif()
add_custom_target(far_bench_peers ALL DEPENDS ${far_peers})
if(TARGET far_ucx)
  add_executable(far_ucp_peer ${PROJECT_SOURCE_DIR}/bench/peers/ucp_peer.cpp)
  set_target_properties(far_ucp_peer PROPERTIES
    OUTPUT_NAME ucp_peer RUNTIME_OUTPUT_DIRECTORY ${far_peer_folder})
  target_compile_options(far_ucp_peer PRIVATE ${far_warnings})
  target_link_libraries(far_ucp_peer PRIVATE PkgConfig::UCX)
  add_dependencies(far_bench_peers far_ucp_peer)
  list(APPEND far_peers ${far_peer_folder}/ucp_peer)  # to install
endif()
find_package(absl QUIET)
if(TARGET absl::flat_hash_map)
  add_executable(far_absl_peer ${PROJECT_SOURCE_DIR}/bench/peers/absl_peer.cpp)
  set_target_properties(far_absl_peer PROPERTIES
    OUTPUT_NAME absl_peer RUNTIME_OUTPUT_DIRECTORY ${far_peer_folder})
  target_compile_options(far_absl_peer PRIVATE ${far_warnings})
  target_link_libraries(far_absl_peer PRIVATE absl::flat_hash_map)
  add_dependencies(far_bench_peers far_absl_peer)
  list(APPEND far_peers ${far_peer_folder}/absl_peer)  # to install
endif()
# Scripts.
far_glob_flat(far_python_peers bench/peers/python/*.py)
foreach(peer IN LISTS far_python_peers)
  cmake_path(GET peer FILENAME name)
  configure_file(${peer} ${far_peer_folder}/python/${name} COPYONLY)
endforeach()
