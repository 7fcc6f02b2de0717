# A project that has libfar as a subdirectory, and does not install it, may still install and export
# targets that link it: CMake wants libfar in an export set for that. Nothing of it is installed, unless
# by `cmake --install BUILD --component far`; FAR_INSTALL=ON installs all.
set(far_exported far)
if(TARGET far_c)
  list(APPEND far_exported far_c)
endif()
if(TARGET far_kv)
  list(APPEND far_exported far_kv)
endif()
install(TARGETS ${far_exported} EXPORT far_targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT far EXCLUDE_FROM_ALL
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT far EXCLUDE_FROM_ALL)
install(EXPORT far_targets NAMESPACE far:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/far
  COMPONENT far EXCLUDE_FROM_ALL)
