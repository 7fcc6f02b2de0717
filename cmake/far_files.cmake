# Assigns files to targets by their name and folder, so that a new file needs no edit here:
# X_test.cpp is a test, X_bench.cpp is a part of far-bench, any other X.cpp under src/far is a part
# of the library.

# far_glob(result pattern...): matching files below the project root, in subfolders too.
function(far_glob result)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/)
  file(GLOB_RECURSE found CONFIGURE_DEPENDS ${ARGN})
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# far_glob_flat(result pattern...): the same, without subfolders.
function(far_glob_flat result)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/)
  file(GLOB found CONFIGURE_DEPENDS ${ARGN})
  set(${result} ${found} PARENT_SCOPE)
endfunction()

far_glob(far_library_sources src/far/*.cpp)
list(FILTER far_library_sources EXCLUDE REGEX "_(test|bench)\\.cpp$|/fabric/ucx/")
far_glob_flat(far_ucx_sources src/far/fabric/ucx/*.cpp)
list(FILTER far_ucx_sources EXCLUDE REGEX "_(test|bench)\\.cpp$")
far_glob(far_headers src/far/*.hpp src/far/*.inc)
list(FILTER far_headers EXCLUDE REGEX "_(test|bench)\\.hpp$|/fabric/ucx/")

far_glob_flat(far_tool_sources tools/far/*.cpp)
list(FILTER far_tool_sources EXCLUDE REGEX "_test\\.cpp$")
far_glob_flat(far_bench_harness_sources bench/harness/*.cpp)
list(FILTER far_bench_harness_sources EXCLUDE REGEX "_test\\.cpp$")
far_glob_flat(far_bench_sources
  bench/*.cpp bench/baselines/*.cpp bench/papers/*.cpp bench/scaling/*.cpp bench/kv/*.cpp)
far_glob(far_layer_bench_sources src/far/*_bench.cpp)
list(APPEND far_bench_sources ${far_layer_bench_sources})
list(FILTER far_bench_sources EXCLUDE REGEX "_test\\.cpp$")

far_glob(far_test_sources
  src/*_test.cpp test/*_test.cpp bindings/*_test.cpp apps/*_test.cpp tools/*_test.cpp
  bench/*_test.cpp)
far_glob_flat(far_test_support_sources test/support/*.cpp test/litmus/*.cpp)
list(FILTER far_test_support_sources EXCLUDE REGEX "_test\\.cpp$")
# Small programs that tests start (a rank that crashes, a rank that never ends, ...).
far_glob_flat(far_test_program_sources test/programs/*.cpp)
# Libraries that tests load: test/plugins/X.cpp is test-X.so.
far_glob_flat(far_test_plugin_sources test/plugins/*.cpp)
list(FILTER far_test_plugin_sources EXCLUDE REGEX "_test\\.cpp$")
far_glob_flat(far_example_sources examples/*.cpp)

far_glob(far_script_tests test/*_test.py tools/*_test.py apps/*_test.py)

# Other tools, for development: each other folder of tools/ is a program, which is not installed.
far_glob_flat(far_other_tool_sources tools/*/*.cpp)
list(FILTER far_other_tool_sources EXCLUDE REGEX "_test\\.cpp$|/tools/far/")
set(far_other_tools "")
foreach(source IN LISTS far_other_tool_sources)
  cmake_path(GET source PARENT_PATH folder)
  cmake_path(GET folder FILENAME tool)
  list(APPEND far_sources_of_tool_${tool} ${source})
  list(APPEND far_other_tools ${tool})
endforeach()
list(REMOVE_DUPLICATES far_other_tools)

# Apps: the folders of apps/ that contain sources; apps/common is shared by all.
far_glob_flat(far_app_sources apps/*/*.cpp)
list(FILTER far_app_sources EXCLUDE REGEX "_test\\.cpp$")
set(far_apps "")
foreach(source IN LISTS far_app_sources)
  cmake_path(GET source PARENT_PATH folder)
  cmake_path(GET folder FILENAME app)
  list(APPEND far_sources_of_${app} ${source})
  list(APPEND far_apps ${app})
endforeach()
list(REMOVE_DUPLICATES far_apps)
list(REMOVE_ITEM far_apps common)
