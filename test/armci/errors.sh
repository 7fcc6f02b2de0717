#!/usr/bin/env bash
# Runs armci_errors with each of its cases: each must print its line, and end with status 1.
# usage: errors.sh PROGRAM
set -euo pipefail

program=$1
mpirun=$(command -v mpirun.openmpi || command -v mpirun) || {
  echo "errors: mpirun is not installed" >&2
  exit 77
}
output=$(mktemp)
trap 'rm -f "$output"' EXIT
lines=(
  "armci_msg_me: there are no messages before MPI is initialized"
  "armci_write_strided: rank 0: 9 stride levels: a section has 0 to 7"
  "ARMCI_PutS: rank 0: 8 stride levels: a section has 0 to 7"
  "ARMCI_Put: rank 0: the remote address of 8 bytes is null"
  "ARMCI_Get: rank 0: the local address of 8 bytes is null"
  "ARMCI_PutValueInt: rank 0: the remote address is null"
  "ARMCI_Rmw: rank 0: the local address is null"
  "ARMCI_Malloc_group: rank 0: the pointer to the group is null"
  "ARMCI_Free_group: rank 0: the pointer to the group is null"
  "ARMCI_Acc: rank 0: the scale of an accumulate is null"
  "ARMCI_Put_flag: rank 0: the address of the flag is null"
  "ARMCI_AccS: rank 0: the section spans more than 2^62 bytes"
  "ARMCI_Group_size: rank 0: the pointer to the group is null"
)
failures=0
for ((case = 0; case < ${#lines[@]}; ++case)); do
  status=0
  timeout 60 "$mpirun" --allow-run-as-root -n 1 "$program" "$case" > "$output" 2>&1 < /dev/null ||
    status=$?
  if [[ $status != 1 ]] || ! grep -qF "${lines[case]}" "$output"; then
    echo "errors: case $case: status $status, not 1 with '${lines[case]}'; it printed:"
    tail -n 20 "$output"
    failures=1
  fi
done
exit $failures
