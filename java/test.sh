#!/usr/bin/env bash
# Runs the tests of the Java package, which Maven has compiled, on 1, 2 and 4 ranks, on two nodes if the
# build has UCX, with programs that fail, and the example.
# usage: test.sh BUILD_FOLDER [JAVA_HOME...]    (without one: the java of PATH)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
shift
homes=("$@")
if ((${#homes[@]} == 0)); then homes=(""); fi
far=$build/bin/far
target=$here/binding/target
tests=(JobTest MapTest QueueTest ArrayTest LockTest ObjectTest)
library=-Dfar.library=$build/lib/libfar_jni.so
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
  echo "java/test.sh: $*" >&2
  exit 1
}

# run_tests RANKS: in the environment of the caller.
run_tests() {
  "$far" run -n "$1" "$java" "${options[@]}" -cp "$target/far.jar:$target/test-classes:$target/test-libraries/*" \
    io.github.libfar.Ranks "${tests[@]}"
}

# expect_failure STATUS WORDS HOW: rank 1 of three fails, and the launcher says it with these words.
expect_failure() {
  local status=0 said
  said=$(timeout 60 "$far" run -n 3 "$java" "${options[@]}" -cp "$target/far.jar:$target/test-classes" \
    io.github.libfar.Fails "$3" 2>&1) || status=$?
  [[ $status == "$1" && $said == *"$2"* ]] || fail "Fails $3 ends with status $status and says '$said'"
}

for home in "${homes[@]}"; do
  java=${home:+$home/bin/}java
  options=("$library")
  if "$java" -version 2>&1 | grep -qE 'version "(2[4-9])'; then
    options+=(--enable-native-access=ALL-UNNAMED)
  fi
  "$java" -version 2>&1 | head -n 1
  for ranks in 1 2 4; do run_tests "$ranks"; done
  if [[ -e $build/lib/libfar_ucx.so ]]; then FAR_FABRIC=ucx FAR_RANKS_PER_NODE=1 run_tests 2; fi
  expect_failure 1 "out of luck" throws
  expect_failure 1 "rank 1" halts
  expect_failure 3 "rank 1" exits
  printf 'the cat and the dog\nThe end\n\nand so on\n' > "$scratch/text"
  said=$("$far" run -n 3 "$java" "${options[@]}" -cp "$target/far.jar" \
    "$here/../examples/java/WordCount.java" "$scratch/text" "$scratch/text")
  [[ $said == "6 the"$'\n'"4 and"$'\n'* ]] || fail "WordCount says '$said'"
done
echo "java/test.sh: good"
