#!/usr/bin/env bash
# Turns the namespaces in which it runs into a host, and keeps them: connects the host to the switch,
# and gives it a name and its own copy of everything by which a program may see whether two hosts
# are one.
#
# usage: host.sh NAME ADDRESS   (called by switch.sh)
set -euo pipefail

name=$1
address=$2
own=$HOSTS_FOLDER/$name

echo "$name" > /proc/sys/kernel/hostname
echo "$name" > "$own/hostname"
cat /proc/sys/kernel/random/uuid > "$own/boot_id"
mount --bind "$own/boot_id" /proc/sys/kernel/random/boot_id
mount --bind "$HOSTS_FOLDER/hosts" /etc/hosts
if [[ -e /etc/hostname ]]; then mount --bind "$own/hostname" /etc/hostname; fi
mount -t tmpfs tmpfs /dev/shm

# /sys/class/net shows the network in which /sys was mounted. The limits of cgroups must stay
# visible.
if mountpoint -q /sys/fs/cgroup; then
  mkdir "$own/cgroup"
  mount --rbind /sys/fs/cgroup "$own/cgroup"
  mount -t sysfs sysfs /sys
  mount --move "$own/cgroup" /sys/fs/cgroup
else
  mount -t sysfs sysfs /sys
fi

# With IPv6, addresses would be tentative for a second.
if [[ -e /proc/sys/net/ipv6 ]]; then echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6; fi
ip link set dev lo up
# The network namespace of process 1 is the switch. Its port is named after the host.
ip link add name eth0 type veth peer name "$name" netns 1
ip address add "$address" dev eth0
ip link set dev eth0 up

echo "$$" > "$own/pid.new"
mv "$own/pid.new" "$own/pid"
exec sleep infinity
