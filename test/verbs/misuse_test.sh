#!/usr/bin/env bash
# Invalid jobs over RDMA verbs: each ends with one line that says what to do. In a guest
# (guests.sh); skipped (77) where that cannot be started.
#
# usage: test/verbs/misuse_test.sh BUILD_FOLDER
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
if [[ ${1:-} != --inside ]]; then
  if [[ ! -x ${1:-}/bin/far || ! -x $1/bin/example_hello ]]; then
    echo "misuse_test: the head of test/verbs/misuse_test.sh says how to call it" >&2
    exit 2
  fi
  bin=$(cd "$1/bin" && pwd)
  FAR_FABRIC=ucx FAR_RANKS_PER_NODE=1 exec "$here/guests.sh" --limit 300 -- \
    "$here/misuse_test.sh" --inside "$bin"
fi

job=("$2/far" run -n 2 "$2/example_hello")
log=$(mktemp)
failures=0

# ends STATUS TEXT COMMAND...: expects the status, and a line of the launcher that contains TEXT.
ends() {
  local expected=$1 text=$2 status=0
  shift 2
  timeout --kill-after=5 120 "$@" &> "$log" < /dev/null || status=$?
  if ((status != expected)) || { ((expected)) && ! grep -q "^far run: .*$text" "$log"; }; then
    echo "misuse_test: status $status, not $expected, or nobody says '$text':" "$@"
    cat "$log"
    failures=$((failures + 1))
  fi
}

ends 0 '' "${job[@]}"
# Heaps that may grow to the size of the machine would be pinned.
ends 1 'set FAR_SYMMETRIC_HEAP and FAR_LOCAL_HEAP' \
  env --unset=FAR_SYMMETRIC_HEAP --unset=FAR_LOCAL_HEAP "${job[@]}"
ends 1 'ulimit -l' \
  setpriv --bounding-set=-ipc_lock bash -c 'ulimit -l 1024; exec "$@"' job "${job[@]}"
# A transport that cannot connect by itself, and one that reaches no other process.
ends 1 'UCX_TLS' env UCX_TLS=rc_verbs "${job[@]}"
ends 1 'UCX_TLS' env UCX_TLS=self "${job[@]}"

echo "misuse_test: $failures failures"
((failures == 0))
