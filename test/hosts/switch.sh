#!/usr/bin/env bash
# The inside of a run: process 1 of its PID namespace. Its network namespace is the switch between
# the hosts. Starts the hosts, and COMMAND in the first one; when COMMAND ends, so does everything.
#
# usage: switch.sh FOLDER HOSTS LIMIT COMMAND ARGS...   (called by hosts.sh)
#
# FOLDER gets its own file system, visible to the hosts only:
#   hosts             their /etc/hosts
#   environment       for commands of agent.sh: NAME=VALUE, each ended by a zero byte
#   HOST/pid          a process in the host's namespaces, written when the host is ready
#   HOST/tmp          the host's TMPDIR
#   HOST/hostname, HOST/boot_id
set -euo pipefail

# hosts.sh sends it; process 1 gets only signals for which it has a trap.
trap 'exit 143' TERM

here=$(cd "$(dirname "$0")" && pwd)
export HOSTS_FOLDER=$1
hosts=$2
limit=$3
shift 3

fail() {
  echo "hosts: $*" >&2
  exit 1
}

export HOSTS_AGENT=$here/agent.sh
export HOSTS_LINK=$here/link.sh
# Open MPI: the agent that starts its daemons, and their network. PMIx's other stores are shared
# files, which it assumes to be on one machine. Hosts share cores: binding would pile all ranks on
# the first.
export OMPI_MCA_plm_rsh_agent=$HOSTS_AGENT
export OMPI_MCA_oob_tcp_if_include=eth0
export OMPI_MCA_btl_tcp_if_include=eth0
export OMPI_MCA_hwloc_base_binding_policy=none
export OMPI_MCA_mpi_yield_when_idle=1
export OMPI_ALLOW_RUN_AS_ROOT=1
export OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export PMIX_MCA_gds=hash

mount -t tmpfs tmpfs "$HOSTS_FOLDER"
ip link set dev lo up
ip link add name switch type bridge
ip link set dev switch up

{
  echo "127.0.0.1 localhost"
  for ((i = 0; i < hosts; i++)); do echo "10.83.0.$((i + 1)) farhost$i"; done
} > "$HOSTS_FOLDER/hosts"

for name in HOME LANG LOGNAME PATH SHELL USER "${!HOSTS_@}" "${!OMPI_@}" "${!PMIX_MCA_@}"; do
  if [[ -v $name ]]; then printf '%s=%s\0' "$name" "${!name}"; fi
done > "$HOSTS_FOLDER/environment"

# The time by which all hosts must be ready.
by=$((SECONDS + 20))
for ((i = 0; i < hosts; i++)); do
  mkdir -p "$HOSTS_FOLDER/farhost$i/tmp"
  unshare --net --uts --ipc --mount "$here/host.sh" "farhost$i" "10.83.0.$((i + 1))/24" &
done
for ((i = 0; i < hosts; i++)); do
  until [[ -e $HOSTS_FOLDER/farhost$i/pid ]]; do
    if ((SECONDS > by)); then fail "farhost$i does not start"; fi
    sleep 0.02
  done
  ip link set dev "farhost$i" master switch
  "$HOSTS_LINK" "farhost$i" up
done

# A shell makes background commands ignore SIGINT and SIGQUIT; COMMAND must not. If the limit ends
# it, it has five seconds to report what it waited for.
status=0
timeout --foreground --kill-after=5 "$limit" nsenter --target "$(< "$HOSTS_FOLDER/farhost0/pid")" \
  --net --uts --ipc --mount --wdns="$PWD" \
  env --default-signal=INT,QUIT HOSTNAME=farhost0 TMPDIR="$HOSTS_FOLDER/farhost0/tmp" \
  "$@" <&0 &
wait "$!" 2> /dev/null || status=$?
if ((status == 124)); then echo "hosts: ended after $limit seconds" >&2; fi
exit "$status"
