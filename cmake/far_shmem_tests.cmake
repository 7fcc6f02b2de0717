# Tests of OpenSHMEM's interface: programs of test/shmem that check themselves, on some numbers of
# PEs.

find_program(FAR_CC NAMES gcc cc clang)
mark_as_advanced(FAR_CC)
if(NOT TARGET far_shmem OR NOT TARGET far_tool OR NOT FAR_CC)
  return()
endif()

set(far_shmem_folder ${PROJECT_BINARY_DIR}/shmem)
far_glob_flat(far_shmem_test_files test/shmem/*.c test/shmem/*.cpp)
far_glob_flat(far_shmem_test_headers test/shmem/*.h)
far_glob(far_shmem_header_files bindings/shmem/include/*.h)
set(far_shmem_flags -O1 -g -pthread -Wall -Wextra -Werror -I${far_shmem_headers})
if(FAR_SANITIZE)
  list(APPEND far_shmem_flags -fsanitize=${FAR_SANITIZE})
endif()
set(far_shmem_programs "")
foreach(file IN LISTS far_shmem_test_files ITEMS statics_fixed)
  cmake_path(GET file STEM name)
  set(program ${far_shmem_folder}/${name})
  if(file STREQUAL "statics_fixed")
    set(file ${PROJECT_SOURCE_DIR}/test/shmem/statics.c)
    set(compile ${FAR_CC} -std=c99 -Wpedantic -fno-pie -no-pie)
  elseif(file MATCHES "[.]cpp$")
    set(compile ${CMAKE_CXX_COMPILER} -std=c++11)
  elseif(name STREQUAL "generic")
    set(compile ${FAR_CC} -std=c11 -Wpedantic)
  else()
    set(compile ${FAR_CC} -std=c99 -D_POSIX_C_SOURCE=200809L -Wpedantic)
  endif()
  add_custom_command(OUTPUT ${program}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${far_shmem_folder}
    COMMAND ${compile} ${far_shmem_flags} ${file} -o ${program}
      -L${CMAKE_LIBRARY_OUTPUT_DIRECTORY} -Wl,-rpath,${CMAKE_LIBRARY_OUTPUT_DIRECTORY}
      -Wl,--build-id -lfar_shmem
    DEPENDS far_shmem ${file} ${far_shmem_test_headers} ${far_shmem_header_files}
    COMMENT "Building ${name} with libfar_shmem" VERBATIM)
  list(APPEND far_shmem_programs ${program})
  set(runner run)
  set(how "")
  if(name STREQUAL "errors")
    set(runner errors)
  elseif(TARGET far_ucx AND NOT FAR_SANITIZE)  # UCX's shutdown is not sanitizer-clean
    set(how nodes)
  endif()
  if(name STREQUAL "waiting")
    list(APPEND how 8)  # more PEs that sleep at a time
  endif()
  far_add_ctest(shmem_${name} "release"
    ${PROJECT_SOURCE_DIR}/test/shmem/${runner}.sh $<TARGET_FILE:far_tool> ${program} ${how})
endforeach()
add_custom_target(far_shmem_tests DEPENDS ${far_shmem_programs})
add_dependencies(far_shmem_tests far_tool)
list(APPEND far_release_targets far_shmem_tests)
