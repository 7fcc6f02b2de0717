# Options and flags shared by all targets of the project.

option(FAR_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(FAR_TOOLS "Build the far command, the apps and the examples" ${PROJECT_IS_TOP_LEVEL})
option(FAR_COMMAND "Build the far command; FAR_TOOLS includes it" OFF)
option(FAR_BINDINGS "Build the libraries over libfar (libfar_c, libfar_kv, libfar_shmem, libfar_armci) that can be built" ON)
option(FAR_INSTALL "Make install and uninstall rules" ${PROJECT_IS_TOP_LEVEL})
option(FAR_JAVA "Build the native libraries of the Java package and of far java" OFF)
option(FAR_WERROR "Treat warnings as errors" OFF)
option(FAR_DEBUG_CHECKS "Check bounds, promises and collectives at run time" OFF)
option(FAR_PRECOMPILE "Precompile what most sources include; hides includes that a source forgot" OFF)
set(FAR_UNITY ON CACHE STRING
  "Compile the sources of a folder as one: faster, but again after each change; or only `programs`")
set(FAR_SANITIZE "" CACHE STRING "Argument of -fsanitize=, e.g. address,undefined or thread")
if(FAR_TOOLS)
  set(FAR_COMMAND ON)
endif()

# Assertions that cost nothing stay enabled, so no build type defines NDEBUG.
if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Build type" FORCE)
  endif()
  # Stacks and profiles need only line numbers; with full -g, sources take a third longer to compile,
  # and the largest tests twice as long.
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1")
  set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g1")
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
  set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# Programs export their symbols (-rdynamic), so that crash stacks have function names.
set(CMAKE_ENABLE_EXPORTS ON)

add_compile_options(-fno-omit-frame-pointer)
add_link_options(-Wl,--build-id)  # ranks compare build ids before they join a job

if(FAR_SANITIZE)
  add_compile_options(-fsanitize=${FAR_SANITIZE} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${FAR_SANITIZE})
  if(FAR_SANITIZE MATCHES undefined)
    # The hardware or AddressSanitizer detects the first two anyway, and vptr only concerns classes
    # with virtual functions. Omitting them saves an eighth of the compile time of templates.
    add_compile_options(-fno-sanitize=null,object-size,vptr)
  endif()
endif()

set(far_warnings
  -Wall -Wextra -Wpedantic
  -Wconversion -Wsign-conversion -Wshadow -Wold-style-cast -Wcast-qual -Wcast-align
  -Wnon-virtual-dtor -Woverloaded-virtual -Wextra-semi -Wformat=2 -Wimplicit-fallthrough)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND far_warnings -Wduplicated-cond -Wduplicated-branches -Wlogical-op)
  # GCC 12 warns of overlap in plain std::string concatenation (its bug 105651).
  list(APPEND far_warnings -Wno-restrict)
  if(FAR_SANITIZE)
    # Instrumentation hides initialisations from the flow analysis.
    list(APPEND far_warnings -Wno-maybe-uninitialized)
  endif()
endif()
if(FAR_WERROR)
  list(APPEND far_warnings -Werror)
endif()
