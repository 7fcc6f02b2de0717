#!/usr/bin/env bash
# One or two virtual machines with RDMA devices, for tests. Each has Debian's kernel with Soft-RoCE,
# and sees the file tree of this machine; its changes there are lost when it ends. Runs COMMAND in
# the first guest, and always removes everything. The status is that of COMMAND; 124 if the
# limit ended it, 77 (skipped) where guests cannot be started, 1 if one died.
#
# usage: test/verbs/guests.sh [-n GUESTS] [--limit SECONDS] -- COMMAND ARGS...
#        default: 1 guest (at most 2) and 600 seconds
#
#   test/verbs/guests.sh -- far run -n 2 PROGRAM                         (with FAR_FABRIC=ucx)
#   test/verbs/guests.sh -n 2 -- mpirun -n 4 -H farguest0:2,farguest1:2 PROGRAM
#
# COMMAND has the caller's environment and working folder, /dev/null as its standard input, and one
# stream for its output and its errors. UCX finds the device rxe0 and is told to use only this one;
# heaps are small (guest.sh). Open MPI's mpirun starts its daemon in the other guest by agent.sh.
#
# Where the processor cannot run guests itself, they are emulated: they take some seconds to start,
# run about ten times slower, and have no AVX-512. Durations mean nothing there.
set -euo pipefail

cache=/var/cache/far-verbs  # made by setup.sh
here=$(cd "$(dirname "$0")" && pwd)
name=guests usage=test/verbs/guests.sh
# shellcheck source=test/support/options.sh
source "$here/../support/options.sh"
read_options 1 2 "$@"
guests=$count

if ((EUID != 0)); then skip "only root can let guests see all files"; fi
if [[ $(uname -m) != x86_64 ]]; then skip "guests are x86-64, and this machine is not"; fi
for program in qemu-system-x86_64 busybox setpriv rdma; do
  if [[ -z $(command -v "$program") ]]; then skip "no $program here; ./dev verbs installs it"; fi
done
if [[ ! -e /etc/libibverbs.d/rxe.driver ]]; then
  skip "no ibverbs-providers here; ./dev verbs installs them"
fi
if [[ ! -e $cache/initrd.base ]]; then skip "no kernel for guests here; ./dev verbs gets it"; fi

folder=$(mktemp -d)
machines=()

# shellcheck disable=SC2317  # called by the trap
take_down() {
  trap '' INT TERM HUP
  if ((${#machines[@]} > 0)); then
    { kill -KILL "${machines[@]}" && wait "${machines[@]}"; } 2> /dev/null || true
  fi
  wait  # for the last output
  rm -rf "$folder"
}
trap take_down EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

export -p > "$folder/environment"
printf '%s\0' "${command[@]}" > "$folder/command"
mkdir "$folder/init"
cp "$here/init.sh" "$folder/init/init"
(cd "$folder/init" && find . | busybox cpio -o -H newc 2> /dev/null) \
  | cat "$cache/initrd.base" - > "$folder/initrd"

cores=$(($(nproc) / guests))
if ((cores < 1)); then cores=1; fi
if ((cores > 4)); then cores=4; fi
# Without "enhanced rep movsb", the RDMA device, which is a memcpy in the guest, writes whole words.
# With it, under emulation, a thread that polls a word may see it half written.
if [[ -w /dev/kvm ]] && grep -qwE 'vmx|svm' /proc/cpuinfo; then
  processor=(-accel kvm -cpu "host,-erms")
  clock=""
else
  # The guest's time stamps are those of this machine. By itself the guest would measure their rate,
  # badly where others compute. The kernel here knows it: two "bogomips" are a million a second.
  processor=(-accel "tcg,thread=multi" -cpu "max,-erms")
  rate=$(awk '$1 == "bogomips" {print int($3 * 500); exit}' /proc/cpuinfo)
  clock="tsc=reliable tsc_early_khz=$rate"
fi

# start NUMBER: boots a guest. It dies if this script is killed.
start() {
  local options=() network=hubport,id=net,hubid=0  # to nowhere: of one guest, the device loops back
  if ((guests > 1)); then
    network=dgram,id=net,local.type=unix,local.path=$folder/wire$1
    network+=,remote.type=unix,remote.path=$folder/wire$((1 - $1))
  fi
  options=(-M q35 "${processor[@]}" -smp "$cores" -m 2048
    -nodefaults -no-user-config -display none -no-reboot
    -kernel "$cache/vmlinux" -initrd "$folder/initrd"
    -append "guest=$1 guests=$guests folder=$folder here=$here console=ttyS0 quiet panic=-1 reboot=t \
no_timer_check mitigations=off cryptomgr.notests $clock"
    -serial "file:$folder/console$1"
    -fsdev "local,id=tree,path=/,security_model=none,readonly=on,multidevs=remap"
    -device "virtio-9p-pci,fsdev=tree,mount_tag=tree"
    -fsdev "local,id=run,path=$folder,security_model=none"
    -device "virtio-9p-pci,fsdev=run,mount_tag=run"
    -netdev "$network"
    # Space for a path MTU of 4096.
    -device "virtio-net-pci,netdev=net,mac=52:54:00:84:00:0$1,host_mtu=4200,romfile=")
  if (($1 == 0)); then options+=(-serial "file:$folder/output"); fi
  setpriv --pdeathsig KILL qemu-system-x86_64 "${options[@]}" \
    < /dev/null > "$folder/machine$1" 2>&1 &
  machines+=("$!")
}

mkfifo "$folder/output"
cat "$folder/output" &
for ((guest = 0; guest < guests; guest++)); do start "$guest"; done

# why TEXT: prints it, and the last output of the guests.
why() {
  local guest
  echo "guests: $*" >&2
  for ((guest = 0; guest < guests; guest++)); do
    sed "s/^/guest $guest: /; s/\r//" "$folder/machine$guest" "$folder/console$guest" | tail -n 20
  done >&2
}

by=$((SECONDS + limit))
until [[ -e $folder/status ]]; do
  for guest in "${!machines[@]}"; do
    if ! kill -0 "${machines[guest]}" 2> /dev/null; then
      why "guest $guest has died"
      exit 1
    fi
  done
  if ((SECONDS > by)); then
    if [[ -e $folder/up ]]; then
      echo "guests: ended after $limit seconds" >&2
    else
      why "no guest came up in $limit seconds"
    fi
    exit 124
  fi
  sleep 0.1
done
read -r status < "$folder/status"
exit "$status"
