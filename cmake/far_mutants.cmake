# Planted bugs (test/mutants): one program for each mutant of the catalogue, and one of all programs
# without a mutant. A mutant of a library file takes precedence over the original: a header by the
# include path, a source because symbols of the program override those of libfar_replaceable.so.

set(mutants_dir ${PROJECT_SOURCE_DIR}/test/mutants)
set(mutants_python ${Python3_EXECUTABLE} -B)
set(mutants_scripts ${mutants_dir}/cached_catalogue.py ${mutants_dir}/catalogue.py
  ${mutants_dir}/graph_catalogue.py ${mutants_dir}/lock_catalogue.py ${mutants_dir}/mutate.py
  ${mutants_dir}/object_catalogue.py ${mutants_dir}/object_monitor_catalogue.py
  ${mutants_dir}/planted.py ${mutants_dir}/section_catalogue.py
  ${mutants_dir}/store_catalogue.py)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${mutants_scripts})
execute_process(COMMAND ${mutants_python} ${mutants_dir}/mutate.py --list
  OUTPUT_VARIABLE mutants OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE ";" "," mutants "${mutants}")
string(REPLACE "\n" ";" mutants "${mutants}")

# The library once more, without -fno-semantic-interposition: in libfar.so, calls within a folder do
# not look for another definition. Compiling takes longer than the searches, so -O1 serves.
add_library(far_replaceable SHARED ${far_library_sources})
target_compile_options(far_replaceable PRIVATE ${far_warnings} -O1 -g1)
target_include_directories(far_replaceable PUBLIC
  ${PROJECT_SOURCE_DIR}/src ${PROJECT_BINARY_DIR}/include)
target_link_libraries(far_replaceable PUBLIC Threads::Threads PRIVATE far_private_dependencies)
if(FAR_DEBUG_CHECKS)
  target_compile_definitions(far_replaceable PUBLIC FAR_DEBUG_CHECKS=1)
endif()
far_unity(far_replaceable 20)

function(far_mutants_link target)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${target} PRIVATE far_replaceable far_private_dependencies)
  target_compile_options(${target} PRIVATE -O1 -g1)
endfunction()

function(far_mutants_object name)
  add_library(${name} OBJECT ${ARGN})
  target_compile_options(${name} PRIVATE ${far_warnings})
  far_mutants_link(${name})
endfunction()

far_mutants_object(mutants_explore ${mutants_dir}/explore.cpp)
far_glob_flat(mutants_programs test/mutants/programs/*.cpp)
add_executable(mutant_of_nothing)
far_mutants_link(mutant_of_nothing)
target_link_libraries(mutant_of_nothing PRIVATE mutants_explore)
foreach(source IN LISTS mutants_programs)
  cmake_path(GET source STEM stem)
  far_mutants_object(mutants_${stem} ${source})
  target_link_libraries(mutant_of_nothing PRIVATE mutants_${stem})
endforeach()

foreach(mutant IN LISTS mutants)
  string(REPLACE "," ";" mutant "${mutant}")
  list(GET mutant 0 name)
  list(GET mutant 1 file)
  list(GET mutant 2 program)
  cmake_path(GET program STEM stem)
  set(root ${PROJECT_BINARY_DIR}/mutants/${name})
  string(REGEX REPLACE "^src/" "" copy ${file})  # so that root takes the place of src
  set(copy ${root}/${copy})
  add_custom_command(OUTPUT ${copy}
    COMMAND ${mutants_python} ${mutants_dir}/mutate.py ${name} ${PROJECT_SOURCE_DIR} ${copy}
    DEPENDS ${mutants_scripts} ${PROJECT_SOURCE_DIR}/${file}
    COMMENT "Planting ${name}" VERBATIM)
  add_executable(mutant_${name} ${copy})
  target_include_directories(mutant_${name} BEFORE PRIVATE ${root})
  far_mutants_link(mutant_${name})
  target_link_libraries(mutant_${name} PRIVATE mutants_explore)
  if(file MATCHES "\\.(hpp|inc)$")
    target_sources(mutant_${name} PRIVATE ${PROJECT_SOURCE_DIR}/${program})
  elseif(NOT file STREQUAL program)
    target_link_libraries(mutant_${name} PRIVATE mutants_${stem})
  endif()
  list(APPEND far_mutants mutant_${name})
endforeach()

add_custom_target(mutants DEPENDS mutant_of_nothing ${far_mutants})
list(APPEND far_release_targets mutants)
far_add_ctest(mutants "release" ${mutants_python} ${mutants_dir}/find_all.py
  ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
