#!/usr/bin/env bash
# Installs a build into an empty folder, checks the installed files, builds and runs a consumer
# against it by CMake and by pkg-config, moves the installed tree and repeats that, adds the debug
# information, then uninstalls: nothing may remain.
# usage: install_test.sh BUILD_FOLDER CXX
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
build=$1
cxx=$2
scratch=$(mktemp -d)
prefix=$scratch/prefix
version=$(sed -n 's/^#define FAR_VERSION "\(.*\)"$/\1/p' "$build/include/far/base/version.hpp")

# shellcheck source=test/install/lists.sh
source "$here/lists.sh"
keep_lists "$build" "$scratch/lists"
trap 'restore_lists "$build" "$scratch/lists"; rm -rf "$scratch"' EXIT

fail() {
  echo "install_test: $*" >&2
  exit 1
}

# expect WANTED COMMAND...: the command must succeed, and print exactly WANTED.
expect() {
  local wanted=$1 got
  shift
  got=$("$@") || fail "failed with status $?: $*"
  [[ $got == "$wanted" ]] || fail "printed '$got' instead of '$wanted': $*"
}

# install_here ARGUMENTS...: installs into the prefix, by CMake.
install_here() {
  cmake --install "$build" --prefix "$prefix" "$@" > "$scratch/install.log" \
    || fail "$(tail "$scratch/install.log")"
}

# An environment that helps the consumer to find the build tree would hide mistakes.
unset LD_LIBRARY_PATH CMAKE_PREFIX_PATH PKG_CONFIG_PATH CPATH LIBRARY_PATH

# by_cmake PREFIX and by_pkg_config PREFIX: build the consumers and run them, alone and on two ranks.
# The others are for libfar_c, libfar_kv and the Java package, if these are installed.
try_consumer() {
  local consumer=$1 far=$2/bin/far says=$3
  expect "$says, 1 ranks" "$consumer"
  if [[ -x $far ]]; then expect "$says, 2 ranks" "$far" run -n 2 "$consumer"; fi
}
has_c() { [[ -n $(find "$1" -name libfar_c.so) ]]; }
has_kv() { [[ -n $(find "$1" -name libfar_kv.so) ]]; }

by_cmake() {
  local out
  out=$(mktemp -d "$scratch/cmake.XXXX")
  cmake -S "$here" -B "$out" -G Ninja -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_PREFIX_PATH="$1" \
    > "$out/log" || fail "cmake cannot find the package: $(< "$out/log")"
  cmake --build "$out" > "$out/log" || fail "the consumer does not build: $(< "$out/log")"
  try_consumer "$out/consumer" "$1" "far $version"
  if has_c "$1"; then try_consumer "$out/c_consumer" "$1" "far-c"; fi
  if has_kv "$1"; then try_consumer "$out/kv_consumer" "$1" "far-kv"; fi
}

# The jar finds its library wherever the tree is.
by_java() {
  local jar=$1/share/java/far.jar
  if [[ ! -e $jar ]]; then return; fi
  printf 'a b\nb\n' > "$scratch/text"
  expect $'2 b\n1 a' "$1/bin/far" run -n 2 java -cp "$jar" \
    "$1/share/far/examples/java/WordCount.java" "$scratch/text"
}

# The wrappers find header and library wherever the tree is.
by_oshcc() {
  if [[ ! -x $1/bin/far-oshcc ]]; then return; fi
  "$1/bin/far-oshcc" -Wall -Werror "$here/shmem_consumer.c" -o "$scratch/shmem_consumer" \
    || fail "far-oshcc does not build shmem_consumer.c"
  expect "far-shmem, 2 PEs" "$1/bin/far-oshrun" -np 2 "$scratch/shmem_consumer"
  "$1/bin/far-oshc++" -c "$here/shmem_consumer.c" -o "$scratch/shmem_consumer.o" \
    || fail "far-oshc++ does not compile shmem_consumer.c"
  "$1/bin/far-oshc++" "$scratch/shmem_consumer.o" -o "$scratch/shmem_consumer" \
    || fail "far-oshc++ does not link shmem_consumer.o"
  expect "far-shmem, 1 PEs" "$scratch/shmem_consumer"
}

# There are no components: one that is required is not found.
no_components() {
  local out
  out=$(mktemp -d "$scratch/cmake.XXXX")
  printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'project(wrong LANGUAGES CXX)' \
    'find_package(far REQUIRED COMPONENTS nosuch)' > "$out/CMakeLists.txt"
  if cmake -S "$out" -B "$out" -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_PREFIX_PATH="$1" > "$out/log" 2>&1
  then
    fail "find_package finds a component 'nosuch'"
  fi
  grep -q nosuch "$out/log" || fail "find_package says: $(tail "$out/log")"
}

# A program with other containers than libfar's ends at once, and says why.
with_debug_containers() {
  local pc out=$scratch/with_debug_containers flags said status=0
  pc=$(dirname "$(find "$1" -name far.pc)")
  read -ra flags < <(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs far)
  "$cxx" -D_GLIBCXX_DEBUG "$here/consumer.cpp" -o "$out" "${flags[@]}" \
    || fail "the consumer does not build with -D_GLIBCXX_DEBUG"
  said=$("$out" 2>&1) || status=$?
  [[ $status == 1 && $said == "far: "*"-D_GLIBCXX_DEBUG"* ]] \
    || fail "with -D_GLIBCXX_DEBUG the consumer ends with status $status and says '$said'"
}

by_pkg_config() {
  compile_by_pkg_config "$1" far consumer.cpp
  try_consumer "$scratch/consumer" "$1" "far $version"
  if has_c "$1"; then
    cc=cc compile_by_pkg_config "$1" far-c c_consumer.c
    try_consumer "$scratch/c_consumer" "$1" "far-c"
  fi
  if has_kv "$1"; then
    compile_by_pkg_config "$1" far-kv kv_consumer.cpp
    try_consumer "$scratch/kv_consumer" "$1" "far-kv"
  fi
  if [[ -n $(find "$1" -name libfar_shmem.so) ]]; then
    cc=cc compile_by_pkg_config "$1" far-shmem shmem_consumer.c
    expect "far-shmem, 2 PEs" "$1/bin/far" run -n 2 "$scratch/shmem_consumer"
  fi
}

# compile_by_pkg_config PREFIX PACKAGE SOURCE: NAME.cpp or NAME.c becomes $scratch/NAME.
compile_by_pkg_config() {
  local pc flags
  pc=$(dirname "$(find "$1" -name far.pc)")
  read -ra flags < <(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs "$2")
  "${cc:-$cxx}" "$here/$3" -o "$scratch/${3%.*}" "${flags[@]}" \
    || fail "$3 does not build with: ${flags[*]}"
}

# Each header that users include must first report what a compiler in an older mode needs.
in_an_older_mode() {
  local header layer said wanted="libfar needs C++20: compile with -std=c++20"
  for header in "$1"/include/far/far.hpp "$1"/include/far/*/*.hpp; do
    layer=$(basename "$(dirname "$header")")
    if [[ $(basename "$header" .hpp) != "$layer" ]]; then continue; fi
    said=$("$cxx" -std=c++17 -fsyntax-only -I"$1/include" -x c++ "$header" 2>&1) \
      && fail "$header passes for C++17"
    said=$(grep -m 1 "error:" <<< "$said")
    [[ $said == *"$wanted"* ]] || fail "$header says '$said' to C++17 instead of '$wanted'"
  done
}

# Examples and pages are where people look for them; the smallest example builds from there.
examples_and_pages() {
  local out=$scratch/examples file
  for file in doc/far/{memory_model.md,decisions,CHANGELOG.md} far/examples/README.md; do
    [[ -e $1/share/$file ]] || fail "share/$file is not installed"
  done
  cmake -S "$1/share/far/examples" -B "$out" -G Ninja -DCMAKE_CXX_COMPILER="$cxx" \
    > "$scratch/log" || fail "the examples cannot be configured: $(< "$scratch/log")"
  cmake --build "$out" --target example_hello > "$scratch/log" \
    || fail "an example does not build: $(< "$scratch/log")"
  expect "hello from rank 0 of 1" "$out/example_hello"
}

# line_of LIBRARY: the source line of one of its functions by the debug information; `??` without
# any.
line_of() {
  local address
  address=$(nm -D --defined-only "$1" | awk '/far3run/ {print $1; exit}')
  [[ -n $address ]] || fail "$1 has no dynamic symbol of far::run for crash reports"
  addr2line -e "$1" "0x$address"
}

# At most 25 MB without debug information. Tools find the debug information wherever the tree is.
debug_information() {
  local library bytes file moved=$scratch/elsewhere
  library=$(find "$prefix" -name libfar.so)
  bytes=$(du -sb "$prefix" | cut -f 1)
  echo "install_test: $((bytes / 1000000)) MB are installed"
  ((bytes <= 25000000)) || fail "$bytes bytes are installed, more than 25 MB"
  [[ $(line_of "$library") == "??"* ]] || fail "$library has debug information"
  install_here --component debug
  while read -r file; do
    [[ -e $(dirname "$file")/.debug/$(basename "$file").debug ]] \
      || fail "the component debug has nothing for $file"
  done < <(find "$prefix" -type f ! -path '*/.debug/*' -exec sh -c \
    'head -c 4 "$1" | grep -q ELF' sh {} \; -print)
  mv "$prefix" "$moved"
  library=$moved/${library#"$prefix/"}
  [[ $(line_of "$library") == *.[ch]pp:[0-9]* ]] || fail "$library does not find its .debug"
  mv "$moved" "$prefix"
}

install_here
if [[ -x $prefix/bin/far ]]; then "$prefix/bin/far" --version; fi
if ! grep -q "^prefix=\${pcfiledir}" "$(find "$prefix" -name far.pc)"; then
  fail "far.pc names a fixed prefix"
fi
if grep -rlI -e "$prefix" -e "$build" "$prefix"; then
  fail "the installed text files above name the folder where they were built or installed"
fi
in_an_older_mode "$prefix"
by_cmake "$prefix"
by_pkg_config "$prefix"
by_java "$prefix"
by_oshcc "$prefix"
no_components "$prefix"
with_debug_containers "$prefix"
examples_and_pages "$prefix"

mv "$prefix" "$scratch/moved"
by_cmake "$scratch/moved"
by_pkg_config "$scratch/moved"
by_java "$scratch/moved"
by_oshcc "$scratch/moved"
mv "$scratch/moved" "$prefix"

debug_information

cmake --build "$build" --target uninstall > "$scratch/uninstall.log" \
  || fail "$(tail "$scratch/uninstall.log")"
left=$(find "$prefix" 2> /dev/null || true)
if [[ -n $left ]]; then fail "uninstall left behind: $left"; fi
echo "install_test: installed, used, moved and uninstalled far $version"
