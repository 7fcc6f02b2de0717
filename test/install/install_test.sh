#!/usr/bin/env bash
# Installs a build into an empty folder, builds and runs a consumer against it by CMake and by
# pkg-config, moves the installed tree and tries again, then uninstalls: nothing may remain.
# usage: install_test.sh BUILD_FOLDER CXX
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
build=$1
cxx=$2
scratch=$(mktemp -d)
prefix=$scratch/prefix
version=$(sed -n 's/^#define FAR_VERSION "\(.*\)"$/\1/p' "$build/include/far/base/version.hpp")

# The lists of a real installation from this build folder are put back in the end.
lists=(install_manifest.txt install_folders.txt)
mkdir "$scratch/lists"
for list in "${lists[@]}"; do
  if [[ -e $build/$list ]]; then mv "$build/$list" "$scratch/lists/"; fi
done
restore() {
  for list in "${lists[@]}"; do
    rm -f "$build/$list"
    if [[ -e $scratch/lists/$list ]]; then mv "$scratch/lists/$list" "$build/"; fi
  done
  rm -rf "$scratch"
}
trap restore EXIT

fail() {
  echo "install_test: $*" >&2
  exit 1
}

# expect WANTED COMMAND...: the command succeeds, and prints exactly that.
expect() {
  local wanted=$1 got
  shift
  got=$("$@") || fail "failed with status $?: $*"
  [[ $got == "$wanted" ]] || fail "printed '$got' instead of '$wanted': $*"
}

# An environment that could help the consumer to find the build tree hides mistakes.
unset LD_LIBRARY_PATH CMAKE_PREFIX_PATH PKG_CONFIG_PATH CPATH LIBRARY_PATH

# by_cmake PREFIX and by_pkg_config PREFIX: build the consumer and run it, alone and on two ranks.
try_consumer() {
  local consumer=$1 far=$2/bin/far
  expect "far $version, 1 ranks" "$consumer"
  if [[ -x $far ]]; then expect "far $version, 2 ranks" "$far" run -n 2 "$consumer"; fi
}

by_cmake() {
  local out
  out=$(mktemp -d "$scratch/cmake.XXXX")
  cmake -S "$here" -B "$out" -G Ninja -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_PREFIX_PATH="$1" \
    > "$out/log" || fail "cmake cannot find the package: $(< "$out/log")"
  cmake --build "$out" > "$out/log" || fail "the consumer does not build: $(< "$out/log")"
  try_consumer "$out/consumer" "$1"
}

by_pkg_config() {
  local pc out=$scratch/by_pkg_config flags
  pc=$(dirname "$(find "$1" -name far.pc)")
  read -ra flags < <(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs far)
  "$cxx" -std=c++20 "$here/consumer.cpp" -o "$out" "${flags[@]}" \
    -Wl,-rpath,"$(dirname "$pc")" || fail "the consumer does not build with: ${flags[*]}"
  try_consumer "$out" "$1"
}

cmake --install "$build" --prefix "$prefix" > "$scratch/install.log" \
  || fail "$(tail "$scratch/install.log")"
if [[ -x $prefix/bin/far ]]; then "$prefix/bin/far" --version; fi
if ! grep -q "^prefix=\${pcfiledir}" "$(find "$prefix" -name far.pc)"; then
  fail "far.pc names a fixed prefix"
fi
if grep -rlI -e "$prefix" -e "$build" "$prefix"; then
  fail "the installed text files above name the folder where they were built or installed"
fi
by_cmake "$prefix"
by_pkg_config "$prefix"

mv "$prefix" "$scratch/moved"
by_cmake "$scratch/moved"
by_pkg_config "$scratch/moved"
mv "$scratch/moved" "$prefix"

cmake --build "$build" --target uninstall > "$scratch/uninstall.log" \
  || fail "$(tail "$scratch/uninstall.log")"
left=$(find "$prefix" 2> /dev/null || true)
if [[ -n $left ]]; then fail "uninstall left behind: $left"; fi
echo "install_test: installed, used, moved and uninstalled far $version"
