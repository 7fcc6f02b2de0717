#!/usr/bin/env bash
# Jobs that Slurm's srun starts over two hosts: answers of an app, as on one machine; a killed rank;
# a host whose link goes down; a body that throws. Skipped (77) where there is no Slurm.
#
# usage: test/hosts/slurm_test.sh BUILD_FOLDER
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)

if [[ $1 != --inside ]]; then
  exec "$here/slurm.sh" -n 2 --limit 400 -- "$here/slurm_test.sh" --inside "$@"
fi
bin=$(cd "$2/bin" && pwd)
graph=$(find "$here/../../data" -name '*.xz' -print -quit)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
export FAR_PEER_TIMEOUT=5 FAR_SYMMETRIC_HEAP=256M FAR_LOCAL_HEAP=256M
start=(srun --mpi=pmix -N 2 -n 4)

complain() {
  echo "slurm_test: $*"
  tail -n 20 "$scratch/log"
  failures=$((failures + 1))
}

ranks() { pgrep -f "^$bin/test-" || true; }

# expect_end WHAT PATTERN: checks that the job in $job ends with an error.
expect_end() {
  local status=0 by=$((SECONDS + 40))
  while { kill -0 "$job" 2> /dev/null || [[ -n $(ranks) ]]; } && ((SECONDS < by)); do sleep 0.1; done
  if [[ -n $(ranks) ]]; then complain "$1: ranks are left"; fi
  if kill -KILL "$job" 2> /dev/null; then complain "$1: it did not end"; fi
  wait "$job" 2> /dev/null || status=$?
  if ((status == 0)); then complain "$1: the status is 0"; fi
  if ! grep -qE "$2" "$scratch/log"; then complain "$1: nobody says '$2'"; fi
}

# started COMMAND...: starts a job in the background, sets $job to its process id, and waits for all
# its ranks.
started() {
  local by=$((SECONDS + 30))
  "${start[@]}" "$@" > "$scratch/log" 2>&1 < /dev/null &
  job=$!
  while (($(ranks | wc -l) < 4)) && ((SECONDS < by)); do sleep 0.05; done
  sleep 0.5
}

answer() { grep -E '"(vertices|edges|iterations|id|name)":'; }
ask=("$bin/far-graph" pagerank --json --verify "$graph")
alone=$("$bin/far" run -n 2 "${ask[@]}" 2> /dev/null | answer)
together=$("${start[@]}" "${ask[@]}" 2> "$scratch/log" | answer) || complain "pagerank: status $?"
if [[ $alone != "$together" ]]; then complain "pagerank: '$together', not '$alone'"; fi
"${start[@]}" "$bin/test-busy" 20 > "$scratch/log" 2>&1 || complain "test-busy: status $?"

started "$bin/test-busy"
mapfile -t victims < <(ranks)
kill -KILL "${victims[-1]}"
expect_end "a rank killed" 'task [0-9]: Killed'

started "$bin/test-busy"
"$HOSTS_LINK" farhost1 down
by=$((SECONDS + 40))
while [[ -n $(ranks) ]] && ((SECONDS < by)); do sleep 0.1; done
"$HOSTS_LINK" farhost1 up
expect_end "a link down" '^far: rank [0-9] failed: (was not heard of|is out of reach)'

status=0
"${start[@]}" "$bin/far-graph" pagerank /nowhere > "$scratch/log" 2>&1 || status=$?
if ((status == 0)) || ! grep -q '^far: /nowhere: cannot open' "$scratch/log"; then
  complain "no such file: status $status"
fi

echo "slurm_test: $failures failures"
((failures == 0))
