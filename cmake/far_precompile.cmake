# far_precompile(target header...): with FAR_PRECOMPILE, precompiles these headers, which most
# sources of the target include, and some that nearly all sources include. They take half of a
# source's compile time, or more.
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

# GCC 12 forgets that a precompiled header is a system header, and warns about its code.
function(far_accept_precompiled target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-stringop-overflow)
  endif()
endfunction()
