#!/usr/bin/env bash
# Several hosts on one machine, for tests. Makes hosts farhost0, farhost1, ... on one network, runs
# COMMAND in farhost0, and always removes everything. The status is that of COMMAND; 124 if
# the limit ended it, 77 (skipped) where hosts cannot be made.
#
# usage: test/hosts/hosts.sh [-n HOSTS] [--limit SECONDS] -- COMMAND ARGS...
#        default: 2 hosts (at most 8) and 600 seconds
#
#   test/hosts/hosts.sh -n 2 -- mpirun -n 4 -H farhost0:2,farhost1:2 hostname
#
# A host has its own network (eth0, 10.83.0.1 and up, joined by a switch), host name, boot id,
# System V IPC, /dev/shm and TMPDIR. All hosts see the same processes and the same other files, and
# have all of the machine's cores. COMMAND keeps the caller's environment and working folder, and
# gets two programs in variables of these names:
#   HOSTS_AGENT HOST COMMAND...  runs COMMAND in another host, like ssh (agent.sh)
#   HOSTS_LINK HOST down|up      unplugs a host's cable, or plugs it in (link.sh)
# Open MPI's mpirun uses the agent. As over ssh, other hosts get only those variables of COMMAND's
# environment that its option -x names.
#
# Everything is in one PID namespace, whose process 1 is switch.sh: when that ends, the kernel ends
# everything else, daemons too. No namespace, bridge or mount has a name that is visible on the
# machine, so simultaneous runs do not conflict, and nothing is left behind. SIGKILL of this script
# ends the run, too, but leaves its empty folder in TMPDIR.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
name=hosts usage=test/hosts/hosts.sh
# shellcheck source=test/support/options.sh
source "$here/../support/options.sh"
read_options 2 8 "$@"

if ((EUID != 0)); then skip "only root can make hosts"; fi
for program in ip unshare nsenter setpriv; do
  if [[ -z $(command -v "$program") ]]; then skip "$program is not installed"; fi
done
world=(--pid --fork --kill-child --mount-proc --net --mount)
host=(--net --uts --ipc --mount)
# The inner unshare needs what a host needs; the commands need what containers often refuse.
if ! why=$(timeout --signal=KILL 20 unshare "${world[@]}" unshare "${host[@]}" sh -ec '
    ip link add name switch type bridge
    ip link add name port type veth peer name eth0
    mount -t sysfs sysfs /sys
    mount -t tmpfs tmpfs /dev/shm' 2>&1); then
  skip "cannot make namespaces here: ${why##*$'\n'}"
fi

folder=$(mktemp -d)
run=""

# Ends process 1 of the run, not the unshare that waits for it: unshare ends only when all processes
# of the namespace are gone. A signal may be too early, or process 1 stuck, so it loops.
# shellcheck disable=SC2317  # called by the trap
take_down() {
  local begin=$SECONDS signal=TERM first=""
  trap '' INT TERM HUP
  while [[ -n $run ]] && kill -0 "$run" && ((SECONDS < begin + 10)); do
    if ((SECONDS > begin + 2)); then signal=KILL; fi
    read -r first < "/proc/$run/task/$run/children" || true  # the line has no end
    if [[ -n $first ]]; then kill -"$signal" "$first" || true; fi
    sleep 0.02
  done 2> /dev/null
  # Its contents were on a file system of the run.
  rmdir "$folder"
}
trap take_down EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# In the background, so that a signal is handled at once; there, standard input would be /dev/null.
setpriv --pdeathsig KILL unshare "${world[@]}" \
  "$here/switch.sh" "$folder" "$count" "$limit" "${command[@]}" <&0 &
run=$!
status=0
wait "$run" 2> /dev/null || status=$?
exit "$status"
