# install, uninstall, far.pc and the exported CMake package. Installed files find each other by
# relative paths, so that the whole tree can be moved. Debug information, nine tenths of the bytes,
# is a separate component: cmake --install BUILD --component debug.
include(CMakePackageConfigHelpers)

set(far_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/far)

# The relative paths from the programs to the libraries, and from far.pc to the prefix.
file(RELATIVE_PATH far_lib_from_bin
  /prefix/${CMAKE_INSTALL_BINDIR} /prefix/${CMAKE_INSTALL_LIBDIR})
file(RELATIVE_PATH far_prefix_from_pc /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" far_prefix_from_pc "${far_prefix_from_pc}")

set(far_examples_dir ${CMAKE_INSTALL_DATADIR}/far/examples)

# The folders within docs and examples, as they are called where they are installed.
set(far_copied_folders "")
set(copied docs examples)
set(copied_to ${CMAKE_INSTALL_DOCDIR} ${far_examples_dir})
foreach(from to IN ZIP_LISTS copied copied_to)
  file(GLOB_RECURSE folders LIST_DIRECTORIES true
    RELATIVE ${PROJECT_SOURCE_DIR}/${from} ${PROJECT_SOURCE_DIR}/${from}/*)
  list(FILTER folders EXCLUDE REGEX "\\.")
  list(TRANSFORM folders PREPEND ${to}/)
  list(APPEND far_copied_folders ${folders})
endforeach()

# Uninstall removes the folders that install created; this records them before anything is copied.
set(far_made_folders ${PROJECT_BINARY_DIR}/install_folders.txt)
configure_file(${CMAKE_CURRENT_LIST_DIR}/note_folders.cmake.in
  ${PROJECT_BINARY_DIR}/note_folders.cmake @ONLY)
install(SCRIPT ${PROJECT_BINARY_DIR}/note_folders.cmake)  # before anything is installed
install(SCRIPT ${PROJECT_BINARY_DIR}/note_folders.cmake COMPONENT debug EXCLUDE_FROM_ALL)

# far_install_stripped(from_build to): strips the file after it was installed into the folder `to`.
set(far_debug_folder ${PROJECT_BINARY_DIR}/debug)
file(MAKE_DIRECTORY ${far_debug_folder})
configure_file(${CMAKE_CURRENT_LIST_DIR}/install_stripped.cmake.in
  ${PROJECT_BINARY_DIR}/install_stripped.cmake @ONLY)
function(far_install_stripped from_build to)
  if(CMAKE_OBJCOPY)
    set(code "include(\"${PROJECT_BINARY_DIR}/install_stripped.cmake\")
      far_split(\"${from_build}\" \"${to}\")")
    install(CODE "${code}")
    install(CODE "${code}" COMPONENT debug EXCLUDE_FROM_ALL)
  endif()
endfunction()
if(NOT CMAKE_OBJCOPY)
  message(STATUS "Without objcopy (binutils) all debug information is installed")
endif()

if(far_peers)
  install(PROGRAMS ${far_peers} DESTINATION libexec/far)
  foreach(peer IN LISTS far_peers)
    far_install_stripped(${peer} libexec/far)
  endforeach()
endif()
if(far_python_peers)
  install(FILES ${far_python_peers} DESTINATION libexec/far/python)
endif()

install(TARGETS far EXPORT far_targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
far_install_stripped($<TARGET_FILE:far> ${CMAKE_INSTALL_LIBDIR})

if(TARGET far_ucx)
  install(TARGETS far_ucx LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} NAMELINK_SKIP)
  far_install_stripped($<TARGET_FILE:far_ucx> ${CMAKE_INSTALL_LIBDIR})
endif()

if(TARGET far_c)
  install(TARGETS far_c EXPORT far_targets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  far_install_stripped($<TARGET_FILE:far_c> ${CMAKE_INSTALL_LIBDIR})
  configure_file(${CMAKE_CURRENT_LIST_DIR}/far-c.pc.in ${PROJECT_BINARY_DIR}/far-c.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/far-c.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

if(TARGET far_jni)
  foreach(library IN ITEMS far_jni far_java)
    install(TARGETS ${library} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
    far_install_stripped($<TARGET_FILE:${library}> ${CMAKE_INSTALL_LIBDIR})
  endforeach()
  # Maven makes these.
  install(FILES ${PROJECT_SOURCE_DIR}/java/binding/target/far.jar
    DESTINATION ${CMAKE_INSTALL_DATADIR}/java OPTIONAL)
  install(FILES ${far_agent_jar} DESTINATION libexec/far OPTIONAL)
endif()

if(TARGET far_kv)
  install(TARGETS far_kv EXPORT far_targets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  far_install_stripped($<TARGET_FILE:far_kv> ${CMAKE_INSTALL_LIBDIR})
  configure_file(${CMAKE_CURRENT_LIST_DIR}/far-kv.pc.in ${PROJECT_BINARY_DIR}/far-kv.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/far-kv.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

if(TARGET far_armci)
  install(TARGETS far_armci LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  far_install_stripped($<TARGET_FILE:far_armci> ${CMAKE_INSTALL_LIBDIR})
  install(DIRECTORY ${far_armci_headers}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/far-armci)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/far-armci.pc.in
    ${PROJECT_BINARY_DIR}/far-armci.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/far-armci.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

if(TARGET far_shmem)
  install(TARGETS far_shmem LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  far_install_stripped($<TARGET_FILE:far_shmem> ${CMAKE_INSTALL_LIBDIR})
  install(DIRECTORY ${far_shmem_headers}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/far-shmem)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/far-shmem.pc.in
    ${PROJECT_BINARY_DIR}/far-shmem.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/far-shmem.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  file(RELATIVE_PATH far_include_from_bin
    /prefix/${CMAKE_INSTALL_BINDIR} /prefix/${CMAKE_INSTALL_INCLUDEDIR})
  far_shmem_wrappers(${PROJECT_BINARY_DIR}/shmem_wrappers
    ${far_include_from_bin}/far-shmem ${far_lib_from_bin})
  install(PROGRAMS ${PROJECT_BINARY_DIR}/shmem_wrappers/far-oshcc
    ${PROJECT_BINARY_DIR}/shmem_wrappers/far-oshc++ ${PROJECT_BINARY_DIR}/shmem_wrappers/far-oshrun
    DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

set(far_installed_programs "")
if(FAR_TOOLS)
  foreach(app IN LISTS far_apps)
    list(APPEND far_installed_programs far-${app})
  endforeach()
endif()
if(FAR_COMMAND)
  foreach(program IN ITEMS far_tool far_bench ${far_installed_programs})
    if(TARGET ${program})
      set_target_properties(${program} PROPERTIES INSTALL_RPATH "$ORIGIN/${far_lib_from_bin}")
      install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
      far_install_stripped($<TARGET_FILE:${program}> ${CMAKE_INSTALL_BINDIR})
    endif()
  endforeach()
  far_glob(far_man_pages tools/far/*.1)
  if(FAR_TOOLS)
    far_glob(far_man_pages apps/*.1 tools/far/*.1)
  endif()
  install(FILES ${far_man_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/ DESTINATION ${far_examples_dir})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}
  FILES_MATCHING PATTERN *.md PATTERN *.svg PATTERN *.png)
install(FILES ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/LICENSE
  DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The target of `./dev build`.
add_custom_target(programs)
foreach(target IN LISTS far_installed_programs ITEMS far far_ucx far_c far_kv far_shmem far_armci far_tool far_bench far_bench_peers)
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
    -Dbuild=${PROJECT_BINARY_DIR} -Dfolders=${far_made_folders}
    -P ${CMAKE_CURRENT_LIST_DIR}/uninstall.cmake
  VERBATIM USES_TERMINAL)
