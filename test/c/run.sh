#!/usr/bin/env bash
# Runs a test of the C interface on 1, 2 and 4 ranks, or only on one, with objects in one memory and
# with copies, and, with `nodes`, as ranks of two nodes.
# usage: run.sh FAR PROGRAM [nodes|alone]
set -euo pipefail
far=$1
program=$2
numbers=(1 2 4)
if [[ ${3:-} == alone ]]; then numbers=(1); fi
for ranks in "${numbers[@]}"; do
  for how in shared copies; do
    "$far" run -n "$ranks" "$program" "$how"
  done
done
if [[ ${3:-} == nodes ]]; then
  FAR_FABRIC=ucx FAR_RANKS_PER_NODE=1 "$far" run -n 2 "$program" shared
fi
