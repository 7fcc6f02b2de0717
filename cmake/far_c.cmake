# libfar_c.so: the C interface (docs/c.md), for C programs and the bindings of other languages.

far_glob_flat(far_c_sources bindings/c/*.cpp)
list(FILTER far_c_sources EXCLUDE REGEX "_test\\.cpp$")
set(far_c_headers ${PROJECT_SOURCE_DIR}/bindings/c/include)
far_glob(far_c_header_files bindings/c/include/far/*.h)
add_library(far_c SHARED ${far_c_sources})
add_library(far::c ALIAS far_c)
set_target_properties(far_c PROPERTIES
  EXPORT_NAME c
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  INSTALL_RPATH $ORIGIN)
target_sources(far_c PUBLIC FILE_SET HEADERS
  BASE_DIRS ${far_c_headers} FILES ${far_c_header_files})
target_include_directories(far_c PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_options(far_c PRIVATE ${far_warnings} -fno-semantic-interposition)
# Users see C, so nothing of libfar's compile options or headers.
target_link_libraries(far_c PRIVATE $<BUILD_INTERFACE:far> $<BUILD_INTERFACE:far_private_dependencies>
  INTERFACE $<LINK_ONLY:far>)
if(TARGET far_ucx)
  add_dependencies(far_c far_ucx)  # jobs of several machines load it
endif()
far_unity(far_c 20)
far_precompile(far_c <functional> <memory> <fmt/format.h> src/far/far.hpp)
