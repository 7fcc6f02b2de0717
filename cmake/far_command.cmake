# The `far` command, and what it shares with the other programs.

# far_precompile_program(target): precompiles what most sources of programs include, once for all of
# them. That is half of their compile time. CLI11's header is not among them: it defines objects, for
# which each source that includes it compiles the whole library, 4 s.
function(far_precompile_program target)
  set_target_properties(${target} PROPERTIES DEFINE_SYMBOL "")  # equal macros for all
  if(target STREQUAL far_apps_common)
    far_precompile_always(${target}
      <fmt/format.h> <nlohmann/json.hpp> src/far/far.hpp)
  else()
    far_accept_precompiled(${target})
    target_precompile_headers(${target} REUSE_FROM far_apps_common)
  endif()
endfunction()

# far_add_static(name source...): a static library of programs; without sources, an interface library.
function(far_add_static name)
  if(ARGN)
    add_library(${name} STATIC ${ARGN})
    # As programs are compiled, because a precompiled header fits only sources of equal options.
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${name} PRIVATE ${far_warnings} -fPIE)
    far_precompile_program(${name})
    far_unity(${name} 20)
    set(scope PUBLIC)
  else()
    add_library(${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(${name} ${scope} ${PROJECT_SOURCE_DIR}/apps ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} ${scope} far far_private_dependencies CLI11::CLI11)
endfunction()

# The message-passing variants of apps are in mpi_X.cpp. MPI is not sanitizer-clean.
foreach(app IN ITEMS common LISTS far_apps)
  set(far_mpi_sources_of_${app} ${far_sources_of_${app}})
  list(FILTER far_mpi_sources_of_${app} INCLUDE REGEX "/mpi_[^/]*\\.cpp$")
  list(FILTER far_sources_of_${app} EXCLUDE REGEX "/mpi_[^/]*\\.cpp$")
endforeach()

far_add_static(far_apps_common ${far_sources_of_common})
far_add_static(far_bench_harness ${far_bench_harness_sources})
target_link_libraries(far_bench_harness PUBLIC far_apps_common)

# The library's target already has the name `far`.
add_executable(far_tool ${far_tool_sources})
set_target_properties(far_tool PROPERTIES OUTPUT_NAME far)
target_include_directories(far_tool PRIVATE ${PROJECT_SOURCE_DIR})
# Command lines and tables: nothing here is measured, so compile time matters most.
target_compile_options(far_tool PRIVATE ${far_warnings} $<$<NOT:$<CONFIG:Debug>>:-O1>)
target_link_libraries(far_tool PRIVATE far_bench_harness)  # measures costs for `far model`
far_precompile_program(far_tool)
far_unity(far_tool 9)
if(TARGET far_ucx)
  add_dependencies(far_tool far_ucx)  # jobs that it starts may load it
endif()
