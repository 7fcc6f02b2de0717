# The native methods of Java's side, of which Maven makes the jars (`./dev java`): libfar_jni.so, over
# libfar_c, for the package (java/binding); libfar_java.so for far-agent.jar (java/agent), with which
# `far java` runs programs, and which `far` finds in libexec/far.

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

far_glob_flat(far_java_sources java/agent/src/main/cpp/*.cpp)
add_library(far_java SHARED ${far_java_sources})
set_target_properties(far_java PROPERTIES INSTALL_RPATH $ORIGIN)
target_include_directories(far_java PRIVATE ${far_jdk}/include ${far_jdk}/include/linux)
target_compile_options(far_java PRIVATE ${far_warnings})
target_link_libraries(far_java PRIVATE far)

# A link, so that what Maven makes later is found.
set(far_agent_jar ${PROJECT_SOURCE_DIR}/java/agent/target/far-agent.jar)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/libexec/far)
file(CREATE_LINK ${far_agent_jar} ${PROJECT_BINARY_DIR}/libexec/far/far-agent.jar SYMBOLIC)
