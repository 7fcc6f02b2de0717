# Tests of the C interface: programs of test/c, compiled as C99, that check themselves, and C examples, on
# some numbers of ranks.

find_program(FAR_CC NAMES gcc cc clang)
mark_as_advanced(FAR_CC)
if(NOT TARGET far_c OR NOT TARGET far_tool OR NOT FAR_CC)
  return()
endif()

set(far_c_folder ${PROJECT_BINARY_DIR}/c)
far_glob_flat(far_c_test_files test/c/*.c examples/c/*.c)
far_glob_flat(far_c_test_headers test/c/*.h)
set(far_c_flags -std=c99 -D_POSIX_C_SOURCE=200809L -O1 -g -pthread -Wall -Wextra -Wpedantic -Werror)
if(FAR_SANITIZE)
  list(APPEND far_c_flags -fsanitize=${FAR_SANITIZE})
endif()
set(far_c_programs "")
foreach(file IN LISTS far_c_test_files ITEMS ${PROJECT_SOURCE_DIR}/test/c/programs/rank_fails.c)
  cmake_path(GET file STEM name)
  set(program ${far_c_folder}/${name})
  add_custom_command(OUTPUT ${program}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${far_c_folder}
    COMMAND ${FAR_CC} ${far_c_flags} -I${far_c_headers} ${file} -o ${program}
      -L${CMAKE_LIBRARY_OUTPUT_DIRECTORY} -Wl,-rpath,${CMAKE_LIBRARY_OUTPUT_DIRECTORY}
      -Wl,--build-id -lfar_c
    DEPENDS far_c ${file} ${far_c_test_headers} ${far_c_header_files}
    COMMENT "Building ${name} with libfar_c" VERBATIM)
  list(APPEND far_c_programs ${program})
  set(runner run)
  set(where "")
  if(name STREQUAL "rank_fails")
    set(runner failure)
  elseif(TARGET far_ucx AND NOT FAR_SANITIZE)  # UCX's shutdown is not sanitizer-clean
    set(where nodes)
  elseif(FAR_SANITIZE STREQUAL "thread" AND name STREQUAL "threads")
    # ThreadSanitizer does not see how other processes order the threads of this one.
    set(where alone)
  endif()
  far_add_ctest(c_${name} "quick;library;release"
    ${PROJECT_SOURCE_DIR}/test/c/${runner}.sh $<TARGET_FILE:far_tool> ${program} ${where})
endforeach()
add_custom_target(far_c_tests DEPENDS ${far_c_programs})
add_dependencies(far_c_tests far_tool)
add_dependencies(library_tests far_c_tests)
list(APPEND far_release_targets far_c_tests)
