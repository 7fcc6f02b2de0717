#!/usr/bin/env bash
# Configures a project that has libfar as a subdirectory, which is excluded from its build, and exports
# a library of its own that links libfar. What links libfar must be built with its uplink over UCX.
# usage: subdirectory_test.sh SOURCE_FOLDER CXX
set -euo pipefail

source=$1
cxx=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
  echo "subdirectory_test: $*" >&2
  exit 1
}

cat > "$scratch/CMakeLists.txt" << END
cmake_minimum_required(VERSION 3.25)
project(outer LANGUAGES CXX)
add_subdirectory($source libfar EXCLUDE_FROM_ALL)
add_library(outer SHARED outer.cpp)
target_link_libraries(outer PUBLIC far::far)
add_executable(program outer.cpp)
target_link_libraries(program PRIVATE outer)
install(TARGETS outer EXPORT outer)
install(EXPORT outer NAMESPACE outer:: DESTINATION lib/cmake/outer)
END
touch "$scratch/outer.cpp"
for installs in OFF ON; do
  build=$scratch/build.$installs
  cmake -S "$scratch" -B "$build" -G Ninja -DCMAKE_CXX_COMPILER="$cxx" -DFAR_INSTALL=$installs \
    > "$scratch/log" 2>&1 || fail "FAR_INSTALL=$installs: $(tail "$scratch/log")"
  targets=$(ninja -C "$build" -t targets all)
  if grep -q "libfar_ucx" <<< "$targets"; then
    inputs=$(ninja -C "$build" -t query program)
    grep -q "libfar_ucx" <<< "$inputs" || fail "libfar_ucx is not built with what links libfar"
  fi
done
echo "subdirectory_test: configured, with and without FAR_INSTALL"
