#!/usr/bin/env bash
# Runs a command in a host of the same run, as ssh would: with a shell of that host, in the home
# folder, with the few variables of a login instead of the caller's.
#
# usage: agent.sh HOST COMMAND ARGS...   (within test/hosts/hosts.sh)
set -euo pipefail

if (($# < 2)) || [[ ! -e ${HOSTS_FOLDER:-}/$1/pid ]]; then
  echo "agent: no host '${1:-}', or no command; see the head of test/hosts/agent.sh" >&2
  exit 255  # as ssh
fi
host=$1
shift
mapfile -d '' environment < "$HOSTS_FOLDER/environment"
exec nsenter --target "$(< "$HOSTS_FOLDER/$host/pid")" --net --uts --ipc --mount \
  --wdns="${HOME:-/}" env --ignore-environment "${environment[@]}" HOSTNAME="$host" \
  TMPDIR="$HOSTS_FOLDER/$host/tmp" sh -c "$*"
