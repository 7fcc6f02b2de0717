# shellcheck shell=bash
# The options that hosts.sh and guests.sh share: [-n COUNT] [--limit SECONDS] [--] COMMAND ARGS...
# Both source this file, and set what they make ($name) and the file with their usage ($usage).
# shellcheck disable=SC2034,SC2154  # variables from and for the sourcing script

complain() {
  echo "$name: $*; the head of $usage says how to call it" >&2
  exit 2
}

skip() {
  echo "$name: skipped: $*" >&2
  exit 77
}

# read_options LEAST MOST ARGS...: sets count (default LEAST), limit and command.
read_options() {
  local least=$1 most=$2
  shift 2
  count=$least
  limit=600
  while (($# > 0)); do
    case $1 in
      -n | --limit)
        if [[ ! ${2:-} =~ ^[0-9]{1,6}$ ]]; then complain "$1 wants a number"; fi
        if [[ $1 == -n ]]; then count=$((10#$2)); else limit=$((10#$2)); fi
        shift
        ;;
      --)
        shift
        break
        ;;
      -*) complain "unknown option $1" ;;
      *) break ;;
    esac
    shift
  done
  if (($# == 0)); then complain "which command?"; fi
  if ((count < least || count > most)); then complain "-n: there can be $least to $most $name"; fi
  if ((limit < 1)); then complain "--limit: a command needs a second"; fi
  command=("$@")
}
