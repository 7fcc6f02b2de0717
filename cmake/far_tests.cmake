# Tests: one program per folder, one ctest entry per X_test.cpp, named after its path
# (src/far/team/barrier_test.cpp is team_barrier_test in the program team_tests). The entry runs a
# link of that name, which runs the tests of that file only (test/support/main.cpp). Labels are
# tiers, which docs/testing.md explains: `./dev test` builds and runs `quick`, `./dev asan` and
# `./dev tsan` of these `library`; the release build runs `release`.

if(far_test_support_sources)
  add_library(far_test_support STATIC ${far_test_support_sources})
  target_compile_options(far_test_support PRIVATE ${far_warnings} -g1)
  set(scope PUBLIC)
else()
  add_library(far_test_support INTERFACE)
  set(scope INTERFACE)
endif()
if(FAR_SANITIZE)
  # These compute much in one thread: minutes under sanitizers, which would find little there.
  set_source_files_properties(test/litmus/axioms.cpp test/litmus/rules.cpp
    PROPERTIES COMPILE_OPTIONS -fno-sanitize=all)
endif()
if(TARGET far_ucx AND NOT FAR_SANITIZE MATCHES thread)  # it sees only one process
  target_compile_definitions(far_test_support ${scope} FAR_TEST_UCX=1)
  add_dependencies(far_test_support far_ucx)
endif()
target_include_directories(far_test_support ${scope} ${PROJECT_SOURCE_DIR})
target_compile_definitions(far_test_support ${scope}
  FAR_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
  FAR_BINARY_DIR="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
target_link_libraries(far_test_support ${scope} far far_private_dependencies GTest::gtest)

# far_test_name(result source): derives a test's name from the path of its source.
function(far_test_name result source)
  cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
  cmake_path(REMOVE_EXTENSION source LAST_ONLY)
  string(REGEX REPLACE "^(src/far|test)/" "" source ${source})
  string(REPLACE "/" "_" source ${source})
  set(${result} ${source} PARENT_SCOPE)
endfunction()

# far_precompile_test(target): precompiles the headers that most tests include. The first target
# builds them for all.
function(far_precompile_test target)
  set_target_properties(${target} PROPERTIES DEFINE_SYMBOL "")  # equal macros for all
  get_property(first GLOBAL PROPERTY far_precompiled_by)
  if(first)
    far_accept_precompiled(${target})
    target_precompile_headers(${target} REUSE_FROM ${first})
  else()
    far_precompile_always(${target} <gtest/gtest.h> test/support/jobs.hpp)
    set_property(GLOBAL PROPERTY far_precompiled_by ${target})
  endif()
endfunction()

# far_add_ctest(name labels command...): adds a test; its labels are its tiers (docs/testing.md).
function(far_add_ctest name labels)
  add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${PROJECT_BINARY_DIR})
  set_tests_properties(${name} PROPERTIES TIMEOUT 900 LABELS "${labels}")
endfunction()

# Searches that take long by design, and tests of the tests' own checkers: they run only in the
# release build.
string(CONCAT far_long_tests
  "^(fabric_sim_explore_(reduction|exhaustive)|containers_map_hash_map_automatic"
  "|array_cached_choice_machines|litmus_(axioms|exhaustive|cached_path)"
  "|linearizability_(search|known))")
# A sanitizer's build omits quick tests in which it would find little. Simulated ranks share one
# thread, in which ThreadSanitizer finds nothing.
set(far_unsanitized_tests "^$")
if(FAR_SANITIZE)
  set(far_unsanitized_tests
    "^(litmus|linearizability|launcher|apps_.*_program|array_cached_choice)")
endif()
if(FAR_SANITIZE MATCHES thread)
  string(APPEND far_unsanitized_tests
    "|^(apps|bindings|base|bench|model|launch|fabric_(sim|shm|ucx)|tools|support|scaling)_"
    "|^(array_cached_array_clock|containers_queue_queue_(automatic|costs)|object_object_scaling"
    "|store_part_(items|log|walk))_")
endif()
add_custom_target(quick_tests)
add_custom_target(library_tests)  # all but those of the programs
add_dependencies(quick_tests library_tests)

foreach(source IN LISTS far_test_program_sources)
  cmake_path(GET source STEM name)
  add_executable(test-${name} ${source})
  target_compile_options(test-${name} PRIVATE ${far_warnings} $<$<CONFIG:Debug>:-O0> -g1)
  target_link_libraries(test-${name} PRIVATE far far_private_dependencies)
  list(APPEND far_test_programs test-${name})
endforeach()

# The same program at a fixed address: its static data lie elsewhere, and hold copies of variables
# of shared objects.
add_executable(test-statics_fixed test/programs/statics.cpp)
set_target_properties(test-statics_fixed PROPERTIES POSITION_INDEPENDENT_CODE OFF)
target_compile_options(test-statics_fixed PRIVATE
  ${far_warnings} $<$<CONFIG:Debug>:-O0> -g1 -fno-pie)
target_link_options(test-statics_fixed PRIVATE -no-pie)
target_link_libraries(test-statics_fixed PRIVATE far far_private_dependencies)
list(APPEND far_test_programs test-statics_fixed)

foreach(source IN LISTS far_test_plugin_sources)
  cmake_path(GET source STEM name)
  add_library(test-${name} MODULE ${source})
  target_compile_options(test-${name} PRIVATE ${far_warnings} $<$<CONFIG:Debug>:-O0> -g1
    -fvisibility=hidden -fvisibility-inlines-hidden)
  set_target_properties(test-${name} PROPERTIES
    PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
  target_include_directories(test-${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(test-${name} PRIVATE far)
  list(APPEND far_test_plugins test-${name})
endforeach()

# An MPI program that also joins jobs of libfar; without mpi.h its test is skipped. It is compiled
# as C++ without MPI's C++ bindings, so it needs no C++ MPI library.
if(TARGET far_ucx AND TARGET far_mpi AND NOT FAR_SANITIZE)
  add_executable(test-mpi_jobs test/programs/mpi/mpi_jobs.cpp)
  target_compile_options(test-mpi_jobs PRIVATE ${far_warnings})
  target_link_libraries(test-mpi_jobs PRIVATE far far_mpi)
  list(APPEND far_test_programs test-mpi_jobs)
endif()

# Coroutines over file-local types, of which GCC warns except in the file that it compiles.
set_source_files_properties(test/linearizability/bucket_table_test.cpp
  PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)

# Which tests each program has, in which tiers; which tiers each program is built for.
set(far_test_folders "")
foreach(source IN LISTS far_test_sources)
  cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE path)
  cmake_path(GET path PARENT_PATH folder)
  if(folder MATCHES "^(test/)?apps(/|$)" AND NOT FAR_TOOLS)
    continue()
  endif()
  if(folder STREQUAL "bindings/kv" AND NOT TARGET far_kv)
    continue()
  endif()
  if(folder MATCHES "/fabric/ucx$" AND (NOT TARGET far_ucx OR FAR_SANITIZE MATCHES thread))
    continue()
  endif()
  far_test_name(name ${source})
  set(tiers quick)
  if(name MATCHES "${far_long_tests}")
    set(tiers release)
  elseif(folder STREQUAL "test/bench")  # measurements need full optimization
    set(tiers release)
  elseif(folder MATCHES "^test/(apps|launcher|linearizability|litmus)$")
    list(APPEND tiers release)  # CI runs them there, because sanitizers do not
  endif()
  if(name MATCHES "${far_unsanitized_tests}")
    list(REMOVE_ITEM tiers quick)
  endif()
  if(quick IN_LIST tiers AND NOT folder MATCHES "^((test/)?apps|bench|test/launcher|tools)(/|$)")
    list(APPEND tiers library)
  endif()
  far_add_ctest(${name} "${tiers}" ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${name})
  list(APPEND far_test_folders ${folder})
  list(APPEND far_sources_of_tests_${folder} ${source})
  list(APPEND far_names_of_tests_${folder} ${name})
  list(APPEND far_tiers_of_tests_${folder} ${tiers})
endforeach()
list(REMOVE_DUPLICATES far_test_folders)

foreach(folder IN LISTS far_test_folders)
  far_test_name(program ${PROJECT_SOURCE_DIR}/${folder})
  string(APPEND program _tests)
  add_executable(${program} ${far_sources_of_tests_${folder}})
  # The tested code is in the library; for a test's own code, compile time matters most. Stacks need
  # no more than -g1.
  target_compile_options(${program} PRIVATE ${far_warnings} $<IF:$<CONFIG:Debug>,-O0,-O1> -g1)
  target_link_libraries(${program} PRIVATE far_test_support)
  far_precompile_test(${program})
  far_unity(${program} 8)
  if(folder MATCHES "/fabric/ucx$")  # uses its internals
    target_link_libraries(${program} PRIVATE far_ucx PkgConfig::UCX PkgConfig::PMIX)
  elseif(folder MATCHES "^tools/")
    target_include_directories(${program} PRIVATE ${PROJECT_SOURCE_DIR}/tools)
  elseif(folder STREQUAL "test/plugins")
    add_dependencies(${program} ${far_test_plugins})
  elseif(folder MATCHES "^test/(launcher|bench)$")
    add_dependencies(${program} far_tool ${far_test_programs})
    if(folder STREQUAL "test/bench")
      add_dependencies(${program} far_bench)
    endif()
  elseif(folder STREQUAL "test/apps")  # tests of the programs' command lines
    add_dependencies(${program} far_tool)
    if(TARGET example_kv_visits)
      add_dependencies(${program} example_kv_visits)
    endif()
    foreach(app IN LISTS far_apps)
      if(TARGET far-${app})
        add_dependencies(${program} far-${app})
      endif()
    endforeach()
    if(TARGET far_apps_mpi)
      target_compile_definitions(${program} PRIVATE FAR_APPS_WITH_MPI=1)
    endif()
  elseif(folder STREQUAL "bindings/kv")
    target_link_libraries(${program} PRIVATE far_kv)
  elseif(folder STREQUAL "apps/common")
    target_link_libraries(${program} PRIVATE far_apps_common)
  elseif(folder MATCHES "^apps/(.*)$")
    target_link_libraries(${program} PRIVATE far_app_${CMAKE_MATCH_1})
  endif()
  foreach(name IN LISTS far_names_of_tests_${folder})
    add_custom_command(TARGET ${program} POST_BUILD COMMAND
      ${CMAKE_COMMAND} -E create_symlink ${program} ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${name})
    add_custom_target(${name})
    add_dependencies(${name} ${program})
  endforeach()
  foreach(tier IN ITEMS quick library)
    if(tier IN_LIST far_tiers_of_tests_${folder})
      add_dependencies(${tier}_tests ${program})
    endif()
  endforeach()
  if(release IN_LIST far_tiers_of_tests_${folder})
    list(APPEND far_release_targets ${program})
  endif()
endforeach()

if(FAR_TOOLS)
  foreach(source IN LISTS far_example_sources)
    cmake_path(GET source STEM name)
    far_add_ctest(example_${name} "release" example_${name})
    if(TARGET far_tool)
      far_add_ctest(example_${name}_2_ranks "release"
        far_tool run -n 2 $<TARGET_FILE:example_${name}>)
      if(TARGET far_ucx AND NOT FAR_SANITIZE)  # UCX's shutdown is not sanitizer-clean
        far_add_ctest(example_${name}_3_nodes "release"
          ${CMAKE_COMMAND} -E env FAR_FABRIC=ucx FAR_RANKS_PER_NODE=1
          $<TARGET_FILE:far_tool> run -n 3 $<TARGET_FILE:example_${name}>)
      endif()
    endif()
  endforeach()
endif()

if(FAR_INSTALL AND NOT FAR_SANITIZE)
  far_add_ctest(install "release"
    ${PROJECT_SOURCE_DIR}/test/install/install_test.sh
    ${PROJECT_BINARY_DIR} ${CMAKE_CXX_COMPILER})
  far_add_ctest(install_subdirectory "release"
    ${PROJECT_SOURCE_DIR}/test/install/subdirectory_test.sh
    ${PROJECT_SOURCE_DIR} ${CMAKE_CXX_COMPILER})
endif()

# Several hosts on one machine; skipped without root, and Slurm's test also without Slurm. To save
# time, this runs only a part of the tests; `./dev ucx` runs all.
if(TARGET far_ucx AND NOT FAR_SANITIZE)
  set(far_hosts ${PROJECT_SOURCE_DIR}/test/hosts)
  set(far_hosts_tests
    fabric_one_sided_test fabric_messages_test rma_transfer_test rma_atomic_ref_test rma_signal_test
    rpc_large_call_test team_alltoall_test team_reduce_test containers_map_hash_map_phase_test)
  set(far_two_hosts_tests ${far_hosts_tests}
    array_array_test array_cached_array_test array_cached_access_test containers_queue_queue_test
    containers_queue_checksum_queue_test memory_allocate_test rma_async_test rpc_aggregator_test
    sections_accumulate_test sections_transfer_test sync_mcs_lock_test sync_rw_lock_test)
  list(APPEND far_release_targets ${far_two_hosts_tests} ${far_test_programs})
  far_add_ctest(hosts_conformance_2 "release"
    ${far_hosts}/conformance_test.sh ${PROJECT_BINARY_DIR} 2 4 ${far_two_hosts_tests})
  far_add_ctest(hosts_conformance_4 "release"
    ${far_hosts}/conformance_test.sh ${PROJECT_BINARY_DIR} 4 4 ${far_hosts_tests})
  far_add_ctest(hosts_failure "release" ${far_hosts}/failure_test.sh ${PROJECT_BINARY_DIR} 4)
  far_add_ctest(hosts_run_2 "release" ${far_hosts}/run_test.sh ${PROJECT_BINARY_DIR} 2)
  far_add_ctest(hosts_run_4 "release" ${far_hosts}/run_test.sh ${PROJECT_BINARY_DIR} 4)
  far_add_ctest(hosts_slurm "release" ${far_hosts}/slurm_test.sh ${PROJECT_BINARY_DIR})
  set_tests_properties(
    hosts_conformance_2 hosts_conformance_4 hosts_failure hosts_run_2 hosts_run_4 hosts_slurm
    PROPERTIES SKIP_RETURN_CODE 77 COST 100)  # the longest, so they start first

  # Over UCX's shared memory and over RDMA verbs, within a time limit; `./dev ucx` runs all, and
  # installs the requirements of verbs, without which the tests are skipped. (Over TCP and loopback,
  # each test runs by itself.)
  far_add_ctest(ucx_conformance_memory "release"
    ${PROJECT_SOURCE_DIR}/test/ucx/conformance_test.sh ${PROJECT_BINARY_DIR} memory 30)
  foreach(guests IN ITEMS guest guests)
    far_add_ctest(ucx_conformance_${guests} "release"
      ${PROJECT_SOURCE_DIR}/test/ucx/conformance_test.sh ${PROJECT_BINARY_DIR} ${guests} 45)
  endforeach()
  far_add_ctest(verbs_misuse "release"
    ${PROJECT_SOURCE_DIR}/test/verbs/misuse_test.sh ${PROJECT_BINARY_DIR})
  set_tests_properties(ucx_conformance_guest ucx_conformance_guests verbs_misuse
    PROPERTIES SKIP_RETURN_CODE 77)
endif()

include(far_c_tests)
include(far_shmem_tests)
include(far_armci_tests)

# The checks of the sources and the tests of scripts are the same for every preset, so the presets
# of sanitizers do not repeat them.
if(NOT FAR_SANITIZE)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(far_checks ${PROJECT_SOURCE_DIR}/test/checks)
  foreach(check IN ITEMS layering claims links snippets environment setup_commands)
    far_add_ctest(${check} "quick" ${Python3_EXECUTABLE} -B ${far_checks}/${check}.py)
  endforeach()
  if(TARGET far_tool)
    far_add_ctest(outputs "release"
      ${Python3_EXECUTABLE} -B ${far_checks}/outputs.py $<TARGET_FILE:far_tool>)
  endif()
  foreach(script IN LISTS far_script_tests)
    far_test_name(name ${script})
    far_add_ctest(${name} "quick" ${Python3_EXECUTABLE} -B ${script})
    set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)  # a peer is not installed
  endforeach()
  if(TARGET far-kv)  # apps/kv/replies_test.py runs it
    add_dependencies(quick_tests far-kv)
  endif()
  find_program(FAR_CLANG_FORMAT clang-format-16)
  if(FAR_CLANG_FORMAT)
    far_add_ctest(formatting "quick" ${far_checks}/formatting.sh)
  else()
    message(STATUS "Without clang-format-16 there is no formatting test")
  endif()
  include(far_mutants)
endif()

# The targets that tests with the label `release` need, so that a release build can omit others.
if(FAR_TOOLS)
  foreach(app IN LISTS far_apps)
    list(APPEND far_release_targets far-${app})
  endforeach()
  foreach(source IN LISTS far_example_sources)
    cmake_path(GET source STEM name)
    list(APPEND far_release_targets example_${name})
  endforeach()
  list(APPEND far_release_targets far_tool far_bench ${far_other_tools} far_bench_peers)
endif()
add_custom_target(release_tests)
foreach(target IN ITEMS far LISTS far_release_targets)
  if(TARGET ${target})
    add_dependencies(release_tests ${target})
  endif()
endforeach()
