#!/usr/bin/env bash
# Runs a test of OpenSHMEM's interface on 1, 2, 4 and 7 PEs by `far run`, and on the numbers given,
# with every access checked on 2, under mpirun if it is there, and, with `nodes`, with a PE a node.
# usage: run.sh FAR PROGRAM [nodes | PES]...
set -euo pipefail
far=$1
program=$2
shift 2
numbers=(1 2 4 7)
nodes=
for argument in "$@"; do
  if [[ $argument == nodes ]]; then nodes=1; else numbers+=("$argument"); fi
done
for pes in "${numbers[@]}"; do
  "$far" run --timeout 120 -n "$pes" "$program"
done
SHMEM_DEBUG=1 "$far" run --timeout 120 -n 2 "$program"
if [[ -z $nodes ]]; then exit; fi
FAR_FABRIC=ucx FAR_RANKS_PER_NODE=1 "$far" run --timeout 120 -n 3 "$program"
if mpirun=$(command -v mpirun.openmpi); then
  timeout 120 "$mpirun" --allow-run-as-root --oversubscribe -n 2 "$program" < /dev/null
fi
