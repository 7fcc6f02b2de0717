#!/usr/bin/env bash
# Unplugs the cable of a host, or plugs it in. It is pulled at the switch: packets are lost, and the
# only sign in the host is that its eth0 has no carrier.
#
# usage: link.sh [--run PID] HOST down|up
#
# PID: the hosts.sh of the run, for a caller outside its hosts.
set -euo pipefail

complain() {
  echo "link: $*; the head of test/hosts/link.sh says how to call it" >&2
  exit 2
}

switch=1
if [[ ${1:-} == --run ]]; then
  # hosts.sh waits for an unshare, which waits for process 1 of the run.
  switch=${2:-}
  for _ in 1 2; do
    switch=$(cat "/proc/$switch/task/$switch/children" 2> /dev/null) || true
    if [[ ! $switch =~ ^[0-9]+\ *$ ]]; then complain "no run '${2:-}'"; fi
    switch=${switch%% *}
  done
  shift 2
fi
host=${1:-}
state=${2:-}
if [[ $state != up && $state != down ]]; then complain "up or down?"; fi

at_switch() { nsenter --target "$switch" --net "$@"; }
if [[ ! $(at_switch ip -o link show dev "$host" 2> /dev/null) == *" master switch "* ]]; then
  complain "no host '$host'"
fi
at_switch ip link set dev "$host" "$state"

# The switch forwards only a moment later, and the caller expects a working cable.
by=$((SECONDS + 10))
while [[ $state == up && ! $(at_switch bridge link show dev "$host") == *" forwarding "* ]]; do
  if ((SECONDS > by)); then
    echo "link: the switch does not forward for $host" >&2
    exit 1
  fi
  sleep 0.02
done
