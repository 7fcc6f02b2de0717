# libfar_jni.so: the native methods of the Java package (java/binding), over libfar_c. Maven makes the
# jar: `./dev java`.

if(NOT TARGET far_c)
  message(FATAL_ERROR "FAR_JAVA needs libfar_c: set FAR_BINDINGS")
endif()
# Only the headers, of whichever JDK there is: libfar_jni.so is linked with none.
find_program(FAR_JAVAC javac HINTS ENV JAVA_HOME PATH_SUFFIXES bin)
if(NOT FAR_JAVAC)
  message(FATAL_ERROR "FAR_JAVA needs a JDK: ./dev java installs one")
endif()
file(REAL_PATH ${FAR_JAVAC} far_javac)
cmake_path(GET far_javac PARENT_PATH far_jdk)
cmake_path(GET far_jdk PARENT_PATH far_jdk)

far_glob_flat(far_jni_sources java/binding/src/main/native/*.cpp)
add_library(far_jni SHARED ${far_jni_sources})
set_target_properties(far_jni PROPERTIES INSTALL_RPATH $ORIGIN)
target_include_directories(far_jni PRIVATE ${far_jdk}/include ${far_jdk}/include/linux ${far_c_headers})
target_compile_options(far_jni PRIVATE ${far_warnings})
target_compile_features(far_jni PRIVATE cxx_std_20)
target_link_libraries(far_jni PRIVATE $<BUILD_INTERFACE:far_c>)
target_link_options(far_jni PRIVATE -Wl,--build-id)
