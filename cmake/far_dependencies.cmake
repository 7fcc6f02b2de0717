# Libraries, all from the distribution; `./dev setup` installs the missing ones on Debian.

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(fmt REQUIRED)
find_package(ZLIB REQUIRED)
find_package(LibLZMA REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Boost REQUIRED COMPONENTS context)
pkg_check_modules(HWLOC REQUIRED IMPORTED_TARGET hwloc)

# Optional: without them there is no libfar_ucx.so, and a job runs on one machine only.
pkg_check_modules(UCX IMPORTED_TARGET ucx>=1.11)
pkg_check_modules(PMIX IMPORTED_TARGET pmix)
# Optional: without it there is no libfar_kv.so and no far-kv.
pkg_check_modules(LIBEVENT IMPORTED_TARGET libevent)

# Libraries that libfar.so uses internally. Tests and tools link them too, because they may include
# private headers; users of the library never see them.
add_library(far_private_dependencies INTERFACE)
target_link_libraries(far_private_dependencies INTERFACE
  fmt::fmt PkgConfig::HWLOC ZLIB::ZLIB LibLZMA::LibLZMA Boost::context
  nlohmann_json::nlohmann_json ${CMAKE_DL_LIBS})

if(FAR_COMMAND)
  find_package(CLI11 REQUIRED)
endif()
if(FAR_TOOLS)
  pkg_check_modules(OPENBLAS IMPORTED_TARGET openblas)  # optional: without it, no far-matmul
endif()
if(FAR_TESTS)
  find_package(GTest REQUIRED)
endif()
