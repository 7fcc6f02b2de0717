#!/usr/bin/env bash
# The conformance tests over several hosts: mpirun starts every test that can run on the ucx fabric
# on hosts of hosts.sh, and its processes are the ranks of all its jobs. Then the apps, whose
# answers are known. Skipped (77) where there is no mpirun, or hosts cannot be made.
#
# usage: test/hosts/conformance_test.sh BUILD_FOLDER HOSTS RANKS [TEST...]
#
# TEST: names of test programs to run instead of all. Left out: tests that start their own programs,
# that compare what ranks saw in the test's own memory, or whose ranks fail on purpose, because the
# next test would need the process that has ended.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
max_s=600  # for one program: longer is a hang

if [[ $1 != --inside ]]; then
  if ! command -v mpirun > /dev/null; then
    echo "conformance_test: skipped: no mpirun here (Debian: openmpi-bin)" >&2
    exit 77
  fi
  hosts=$2
  exec "$here/hosts.sh" -n "$hosts" --limit 3600 -- "$here/conformance_test.sh" --inside "$@"
fi
shift
bin=$(cd "$1/bin" && pwd)
data=$here/../../data
hosts=$2
ranks=$3
shift 3
tests=("$@")

on_hosts=()
for ((host = 0; host < hosts; host++)); do on_hosts+=("farhost$host:$((ranks / hosts))"); done
list=$(IFS=,; echo "${on_hosts[*]}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# across PROGRAM ARGS...: runs on all hosts, with its own limit, because mpirun may hang with its
# ranks.
across() { timeout --kill-after=5 "$max_s" mpirun -n "$ranks" -H "$list" -x FAR_FABRIC=ucx "$@"; }

skip_tests='*Fail*:*fail*:*throw*:*refused*:*Refused*:*disagree*:*exception*:matching*:*/matching*'
failures=0
if ((${#tests[@]} == 0)); then
  for program in "$bin"/*_test; do
    case ${program##*/} in
      apps_* | launcher_* | fabric_ucx_* | fabric_shm_* | fabric_sim_* | support_* | litmus_*)
        continue
        ;;
    esac
    if [[ $("$program" --gtest_list_tests 2> /dev/null) == */ucx_* ]]; then
      tests+=("${program##*/}")
    fi
  done
fi
for name in "${tests[@]}"; do
  if ! across "$bin/$name" --gtest_filter="*/ucx_*-$skip_tests" --gtest_brief=1 \
    &> "$scratch/log"; then
    echo "conformance_test: $name failed on $hosts hosts:"
    tail -n 40 "$scratch/log"
    failures=$((failures + 1))
  fi
done

# knows WHAT EXPECTED COMMAND...: compares a field of an app's --json.
knows() {
  local what=$1 expected=$2 found
  shift 2
  found=$(across "$@" 2> "$scratch/log" | sed -n "s/.*\"$what\": *\([0-9]*\).*/\1/p" | awk 'NR == 1')
  if [[ $found != "$expected" ]]; then
    echo "conformance_test: $what is '$found' on $hosts hosts, not $expected:" "$@"
    tail -n 20 "$scratch/log"
    failures=$((failures + 1))
  fi
}
graph=$(find "$data" -name '*.xz' -print -quit)
printf 'to be or not to be that is the question\n' > "$scratch/words"
if [[ -x $bin/far-graph ]]; then
  knows components 147 "$bin/far-graph" components --json "$graph"
  knows vertices 59564 "$bin/far-graph" pagerank --json --verify "$graph"
  knows distinct 8 "$bin/far-count" words --json "$scratch/words"
fi

echo "conformance_test: ${#tests[@]} programs on $hosts hosts, $failures failures"
((failures == 0))
