#!/usr/bin/env bash
# Jobs over several hosts. A random rank is killed, or a host's link goes down, at a random moment:
# in half of the jobs after all ranks have joined, in the others while they start. Each job must end
# with a clear error in less than 30 s and leave no process. Skipped (77) where there is no mpirun,
# or hosts cannot be made.
#
# usage: test/hosts/failure_test.sh BUILD_FOLDER [JOBS] [SEED]
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)

if [[ $1 != --inside ]]; then
  if ! command -v mpirun > /dev/null; then
    echo "failure_test: skipped: no mpirun here (Debian: openmpi-bin)" >&2
    exit 77
  fi
  exec "$here/hosts.sh" -n 2 --limit $((40 * ${2:-4} + 20)) -- \
    "$here/failure_test.sh" --inside "$@"
fi
bin=$(cd "$2/bin" && pwd)
jobs=${3:-4}
seed=${4:-$((RANDOM * 32768 + RANDOM))}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
echo "failure_test: seed $seed, $jobs jobs"
RANDOM=$seed
failures=0
slowest=0
midway=0

now_ms() { echo $((${EPOCHREALTIME/[.,]/} / 1000)); }
ranks_alive() { pgrep -f "^$bin/test-busy" || true; }
joined() { grep -c '^joined' "$scratch/log" || true; }
# await_ranks COUNT: waits until there are at least COUNT ranks, or the job ends.
await_ranks() {
  victims=()
  while ((${#victims[@]} < $1)) && kill -0 "$job" 2> /dev/null; do
    mapfile -t victims < <(ranks_alive)
  done
}

for ((number = 1; number <= jobs; number++)); do
  # In the first job the link goes down before the hosts have communicated: host 1 is 12 s late.
  late=$((number == 1 ? 12 : 0))
  # The same numbers are drawn in both cases, so that a seed repeats the whole run.
  cut=$((number % 2)) early=$((number / 2 % 2)) pause=$((RANDOM % 800)) drawn=$RANDOM
  : > "$scratch/log"
  timeout --kill-after=1 35 mpirun -n 4 -H farhost0:2,farhost1:2 -x FAR_PEER_TIMEOUT=5 \
    -x FAR_START_TIMEOUT=10 "$bin/test-busy" 1000000000 "$late" > "$scratch/log" 2>&1 < /dev/null &
  job=$!
  if ((early)); then
    await_ranks 1
    sleep "$(printf '0.%03d' $((pause / 32)))"  # the whole start takes about 50 ms
  else
    await_ranks 4
    while (($(joined) < 4)) && kill -0 "$job" 2> /dev/null; do sleep 0.05; done
    sleep "$(printf '0.%03d' "$pause")"
  fi
  there=${#victims[@]}
  victim=${victims[$((there > 0 ? drawn % there : 0))]:-}
  if ((early && cut)); then
    # Stopped for a moment, so that the others are not past the exchange before the link is down.
    kill -STOP "$victim" 2> /dev/null || true
    sleep 0.3
  fi
  ready=$(joined)
  if ((ready < 4)); then midway=$((midway + 1)); fi
  begin=$(now_ms)
  if ((cut)); then
    what="host 1's link down, $there ranks there, $ready joined"
    "$HOSTS_LINK" farhost1 down
    kill -CONT "$victim" 2> /dev/null || true
  else
    what="a rank killed, $there ranks there, $ready joined"
    kill -KILL "$victim" 2> /dev/null || true
  fi
  # With the link down, mpirun cannot learn of its ranks there: the ranks themselves must end.
  while [[ -n $(ranks_alive) ]] && (($(now_ms) - begin < 30000)); do sleep 0.1; done
  took=$(($(now_ms) - begin))
  if ((cut)); then "$HOSTS_LINK" farhost1 up; fi
  status=0
  wait "$job" || status=$?
  if ((took > slowest)); then slowest=$took; fi
  if ((took >= 30000)) || [[ -n $(ranks_alive) ]]; then
    echo "failure_test: job $number ($what): ranks are left after $took ms:"
    tail -n 20 "$scratch/log"
    failures=$((failures + 1))
    pkill -KILL -f "^$bin/test-busy" || true
  fi
  if ((status == 0)); then
    echo "failure_test: job $number ($what): mpirun says that all went well"
    failures=$((failures + 1))
  fi
  by='far: rank [0-9]+ (failed|has waited)|ucx: rank [0-9]+ cannot|signal 9'
  # If a rank dies before mpirun knows all ranks, mpirun does not report how it died.
  if ((!cut && ready < 4)); then by+='|1 process returned'; fi
  if ! grep -qE "$by" "$scratch/log"; then
    echo "failure_test: job $number ($what): nobody says who failed:"
    tail -n 20 "$scratch/log"
    failures=$((failures + 1))
  fi
done
echo "failure_test: $jobs jobs ($midway hit before all had joined), $failures failures," \
  "the slowest ended in $slowest ms"
((failures == 0))
