#!/bin/sh
# Runs a command on this machine, as ssh would on another: for tests that start commands on hosts,
# where one machine stands for several. There is no host named nowhere.
#
# usage: here.sh HOST COMMAND...
HOSTNAME=$1
export HOSTNAME
shift
if [ "$HOSTNAME" = nowhere ]; then
  echo "here: there is no host $HOSTNAME" >&2
  exit 255
fi
exec sh -c "$*"
