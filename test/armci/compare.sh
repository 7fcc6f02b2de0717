#!/usr/bin/env bash
# Runs a program on 1, 2 and 4 ranks under mpirun by shared memory, and on 2 by UCX between them.
# Compares what it prints with what the same program prints that is linked with another ARMCI.
# usage: compare.sh PROGRAM [REFERENCE]
set -euo pipefail

program=$1
reference=${2:-}
mpirun=$(command -v mpirun.openmpi || command -v mpirun) || {
  echo "compare: mpirun is not installed" >&2
  exit 77
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
status=0

# run OUTPUT RANKS COMMAND...: prints what went wrong, if anything.
run() {
  local output=$1 ranks=$2
  shift 2
  timeout 120 "$mpirun" --allow-run-as-root --oversubscribe --mca mpi_yield_when_idle 1 \
    -n "$ranks" "$@" \
    > "$output" 2> "$folder/errors" < /dev/null && return
  echo "compare: status $? of $* on $ranks ranks; it printed:"
  tail -n 20 "$output" "$folder/errors"
  status=1
  return 1
}

# BLAS threads would compete with the ranks.
export OPENBLAS_NUM_THREADS=1
for ranks in 1 2 4; do
  expected=
  if [[ -n $reference ]]; then
    expected=$folder/expected.$ranks
    # Other windows of Open MPI fail where two groups of a machine make one at once.
    run "$expected" "$ranks" --mca osc pt2pt "$reference" || continue
  fi
  for fabric in shm ucx; do
    if [[ $fabric == ucx && $ranks != 2 ]]; then continue; fi  # to save time
    settings=()
    if [[ $fabric == ucx ]]; then settings=(-x FAR_FABRIC=ucx -x FAR_RANKS_PER_NODE=1); fi
    run "$folder/output" "$ranks" "${settings[@]}" "$program" || continue
    if [[ -n $expected ]] && ! diff "$expected" "$folder/output"; then
      echo "compare: on $ranks ranks by $fabric, > is wrong"
      status=1
    fi
  done
done
exit $status
