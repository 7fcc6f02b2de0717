#!/usr/bin/env bash
# The conformance tests over one of UCX's transports. On this machine: over UCX's shared memory
# (`memory`), or TCP over loopback (`loopback`). In virtual machines (test/verbs/guests.sh), over
# rc_verbs only: in one of them (`guest`), or across two, started by mpirun, with two ranks in each
# (`guests`). On one machine, this one or a guest, each rank is a node, or each two ranks are, as
# the tests start them. Skipped (77) where guests cannot be started.
#
# usage: test/ucx/conformance_test.sh BUILD_FOLDER memory|loopback|guest|guests [SECONDS [TEST...]]
#
# SECONDS: starts nothing after this time. Until then, runs one case of each program at a time, from
# the layers in turn, so that a short run covers a little of everything. 0 or not given: runs all.
# TEST: names of test programs to run instead of all. Across guests, as in
# test/hosts/conformance_test.sh, these are left out: tests that start their own programs, and tests
# whose ranks fail on purpose. No test depends on timing.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
max_s=600  # for one program: longer is a hang

# The programs in $bin that may have tests on the ucx fabric, those of lower layers first.
programs() {
  local program
  for program in "$bin"/{fabric,memory,rma,rpc,team}_*_test "$bin"/*_test; do
    if [[ ! -x $program ]]; then continue; fi
    case ${program##*/} in
      apps_* | launcher_* | support_* | litmus_* | fabric_shm_* | fabric_sim_*) ;;
      fabric_ucx_*) if [[ $where != guests ]]; then echo "${program##*/}"; fi ;;
      *) echo "${program##*/}" ;;
    esac
  done | awk '!seen[$0]++'
}

# parts PROGRAM...: prints NAME:INDEX:TOTAL for the parts to run, in order: the first part of the
# first program of each layer, then of the second, ...; then the second parts.
parts() {
  local name cases total
  for name in "$@"; do
    if [[ ! -x $bin/$name ]]; then
      echo "conformance_test: there is no $name in $bin" >&2
      return 1
    fi
    cases=$("${as_ranks[@]}" "$bin/$name" --gtest_list_tests --gtest_filter="$filter") || return
    cases=$(grep -c '^  ' <<< "$cases" || true)
    total=$((seconds > 0 ? cases : 1))
    if ((cases > 0)); then echo "$name $total"; fi
  done | awk '{split($1, words, "_"); place = ++count[words[1]]
               for (i = 0; i < $2; ++i) print i, place, NR, $1 ":" i ":" $2}' \
    | sort -n -k 1,1 -k 2,2 -k 3,3 | awk '{print $4}'
}

if [[ ${1:-} != --inside ]]; then
  where=${2:-}
  if [[ ! -d ${1:-}/bin || ! $where =~ ^(memory|loopback|guests?)$ || ! ${3:-0} =~ ^[0-9]{1,6}$ ]]
  then
    echo "conformance_test: the head of test/ucx/conformance_test.sh says how to call it" >&2
    exit 2
  fi
  bin=$(cd "$1/bin" && pwd)
  seconds=$((10#${3:-0}))
  if [[ $where == guests && -z $(command -v mpirun) ]]; then
    echo "conformance_test: skipped: no mpirun here (Debian: openmpi-bin)" >&2
    exit 77
  fi
  shift $(($# < 3 ? $# : 3))
  tests=("$@")
  if ((${#tests[@]} == 0)); then mapfile -t tests < <(programs); fi
  as_ranks=()
  filter='*/ucx_*:Gathering.*:MixedPaths.*:NicDomain.*:Stranger.*:Unreachable.*:Unwinding.*'
  limit=$((seconds > 0 ? seconds + max_s + 60 : 86400))
  transports=rc_verbs,ud_verbs
  within=()
  case $where in
    memory) transports=posix,sysv,cma,self ;;
    loopback) transports=tcp,self ;;
    guest) within=("$here/../verbs/guests.sh" --limit "$limit" --) ;;
    guests)
      within=("$here/../verbs/guests.sh" -n 2 --limit "$limit" --)
      filter='*/ucx_*-*Fail*:*fail*:*throw*:*refused*:*Refused*:*disagree*:*exception*:matching*'
      filter+=':*/matching*'
      as_ranks=(env OMPI_COMM_WORLD_SIZE=4)  # its cases differ
      ;;
  esac
  found=$(parts "${tests[@]}") || exit 2
  mapfile -t parts <<< "$found"
  if [[ -z $found ]]; then
    echo "conformance_test: no tests of the ucx fabric in $bin" >&2
    exit 2
  fi
  UCX_TLS=$transports exec "${within[@]}" \
    "$here/conformance_test.sh" --inside "$bin" "$where" "$seconds" "$filter" "${parts[@]}"
fi

bin=$2
where=$3
seconds=$4
filter=$5
shift 5
log=$(mktemp)
trap 'rm -f "$log"' EXIT
start=()
if [[ $where == guests ]]; then
  start=(mpirun -n 4 -H "farguest0:2,farguest1:2" -x FAR_FABRIC=ucx
    -x GTEST_TOTAL_SHARDS -x GTEST_SHARD_INDEX)
fi

failures=0
run=0
for part in "$@"; do
  if ((seconds > 0 && SECONDS > seconds)); then break; fi
  run=$((run + 1))
  IFS=: read -r name index total <<< "$part"
  what=$name
  if ((total > 1)); then what+=" ($((index + 1)) of $total)"; fi
  begin=$SECONDS
  status=0
  GTEST_SHARD_INDEX=$index GTEST_TOTAL_SHARDS=$total timeout --kill-after=5 "$max_s" \
    "${start[@]}" "$bin/$name" --gtest_filter="$filter" --gtest_brief=1 \
    &> "$log" < /dev/null || status=$?
  if ((status == 0)); then
    echo "$what: ok, $((SECONDS - begin)) s"
  else
    echo "$what: failed with status $status, $((SECONDS - begin)) s:"
    tail -n 40 "$log"
    failures=$((failures + 1))
  fi
done
echo "conformance_test: $where: $run of $# parts of programs, $failures failures, $SECONDS s"
((failures == 0))
