# Open MPI, where its headers are installed: an option of the build, of no part of libfar.so itself.
# Only its C interface is used, so its C++ library need not be there.
#
# Result: the target far_mpi, if it is there.

find_program(FAR_MPICC_openmpi mpicc.openmpi)
mark_as_advanced(FAR_MPICC_openmpi)
if(NOT FAR_MPICC_openmpi)
  return()
endif()
# Debian's package of Open MPI's runtime contains the wrapper, but not the headers.
execute_process(COMMAND ${FAR_MPICC_openmpi} -fsyntax-only -include mpi.h -x c /dev/null
  RESULT_VARIABLE far_without_headers OUTPUT_QUIET ERROR_QUIET)
if(far_without_headers)
  message(STATUS "No programs of Open MPI: ${FAR_MPICC_openmpi} finds no mpi.h")
  return()
endif()
execute_process(COMMAND ${FAR_MPICC_openmpi} --showme:incdirs
  OUTPUT_VARIABLE far_mpi_includes OUTPUT_STRIP_TRAILING_WHITESPACE)
execute_process(COMMAND ${FAR_MPICC_openmpi} --showme:link
  OUTPUT_VARIABLE far_mpi_link OUTPUT_STRIP_TRAILING_WHITESPACE)
separate_arguments(far_mpi_includes UNIX_COMMAND "${far_mpi_includes}")
separate_arguments(far_mpi_link UNIX_COMMAND "${far_mpi_link}")
add_library(far_mpi INTERFACE)
target_compile_definitions(far_mpi INTERFACE OMPI_SKIP_MPICXX=1)
target_include_directories(far_mpi SYSTEM INTERFACE ${far_mpi_includes})
target_link_libraries(far_mpi INTERFACE ${far_mpi_link})
