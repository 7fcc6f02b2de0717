# Tests: one executable and one ctest entry per X_test.cpp, named by its path
# (src/far/team/barrier_test.cpp is team_barrier_test, test/probes/ring_test.cpp is
# probes_ring_test). Label `release`: `./dev test` runs it in the release build too.

if(far_test_support_sources)
  add_library(far_test_support STATIC ${far_test_support_sources})
  target_compile_options(far_test_support PRIVATE ${far_warnings})
  set(scope PUBLIC)
else()
  add_library(far_test_support INTERFACE)
  set(scope INTERFACE)
endif()
target_include_directories(far_test_support ${scope} ${PROJECT_SOURCE_DIR})
target_compile_definitions(far_test_support ${scope}
  FAR_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
  FAR_BINARY_DIR="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
# gtest_main comes last: a main() in test/support goes first.
target_link_libraries(far_test_support ${scope}
  far far_private_dependencies GTest::gtest GTest::gtest_main)

# far_test_name(result source): the name of a test by the path of its source.
function(far_test_name result source)
  cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
  cmake_path(REMOVE_EXTENSION source LAST_ONLY)
  string(REGEX REPLACE "^(src/far|test)/" "" source ${source})
  string(REPLACE "/" "_" source ${source})
  set(${result} ${source} PARENT_SCOPE)
endfunction()

function(far_add_ctest name label)
  add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${PROJECT_BINARY_DIR})
  set_tests_properties(${name} PROPERTIES TIMEOUT 300 LABELS "${label}")
endfunction()

foreach(source IN LISTS far_test_program_sources)
  cmake_path(GET source STEM name)
  add_executable(${name} ${source})
  target_compile_options(${name} PRIVATE ${far_warnings})
  target_link_libraries(${name} PRIVATE far far_private_dependencies)
endforeach()

foreach(source IN LISTS far_test_sources)
  cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE path)
  string(REGEX MATCH "^apps/([^/]+)/" in_app ${path})
  set(app ${CMAKE_MATCH_1})
  if(in_app AND NOT FAR_TOOLS)
    continue()
  endif()
  far_test_name(name ${source})
  if(TARGET ${name})
    message(FATAL_ERROR "${path}: another test has the name ${name}; rename one of the two")
  endif()
  add_executable(${name} ${source})
  target_compile_options(${name} PRIVATE ${far_warnings})
  target_link_libraries(${name} PRIVATE far_test_support)
  if(path MATCHES "^tools/")
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tools)
  endif()
  if(app STREQUAL "common")
    target_link_libraries(${name} PRIVATE far_apps_common)
  elseif(in_app)
    target_link_libraries(${name} PRIVATE far_app_${app})
    if(TARGET far-${app})
      add_dependencies(${name} far-${app})
    endif()
  endif()
  if(in_app)
    far_add_ctest(${name} "app;release" ${name})
  else()
    far_add_ctest(${name} "unit" ${name})
  endif()
endforeach()

if(FAR_TOOLS)
  foreach(source IN LISTS far_example_sources)
    cmake_path(GET source STEM name)
    far_add_ctest(example_${name} "example;release" example_${name})
    if(TARGET far_tool)
      far_add_ctest(example_${name}_2_ranks "example;release"
        far_tool run -n 2 $<TARGET_FILE:example_${name}>)
    endif()
  endforeach()
endif()

if(FAR_INSTALL AND NOT FAR_SANITIZE)
  far_add_ctest(install "install;release"
    ${PROJECT_SOURCE_DIR}/test/install/install_test.sh
    ${PROJECT_BINARY_DIR} ${CMAKE_CXX_COMPILER})
endif()

# The checks of the sources and the tests of scripts are the same for every preset; those of the
# sanitizers need not repeat them.
if(NOT FAR_SANITIZE)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(far_checks ${PROJECT_SOURCE_DIR}/test/checks)
  foreach(check IN ITEMS layering claims links environment)
    far_add_ctest(${check} "check" ${Python3_EXECUTABLE} -B ${far_checks}/${check}.py)
  endforeach()
  foreach(script IN LISTS far_script_tests)
    far_test_name(name ${script})
    far_add_ctest(${name} "check" ${Python3_EXECUTABLE} -B ${script})
  endforeach()
  find_program(FAR_CLANG_FORMAT clang-format-16)
  if(FAR_CLANG_FORMAT)
    far_add_ctest(formatting "check" ${far_checks}/formatting.sh)
  else()
    message(STATUS "Without clang-format-16 there is no formatting test")
  endif()
endif()
