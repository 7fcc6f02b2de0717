# far_precompile(target header...): with FAR_PRECOMPILE, compiles once what most sources of the
# target include, and what nearly all do; it is half of the time that a source takes to compile, or
# more.
function(far_precompile target)
  if(FAR_PRECOMPILE)
    far_precompile_always(${target} ${ARGN})
  endif()
endfunction()

# The same in every preset, for sources that no user compiles.
function(far_precompile_always target)
  far_accept_precompiled(${target})
  target_precompile_headers(${target} PRIVATE <algorithm> <optional> <string> <vector> ${ARGN})
endfunction()

# GCC 12 forgets that a precompiled header of the system is one, and warns of it.
function(far_accept_precompiled target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-stringop-overflow)
  endif()
endfunction()
