#!/usr/bin/env bash
# A rank of a C program fails: the launcher says in one line which and why, the others' calls return,
# and nothing is left.
# usage: failure.sh FAR PROGRAM
set -euo pipefail
far=$1
program=$2

# expect STATUS WORDS HOW
expect() {
  local status=0 said
  said=$(timeout 60 "$far" run -n 3 "$program" "$3" 2>&1) || status=$?
  if [[ $status != "$1" || $said != *"$2"* || $said == *"rank_fails.c"* ]]; then
    echo "failure.sh: $3 ends with status $status and says '$said'" >&2
    exit 1
  fi
}

expect 1 "out of luck" fails
expect 7 "rank 1" dies
expect 5 "rank 1" exits
