# Unity builds: the sources of a folder are compiled as one, which parses what they share once. So
# names that are local to a file must differ within a folder.

# far_unity(target size): compiles the target's sources by folder, at most `size` of them at once.
# Sources with compile options of their own stay alone, and so does the library if FAR_UNITY is
# `programs`.
function(far_unity target size)
  if(NOT FAR_UNITY OR (FAR_UNITY STREQUAL "programs" AND target MATCHES "^far(_ucx|_replaceable)?$"))
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(SORT sources)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  set(folders "")
  foreach(source IN LISTS sources)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE path)
    cmake_path(GET path PARENT_PATH path)
    string(MAKE_C_IDENTIFIER "${path}" folder)
    set(before ${folders})
    list(FILTER before INCLUDE REGEX "^${folder}$")
    list(LENGTH before place)
    math(EXPR part "${place} / ${size}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${part})
    list(APPEND folders ${folder})
  endforeach()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # A local name may be file-local in another file of the folder.
    target_compile_options(${target} PRIVATE -Wno-shadow -Wshadow=local)
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
