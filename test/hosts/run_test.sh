#!/usr/bin/env bash
# `far run --hosts` over several hosts of hosts.sh, with the agent in the place of ssh. Tests the
# answers of an app, as on one machine; standard input; where ranks listen; a killed rank; a host
# whose link goes down; a killed head. After each, no process may be left on any host. Skipped (77)
# where hosts cannot be made.
#
# usage: test/hosts/run_test.sh BUILD_FOLDER HOSTS
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)

if [[ $1 != --inside ]]; then
  exec "$here/hosts.sh" -n "$2" --limit 400 -- "$here/run_test.sh" --inside "$@"
fi
bin=$(cd "$2/bin" && pwd)
hosts=$3
graph=$(find "$here/../../data" -name '*.xz' -print -quit)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

on_hosts=()
for ((host = 0; host < hosts; host++)); do on_hosts+=("farhost$host:2"); done
list=$(IFS=,; echo "${on_hosts[*]}")
export FAR_RSH=$HOSTS_AGENT FAR_PEER_TIMEOUT=5 FAR_SYMMETRIC_HEAP=256M FAR_LOCAL_HEAP=256M
last=farhost$((hosts - 1))

# The limit is for commands that should end by themselves.
across() { timeout --kill-after=5 60 "$bin/far" run --hosts "$list" "$@"; }

complain() {
  echo "run_test: on $hosts hosts: $*"
  tail -n 20 "$scratch/log"
  failures=$((failures + 1))
}

# All hosts of the run see the same processes: those of the job, wherever they run.
left() { pgrep -f "^$bin/test-|run --node" || true; }

expect_nothing_left() {
  local by=$((SECONDS + 20))
  while [[ -n $(left) ]] && ((SECONDS < by)); do sleep 0.1; done
  if [[ -n $(left) ]]; then
    complain "$1: processes are left: $(pgrep -fa "^$bin/test-|run --node" || true)"
    pkill -KILL -f "^$bin/test-|run --node" || true
  fi
}

# started COMMAND...: starts a job in the background, sets $job to its process id, and waits until
# its ranks report that they have joined.
started() {
  # Emptied first: the last job's log has the lines that are awaited.
  : > "$scratch/log"
  # A background job of a shell ignores SIGINT; this one must not.
  env --default-signal=INT,QUIT "$bin/far" run --hosts "$list" "$@" \
    > "$scratch/log" 2>&1 < /dev/null &
  job=$!
  local by=$((SECONDS + 30))
  while (($(grep -c '^ready' "$scratch/log" || true) < 2 * hosts)) && ((SECONDS < by)); do
    sleep 0.05
  done
}

# expect_end WHAT STATUS PATTERN: checks how the job in $job ends.
expect_end() {
  local status=0 by=$((SECONDS + 30))
  while kill -0 "$job" 2> /dev/null && ((SECONDS < by)); do sleep 0.05; done
  if kill -KILL "$job" 2> /dev/null; then complain "$1: it did not end"; fi
  wait "$job" 2> /dev/null || status=$?
  if [[ ! $status =~ ^$2$ ]]; then complain "$1: the status is $status, not $2"; fi
  if ! grep -qE "$3" "$scratch/log"; then complain "$1: nobody says '$3'"; fi
  expect_nothing_left "$1"
}

# Which rank runs on which host; this needs no communication between ranks.
across --tag-output hostname > "$scratch/log" 2>&1 || complain "hostname: status $?"
for ((host = 0; host < hosts; host++)); do
  if [[ $(grep -c " farhost$host\$" "$scratch/log") != 2 ]]; then complain "not 2 ranks on $host"; fi
done

# The app's answer, except the last digits, which the app verifies itself; and standard input, which
# only rank 0 of the job reads.
answer() { grep -E '"(vertices|edges|iterations|id|name)":'; }
ask=("$bin/far-graph" pagerank --json --verify "$graph")
alone=$("$bin/far" run -n 2 "${ask[@]}" 2> /dev/null | answer)
together=$(across "${ask[@]}" 2> "$scratch/log" | answer) || complain "pagerank: status $?"
if [[ $alone != "$together" ]]; then complain "pagerank: '$together', not '$alone'"; fi
lines=$(seq 200000 | across --tag-output wc -l 2> "$scratch/log" | sort) ||
  complain "standard input: status $?"
if [[ $lines != "[0] 200000"* || $lines != *"[$((2 * hosts - 1))] 0" ]]; then
  complain "standard input: $lines"
fi
across "$bin/test-busy" 20 > "$scratch/log" 2>&1 || complain "test-busy: status $?"
expect_nothing_left "jobs that end well"

started "$bin/test-busy"
mapfile -t ranks < <(pgrep -f "^$bin/test-busy")
kill -KILL "${ranks[-1]}"
expect_end "a rank killed" 137 \
  "^far run: rank [0-9]+ \(pid ${ranks[-1]} on host 'farhost[0-9]'\) died from signal 9"

started "$bin/test-busy"
"$HOSTS_LINK" "$last" down
expect_end "a link down" 1 \
  "^far run: rank [0-9]+ \(.*on host 'farhost[0-9]'\) (was not heard of|is out of reach)"
"$HOSTS_LINK" "$last" up

started "$bin/test-act" ignore-term
kill -KILL "$job"
expect_end "the head killed" 137 '^ready 0 '

# Ranks do not listen on a second network, by which the launcher did not come.
for ((host = 0; host < hosts; host++)); do
  "$HOSTS_AGENT" "farhost$host" ip link add extra type veth peer name other \
    "&&" ip addr add 10.84.0.1/24 dev extra "&&" ip link set extra up
done
started "$bin/test-act" wait
for ((host = 0; host < hosts; host++)); do "$HOSTS_AGENT" "farhost$host" ss -ltnpH; done |
  awk '/"test-act"/ {print $4}' > "$scratch/listeners"
if (($(grep -c '^10\.83\.' "$scratch/listeners") < 2 * hosts)) ||
  grep -qv '^10\.83\.' "$scratch/listeners"; then
  complain "ranks listen on: $(tr '\n' ' ' < "$scratch/listeners")"
fi
kill -INT "$job"
expect_end "an interrupt" 130 '^far run: ended by signal 2'

started "$bin/test-act" wait
mapfile -t nodes < <(pgrep -f "run --node$")
kill -KILL "${nodes[-1]}"
expect_end "a host's launcher killed" 1 "^far run: the connection to host 'farhost[0-9]' is lost"

status=0
across --hosts x true > "$scratch/log" 2>&1 || status=$?
if ((status != 2)); then complain "hosts named twice: status $status"; fi
status=0
timeout 60 "$bin/far" run --hosts farhost0,elsewhere true > "$scratch/log" 2>&1 || status=$?
if ((status != 1)) || [[ $(wc -l < "$scratch/log") != 1 ]] ||
  ! grep -q "^far run: cannot reach host 'elsewhere': agent: no host" "$scratch/log"; then
  complain "an unknown host: status $status"
fi
expect_nothing_left "an unknown host"

echo "run_test: $hosts hosts, $failures failures"
((failures == 0))
