# install, uninstall, far.pc and the exported CMake package. What is installed finds its own parts
# by relative paths, so that the whole tree can be moved.
include(CMakePackageConfigHelpers)

set(far_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/far)

# Where the libraries lie, seen from the programs, and the prefix, seen from far.pc.
file(RELATIVE_PATH far_lib_from_bin
  /prefix/${CMAKE_INSTALL_BINDIR} /prefix/${CMAKE_INSTALL_LIBDIR})
file(RELATIVE_PATH far_prefix_from_pc /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" far_prefix_from_pc "${far_prefix_from_pc}")

# Uninstall removes the folders that install made; this notes them before anything is copied.
set(far_made_folders ${PROJECT_BINARY_DIR}/install_folders.txt)
configure_file(${CMAKE_CURRENT_LIST_DIR}/note_folders.cmake.in
  ${PROJECT_BINARY_DIR}/note_folders.cmake @ONLY)
install(SCRIPT ${PROJECT_BINARY_DIR}/note_folders.cmake)  # before anything is installed

if(far_peers)
  install(PROGRAMS ${far_peers} DESTINATION libexec/far)
endif()

install(TARGETS far EXPORT far_targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

if(TARGET far_ucx)
  install(TARGETS far_ucx LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} NAMELINK_SKIP)
endif()

if(FAR_TOOLS)
  set(far_installed_programs "")
  foreach(app IN LISTS far_apps)
    list(APPEND far_installed_programs far-${app})
  endforeach()
  foreach(program IN ITEMS far_tool far_bench ${far_installed_programs})
    if(TARGET ${program})
      set_target_properties(${program} PROPERTIES INSTALL_RPATH "$ORIGIN/${far_lib_from_bin}")
      install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    endif()
  endforeach()
  far_glob(far_man_pages apps/*.1 tools/far/*.1)
  if(far_man_pages)
    install(FILES ${far_man_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  endif()
endif()

# What `./dev build` builds.
add_custom_target(programs)
foreach(target IN LISTS far_installed_programs ITEMS far far_ucx far_tool far_bench far_bench_peers)
  if(TARGET ${target})
    add_dependencies(programs ${target})
  endif()
endforeach()

install(EXPORT far_targets NAMESPACE far:: DESTINATION ${far_package_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/farConfig.cmake.in
  ${PROJECT_BINARY_DIR}/farConfig.cmake INSTALL_DESTINATION ${far_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/farConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/farConfig.cmake ${PROJECT_BINARY_DIR}/farConfigVersion.cmake
  DESTINATION ${far_package_dir})

set(far_pc_flags "")
if(FAR_DEBUG_CHECKS)
  set(far_pc_flags " -DFAR_DEBUG_CHECKS=1")
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/far.pc.in ${PROJECT_BINARY_DIR}/far.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/far.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

add_custom_target(uninstall
  COMMAND ${CMAKE_COMMAND}
    -Dmanifest=${PROJECT_BINARY_DIR}/install_manifest.txt -Dfolders=${far_made_folders}
    -P ${CMAKE_CURRENT_LIST_DIR}/uninstall.cmake
  VERBATIM USES_TERMINAL)
