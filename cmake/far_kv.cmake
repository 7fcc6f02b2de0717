# libfar_kv.so: a server for memcached's clients in C++ programs (docs/kv.md), where libevent is
# installed. far-kv is a program on it.

if(NOT TARGET PkgConfig::LIBEVENT)
  message(STATUS "No libfar_kv and far-kv: they need libevent (Debian: libevent-dev)")
  return()
endif()

far_glob_flat(far_kv_sources bindings/kv/*.cpp)
list(FILTER far_kv_sources EXCLUDE REGEX "_test\\.cpp$")
set(far_kv_headers ${PROJECT_SOURCE_DIR}/bindings/kv/include)
add_library(far_kv SHARED ${far_kv_sources})
add_library(far::kv ALIAS far_kv)
set_target_properties(far_kv PROPERTIES
  EXPORT_NAME kv
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  INSTALL_RPATH $ORIGIN)
target_sources(far_kv PUBLIC FILE_SET HEADERS
  BASE_DIRS ${far_kv_headers} FILES ${far_kv_headers}/far/kv/server.hpp)
target_include_directories(far_kv PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_options(far_kv PRIVATE ${far_warnings} -fno-semantic-interposition)
target_link_libraries(far_kv PUBLIC far
  PRIVATE $<BUILD_INTERFACE:far_private_dependencies> $<BUILD_INTERFACE:PkgConfig::LIBEVENT>)
if(TARGET far_ucx)
  add_dependencies(far_kv far_ucx)  # jobs of several machines load it
endif()
far_unity(far_kv 20)
far_precompile(far_kv <functional> <memory> <fmt/format.h> src/far/store/store.hpp)
