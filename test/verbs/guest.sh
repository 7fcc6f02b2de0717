#!/usr/bin/env bash
# The inside of a guest, in the file tree of the machine: makes the RDMA device. Guest 0 runs
# COMMAND once the other guest is up; the other guest waits for commands from agent.sh.
#
# Called by init.sh, as process 1, with guest, guests, folder and here in variables. Standard output
# is the guest's console, which guests.sh prints when something fails.
set -uo pipefail

# shellcheck disable=SC2154  # from init.sh
me=$guest others=$((guests - 1)) shared=$folder scripts=$here
export -n guest guests folder here

end() {
  echo "guest $me: $*"
  busybox reboot -f
}

# shellcheck disable=SC1091  # the caller's; sets the caller's PWD, too
source "$shared/environment"
export HOSTNAME=farguest$me TMPDIR=/tmp PATH=$PATH:/usr/sbin:/sbin
mkdir -p /tmp
ulimit -l unlimited
ulimit -c 0

rdma link add rxe0 type rxe netdev eth0 || end "cannot make an RDMA device"
# Its address comes a little later: 10.84.0.N, as an IPv6 address.
port=/sys/class/infiniband/rxe0/ports/1
for ((try = 0; ; try++)); do
  if grep -q ':ffff:0a54:' $port/gids/* 2> /dev/null && grep -q ACTIVE $port/state; then break; fi
  if ((try == 400)); then end "the RDMA device does not come up"; fi
  sleep 0.05
done

# rc_verbs alone could not connect. UCX before 1.19 drops the packets that it needs to connect,
# unless told not to check their destination (github.com/openucx/ucx/pull/10209). Registered memory
# is pinned as a whole, so heaps are small.
export UCX_TLS=${UCX_TLS:-rc_verbs,ud_verbs} UCX_NET_DEVICES=rxe0:1 UCX_UD_VERBS_ETH_DGID_CHECK=n
export FAR_SYMMETRIC_HEAP=${FAR_SYMMETRIC_HEAP:-16M} FAR_LOCAL_HEAP=${FAR_LOCAL_HEAP:-16M}
export FAR_PEER_TIMEOUT=${FAR_PEER_TIMEOUT:-120}  # emulated ranks may be slow to answer
# As in test/hosts/switch.sh.
export OMPI_MCA_plm_rsh_agent=$scripts/agent.sh OMPI_MCA_oob_tcp_if_include=eth0
export OMPI_MCA_hwloc_base_binding_policy=none
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
cd "$PWD" || end "no folder $PWD"

if ((me > 0)); then
  echo "guest $me is up"
  exec busybox nc -ll -p 514 -e "$scripts/agent.sh" --serve
fi
until ((others == 0)) || (exec 3<> /dev/tcp/farguest1/514) 2> /dev/null; do sleep 0.1; done
echo "guest $me is up"
: > "$shared/up"

mapfile -d '' command < "$shared/command"
# Closing the line waits until all output is out.
status=0
{
  stty -opost <&1
  "${command[@]}" < /dev/null
} > /dev/ttyS1 2>&1 || status=$?
echo "$status" > "$shared/status.new"
mv "$shared/status.new" "$shared/status"
exec sleep infinity
