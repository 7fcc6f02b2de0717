#!/usr/bin/env bash
# A cluster run by Slurm, for tests: starts Slurm's daemons on hosts of hosts.sh, runs COMMAND in
# the first of them, where srun starts ranks on all hosts, and removes everything. The status is
# that of COMMAND; 77 (skipped) where Slurm is not installed or hosts cannot be made.
#
# usage: test/hosts/slurm.sh [-n HOSTS] [--limit SECONDS] -- COMMAND ARGS...
#
#   test/hosts/slurm.sh -n 2 -- srun --mpi=pmix -N 2 -n 4 build/release/bin/example_hello
#
# All files of the daemons are in the run's own folder, with their own key, so they do not conflict
# with a Slurm of the machine itself.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)

if [[ ${1:-} != --inside ]]; then
  for program in slurmctld slurmd srun munged; do
    if [[ -z $(command -v "$program") ]]; then
      echo "slurm: skipped: no $program here (Debian: slurmctld, slurmd, slurm-client, munge)" >&2
      exit 77
    fi
  done
  options=()
  while (($#)) && [[ $1 != -- ]]; do options+=("$1"); shift; done
  shift || true
  exec "$here/hosts.sh" "${options[@]}" -- "$here/slurm.sh" --inside "$@"
fi
shift

mapfile -t hosts < <(grep -o 'farhost[0-9]*' /etc/hosts | sort -u)
folder=$(mktemp -d)
chmod 711 "$folder"
trap 'rm -rf "$folder"' EXIT

mkdir "$folder/munge" "$folder/state"
head -c 128 /dev/urandom > "$folder/munge/key"
chmod 400 "$folder/munge/key"
munged --socket "$folder/munge/socket" --key-file "$folder/munge/key" \
  --pid-file "$folder/munge/pid" --log-file "$folder/munge/log" --seed-file "$folder/munge/seed"

cat > "$folder/slurm.conf" << CONF
ClusterName=far
SlurmctldHost=${hosts[0]}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerType=sched/builtin
ReturnToService=2
SlurmdParameters=config_overrides
SlurmctldPidFile=$folder/slurmctld.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdPidFile=$folder/slurmd.%n.pid
SlurmdLogFile=$folder/slurmd.%n.log
SlurmdSpoolDir=$folder/spool.%n
StateSaveLocation=$folder/state
TmpFS=$folder/tmp.%n
NodeName=$(IFS=,; echo "${hosts[*]}") CPUs=4 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF=$folder/slurm.conf

slurmctld
for host in "${hosts[@]}"; do
  mkdir "$folder/spool.$host" "$folder/tmp.$host"
  "$HOSTS_AGENT" "$host" env "SLURM_CONF=$SLURM_CONF" slurmd
done
by=$((SECONDS + 30))
until [[ $(sinfo -h -o %T) == idle ]]; do
  if ((SECONDS > by)); then
    tail -n 5 "$folder"/*.log >&2
    echo "slurm: the hosts are not ready after 30 s" >&2
    exit 1
  fi
  sleep 0.1
done

status=0
"$@" || status=$?
exit "$status"
