#!/usr/bin/env bash
# The long tests. First the conformance tests (all tests of the library that run ranks as
# processes), many times in shuffled order. Then jobs of which a random rank is killed at a random
# moment: each must end within two seconds and leave no process and no shared memory behind.
#
# usage: test/soak.sh BUILD_FOLDER [--runs N] [--kills N] [--ranks N] [--seed N] [TEST...]
#
# TEST: names of test programs to run instead of all. --seed repeats an earlier run, which has
# printed it.
set -euo pipefail

runs=200
kills=100
ranks=8
seed=$((RANDOM * 32768 + RANDOM))
tests=()

complain() {
  echo "soak: $*; the head of test/soak.sh says how to call it" >&2
  exit 2
}

build=${1:-}
for program in far test-busy; do
  if [[ ! -x $build/bin/$program ]]; then complain "there is no $program in '$build/bin'"; fi
done
shift
while (($# > 0)); do
  case $1 in
    --runs | --kills | --ranks | --seed)
      if [[ ! ${2:-} =~ ^[0-9]{1,9}$ ]]; then complain "$1 wants a number"; fi
      declare "${1#--}=$((10#$2))"
      shift
      ;;
    -*) complain "unknown option $1" ;;
    *) tests+=("$1") ;;
  esac
  shift
done
if ((ranks < 2)); then complain "--ranks: a job needs two ranks, or there is none to survive"; fi

bin=$(cd "$build/bin" && pwd)
scratch=$(mktemp -d)
job=""
# shellcheck disable=SC2317  # called by the trap
clean_up() {
  if [[ -n $job ]]; then kill -KILL "$job" 2> /dev/null || true; fi
  rm -rf "$scratch"
}
trap clean_up EXIT
ulimit -c 0

rm -f "$build/soak-failures.log"
echo "soak: seed $seed, $runs runs of the conformance tests, $kills killed jobs of $ranks ranks"
RANDOM=$seed
failures=0

# Time in microseconds.
now() { echo "${EPOCHREALTIME/[.,]/}"; }

# note TEXT: reports a failure, on its own line.
note() {
  if [[ -t 1 ]]; then printf '\r\033[K'; fi
  echo "soak: $*"
  failures=$((failures + 1))
}

# progress NUMBER TEXT: overwrites itself on a terminal; elsewhere only every tenth is printed.
progress() {
  if [[ -t 1 ]]; then
    printf '\r\033[K%s' "$1 $2"
  elif (($1 % 10 == 0)); then
    echo "$1 $2"
  fi
}

# ---- conformance --------------------------------------------------------------------------------

filter='*processes_*'

if ((runs > 0 && ${#tests[@]} == 0)); then
  for program in "$bin"/*_test; do
    # The apps' tests are separate; the litmus tests, which take ten seconds each time, are not only
    # about conformance.
    if [[ $program == */apps_* || $program == */litmus_* ]]; then continue; fi
    if [[ $("$program" --gtest_list_tests --gtest_filter="$filter" 2> /dev/null) == *processes_* ]]
    then tests+=("${program##*/}"); fi
  done
  if ((${#tests[@]} == 0)); then complain "no conformance tests in $bin"; fi
fi

begin=$(now)
for ((run = 1; run <= runs; run++)); do
  shuffle=$((RANDOM + 1))
  for name in "${tests[@]}"; do
    status=0
    timeout --kill-after=5 300 "$bin/$name" --gtest_filter="$filter" --gtest_shuffle \
      --gtest_random_seed="$shuffle" --gtest_brief=1 &> "$scratch/log" || status=$?
    if ((status != 0)); then
      what="run $run: $name failed with status $status (--gtest_random_seed=$shuffle)"
      { echo "== $what"; cat "$scratch/log"; } >> "$build/soak-failures.log"
      note "$what; its output is in $build/soak-failures.log"
    fi
  done
  progress "$run" "of $runs runs, $failures failures, $((($(now) - begin) / run / 1000)) ms each"
done
if [[ -t 1 ]]; then echo; fi

# ---- killed jobs --------------------------------------------------------------------------------

# The processes of job MARK that have not ended; zombies do not count.
left_over() {
  local folder
  for folder in /proc/[0-9]*; do
    if grep -qzx "SOAK_JOB=$1" "$folder/environ"; then
      echo "${folder#/proc/}"
    fi
  done 2> /dev/null
}

# The entries of /dev/shm that are not in use. Other programs may run at the same time.
unused_shared() {
  local entry
  for entry in /dev/shm/*; do
    if [[ -e $entry ]] && ! grep -qsF "$entry" /proc/[0-9]*/maps; then echo "$entry"; fi
  done
}

# kill_one: kills a random child of the launcher, once it has any; prints its process id.
kill_one() {
  local children=() victim
  while ((${#children[@]} == 0)); do
    if [[ ! -d /proc/$job ]]; then return; fi
    read -ra children < "/proc/$job/task/$job/children" 2> /dev/null || true
  done
  victim=${children[$((RANDOM % ${#children[@]}))]}
  if kill -KILL "$victim" 2> /dev/null; then echo "$victim"; fi
}

slowest=0
for ((kill = 1; kill <= kills; kill++)); do
  mark=$$-$kill
  shared_before=$(unused_shared)
  SOAK_JOB=$mark "$bin/far" run -n "$ranks" "$bin/test-busy" > "$scratch/log" 2>&1 < /dev/null &
  job=$!
  delay=$((RANDOM % 500))
  sleep "$(printf '0.%03d' "$delay")"
  # RANDOM of a subshell would be the same each time, so the choice is made here.
  kill_one > "$scratch/victim"
  killed_at=$(now)
  # A launcher that hangs is killed, and counted as a failure.
  sleep 30 &
  guard=$!
  status=0
  wait -n "$job" "$guard" || status=$?
  took=$((($(now) - killed_at) / 1000))
  # SIGKILL: a shell that has not become sleep yet would run the trap for any other signal.
  kill -KILL "$guard" "$job" 2> /dev/null || true
  wait "$guard" "$job" 2> /dev/null || true
  job=""
  if ((took > slowest)); then slowest=$took; fi
  what="kill $kill (pid $(cat "$scratch/victim") after $delay ms)"
  if ((took > 2000)); then note "$what: the job took $took ms to end"; fi
  if ((status != 137)); then note "$what: status $status: $(tail -n 1 "$scratch/log")"; fi
  if ! grep -q 'died from signal 9 (Killed)' "$scratch/log"; then
    note "$what: the launcher does not say so: $(tail -n 1 "$scratch/log")"
  fi
  left=$(left_over "$mark")
  if [[ -n $left ]]; then
    note "$what: processes are left: ${left//$'\n'/ }"
    # shellcheck disable=SC2086  # one word each
    kill -KILL $left 2> /dev/null || true
  fi
  if [[ $(unused_shared) != "$shared_before" ]]; then
    note "$what: /dev/shm has changed: $(unused_shared | tr '\n' ' ')"
  fi
  progress "$kill" "of $kills killed jobs, $failures failures, the slowest ended in $slowest ms"
done
if [[ -t 1 ]]; then echo; fi

if ((failures > 0)); then
  echo "soak: $failures failures (seed $seed)"
  exit 1
fi
echo "soak: good: $runs runs, $kills killed jobs, the slowest of which ended in $slowest ms"
