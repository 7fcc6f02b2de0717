#!/usr/bin/env bash
# Programs of the agent's tests over two hosts of test/hosts/hosts.sh: each prints what it does in one
# JVM. Says so, and ends well, where hosts cannot be made or the build has no UCX.
# usage: hosts_test.sh BUILD_FOLDER    (after Maven has compiled the agent's tests)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

if [[ $1 != --inside ]]; then
  if [[ ! -e $1/lib/libfar_ucx.so ]]; then
    echo "java/hosts_test.sh: skipped: $1 has no UCX" >&2
    exit 0
  fi
  status=0
  "$here/../test/hosts/hosts.sh" -n 2 --limit 300 -- "$here/hosts_test.sh" --inside "$1" || status=$?
  if ((status == 77)); then exit 0; fi  # hosts.sh has said why
  exit "$status"
fi
bin=$(cd "$2/bin" && pwd)
classes=$here/agent/target/test-classes
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export FAR_RSH=$HOSTS_AGENT
failures=0

for program in Queues "RandomCells 4" Bank Texts2 Threads3; do
  read -ra words <<< "$program"
  main=(-cp "$classes" "io.github.libfar.programs.${words[0]}" "${words[@]:1}")
  java "${main[@]}" > "$scratch/plain"
  status=0
  timeout --kill-after=5 60 "$bin/far" java --hosts farhost0,farhost1 -Xmx128m -XX:+UseSerialGC \
    -XX:TieredStopAtLevel=1 "${main[@]}" > "$scratch/far" 2>&1 || status=$?
  if ((status != 0)) || ! diff "$scratch/plain" "$scratch/far" > "$scratch/diff"; then
    echo "java/hosts_test.sh: $program: status $status, and differs from one JVM in:"
    head -n 20 "$scratch/diff"
    failures=$((failures + 1))
  fi
done
echo "java/hosts_test.sh: $failures failures"
((failures == 0))
