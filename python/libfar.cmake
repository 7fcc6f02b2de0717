# The libfar of a package that pip builds: an installed one that CMake finds (CMAKE_PREFIX_PATH), to
# which the package refers, or else the one around this folder, which becomes a part of the package:
#
#   far/bin/far                  the command
#   far/lib/libfar.so            the library; libfar_ucx.so.X.Y, if UCX and PMIx are installed
#   far/lib/cmake/far, far/lib/pkgconfig, far/include
#
# Installed files find each other by relative paths.
# Results: the target far::far, and far_library_folder, the module's path to it at run time.

file(STRINGS ${CMAKE_CURRENT_SOURCE_DIR}/../CMakeLists.txt version REGEX "^project\\(far VERSION")
string(REGEX MATCH "[0-9]+[.][0-9]+[.][0-9]+" version "${version}")

# As libfar's own builds: -O2, and assertions that cost nothing.
set(CMAKE_CXX_FLAGS_RELEASE "-O2")

find_package(far ${version} QUIET)
if(far_FOUND)
  get_target_property(library far::far LOCATION)
  cmake_path(GET library PARENT_PATH far_library_folder)
  cmake_path(GET far_library_folder PARENT_PATH prefix)
  find_program(FAR_PROGRAM far HINTS ${prefix}/bin ${prefix}/../bin NO_DEFAULT_PATH REQUIRED)
  message(STATUS "The package uses the installed ${library} and ${FAR_PROGRAM}")
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/bin/far @ONLY
    CONTENT "#!/bin/sh\nexec '@FAR_PROGRAM@' \"$@\"\n")
  install(PROGRAMS ${CMAKE_CURRENT_BINARY_DIR}/bin/far DESTINATION bin)
else()
  message(STATUS "The package gets a libfar of its own")
  set(CMAKE_INSTALL_LIBDIR lib)
  set(FAR_COMMAND ON)
  set(FAR_BINDINGS OFF)
  set(FAR_INSTALL ON)
  add_subdirectory(${CMAKE_CURRENT_SOURCE_DIR}/.. libfar)
  # A wheel has no symbolic links, so each library has one name.
  set_property(TARGET far PROPERTY VERSION)
  set_property(TARGET far PROPERTY SOVERSION)
  if(TARGET far_ucx)
    get_target_property(soversion far_ucx SOVERSION)
    set_target_properties(far_ucx PROPERTIES VERSION ${soversion})
  endif()
  set(far_library_folder "$ORIGIN/lib")
endif()

# `far` in the environment's folder of programs.
if(SKBUILD)
  install(PROGRAMS command.py DESTINATION ${SKBUILD_SCRIPTS_DIR} RENAME far)
endif()
