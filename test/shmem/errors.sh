#!/usr/bin/env bash
# Runs the cases of errors.c on two PEs: each must print its line and end the job with status 1. And
# what `far run` and shmem_init say of bad variables.
# usage: errors.sh FAR PROGRAM
set -euo pipefail
far=$1
program=$2
output=$(mktemp)
trap 'rm -f "$output"' EXIT
lines=(
  "shmem_my_pe: OpenSHMEM is not initialized: call shmem_init first"
  "shmem_long_p: PE 1: there is no PE 2: PEs are 0 to 1"
  "shmem_long_g: PE 1: there is no PE -1: PEs are 0 to 1"
  "is not symmetric: it is an automatic variable"
  "is not symmetric: it is of the shared object"
  "is not symmetric: it is a null pointer"
  "is not symmetric: it is neither from shmem_malloc nor in the program's static data"
  "shmem_long_atomic_inc: PE 1: the symmetric memory at 0x"
  "end 8 bytes beyond their block, which has 80 bytes"
  "shmem_ctx_long_p: PE 1: the context is SHMEM_CTX_INVALID"
  "shmem_int_sum_reduce: PE 1: the team is SHMEM_TEAM_INVALID"
  "shmem_long_wait_until: PE 1: the address"
  "shmem_barrier_all: called after the last shmem_finalize"
  "the context is none that shmem_ctx_create has made, or it was destroyed"
  "shmem_long_broadcast: PE 1: the team is none that a split has made, or it was destroyed"
  "shmem_long_wait_until: PE 1: there is no comparison 77"
  "shmem_free: PE 1: no symmetric block begins at"
  "shmem_clear_lock: PE 1: this PE does not hold the lock"
  "shmem_putmem_signal: PE 1: there is no signal operation 9"
  "shmem_barrier: PE 1: the active set of 3 PEs from 0 at strides of 2^0 does not fit"
  "shmem_long_broadcast: PE 1: there is no PE 2 in the team"
  "collectives do not match: as call"
  ") died from signal 9 (Killed)"
  "exit: PE 1: this PE holds the lock at 0x"
  ") exited with status 3"
  ") exited with status 0 before the job's end"
  "shmem_finalize: PE 1: this PE holds the lock at 0x"
)
failures=0
# expect LINE COMMAND...: the command must fail, and print the line.
expect() {
  local line=$1 status=0
  shift
  timeout 60 "$@" > "$output" 2>&1 < /dev/null || status=$?
  if ((status == 0 || status == 124)) || ! grep -qF -- "$line" "$output"; then
    echo "errors: $*: status $status, want a failure with '$line'; it printed:"
    tail -n 20 "$output"
    failures=1
  fi
}
for ((case = 0; case < ${#lines[@]}; ++case)); do
  SHMEM_DEBUG=1 expect "${lines[case]}" "$far" run -n 2 "$program" "$case"
done
# Without SHMEM_DEBUG what lies beyond the heap's last block is noticed, too.
expect "${lines[3]}" "$far" run -n 2 "$program" 3
expect "${lines[1]}" "$far" run -n 2 "$program" 1
for size in -1 1x 0x10 m "" 1e30; do
  SHMEM_SYMMETRIC_SIZE=$size expect "SHMEM_SYMMETRIC_SIZE: cannot read \"$size\" as a size" \
    "$program" 99
  SHMEM_SYMMETRIC_SIZE=$size expect "SHMEM_SYMMETRIC_SIZE: cannot read \"$size\" as a size" \
    "$far" run -n 2 "$program" 99
done
for size in .5m 20kk 3.1M 2097152 0; do
  SHMEM_SYMMETRIC_SIZE=$size "$far" run -n 2 "$program" 99
done
expect "far::job is one rank, but this process is to hold all 2 ranks" "$far" sim -n 2 "$program" 99
exit $failures
