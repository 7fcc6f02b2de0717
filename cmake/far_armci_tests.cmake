# Tests of ARMCI's interface: programs of test/armci, linked with libfar_armci.so. Those that call
# ARMCI check themselves. Those that use Global Arrays are also linked with Debian's
# libarmci-openmpi.a, if it is there; both must print the same. `./dev ga` installs what they need.

if(NOT TARGET far_armci)
  return()
endif()

set(far_armci_folder ${PROJECT_BINARY_DIR}/armci)
far_glob_flat(far_armci_test_headers test/armci/*.h)
set(far_armci_compile ${FAR_MPICC_openmpi} -std=c11 -O1 -g -Wall -Wextra)
set(far_armci_link
  -L${CMAKE_LIBRARY_OUTPUT_DIRECTORY} -Wl,-rpath,${CMAKE_LIBRARY_OUTPUT_DIRECTORY}
  -Wl,--build-id -lfar_armci)

# far_armci_program(result file libraries...): test/armci/FILE with libfar_armci.so, and, with
# libraries, the same with libarmci-openmpi.a (NAME.reference). Debian's armci.h is in a system
# folder; ours goes first.
function(far_armci_program result file)
  cmake_path(GET file STEM name)
  set(program ${far_armci_folder}/${name})
  set(source ${PROJECT_SOURCE_DIR}/test/armci/${file})
  if(NOT file MATCHES "[.]c$")
    set(far_armci_compile ${far_armci_compile_fortran})
  endif()
  add_custom_command(OUTPUT ${program}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${far_armci_folder}
    COMMAND ${far_armci_compile} -I${far_armci_headers} ${source} -o ${program}
      ${ARGN} ${far_armci_link} -lm
    DEPENDS far_armci ${source} ${far_armci_test_headers}
    COMMENT "Building ${name} with libfar_armci" VERBATIM)
  set(built ${program})
  if(FAR_DEBIAN_ARMCI AND ARGN)
    add_custom_command(OUTPUT ${program}.reference
      COMMAND ${CMAKE_COMMAND} -E make_directory ${far_armci_folder}
      COMMAND ${far_armci_compile} ${source} -o ${program}.reference
        ${ARGN} ${FAR_DEBIAN_ARMCI} -lm -lpthread
      DEPENDS ${source} ${far_armci_test_headers}
      COMMENT "Building ${name} with libarmci-openmpi" VERBATIM)
    list(APPEND built ${program}.reference)
  endif()
  set(${result} ${built} PARENT_SCOPE)
  set(runner compare)
  if(name MATCHES "errors$")
    set(runner errors)
  endif()
  far_add_ctest(${name} "release" ${PROJECT_SOURCE_DIR}/test/armci/${runner}.sh ${built})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
endfunction()

find_program(FAR_GFORTRAN NAMES gfortran gfortran-12 gfortran-13 gfortran-14)
find_program(FAR_MPIFORT_openmpi mpifort.openmpi)
mark_as_advanced(FAR_GFORTRAN FAR_MPIFORT_openmpi)
# Debian's GA are compiled for integers of 8 bytes.
set(far_armci_compile_fortran
  ${CMAKE_COMMAND} -E env OMPI_FC=${FAR_GFORTRAN} ${FAR_MPIFORT_openmpi}
  -fdefault-integer-8 -O1 -g -Wall -I/usr/include)

set(far_armci_programs "")
foreach(file IN ITEMS armci_calls.c armci_errors.c armci_groups.c armci_threads.c)
  far_armci_program(built ${file})
  list(APPEND far_armci_programs ${built})
endforeach()
if(far_global_arrays)
  set(far_ga_files ga_algebra.c ga_elements.c ga_sections.c)
  if(FAR_GFORTRAN AND FAR_MPIFORT_openmpi)
    list(APPEND far_ga_files ga_fortran.F90)
  else()
    message(STATUS "No Fortran program of Global Arrays: ./dev ga installs a compiler")
  endif()
  foreach(file IN LISTS far_ga_files)
    far_armci_program(built ${file} ${far_global_arrays})
    list(APPEND far_armci_programs ${built})
  endforeach()
else()
  message(STATUS "No tests with Global Arrays: ./dev ga installs what they need")
endif()
add_custom_target(far_armci_tests DEPENDS ${far_armci_programs})
list(APPEND far_release_targets far_armci_tests)
