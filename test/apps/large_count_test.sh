#!/usr/bin/env bash
# far-count on a large input: k-mers of MEGABYTES (100) of reads, on several numbers of ranks, each
# compared with a sequential count.
#
# usage: test/apps/large_count_test.sh BUILD_FOLDER [MEGABYTES] [SEED]
set -euo pipefail

bin=$(cd "$1/bin" && pwd)
megabytes=${2:-100}
seed=${3:-$((RANDOM * 32768 + RANDOM))}
reads=$(mktemp --suffix .fa)
trap 'rm -f "$reads"' EXIT

echo "large_count: $megabytes MB of reads, seed $seed"
"$(dirname "$0")/make_reads.py" "$seed" "$megabytes" > "$reads"
for options in "2 -k 21 --canonical" "4 -k 31" "8 -k 11"; do
  read -ra words <<< "$options"
  echo "large_count: ${words[*]:1} on ${words[0]} ranks"
  "$bin/far" run -n "${words[0]}" "$bin/far-count" kmers --verify --top 3 "${words[@]:1}" "$reads"
done
