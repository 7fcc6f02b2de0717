#!/bin/busybox sh
# Process 1 of a guest: loads the modules, puts a writable layer over the file tree of the machine,
# and continues there with guest.sh. It uses only busybox: under emulation each program that starts
# from that tree takes a tenth of a second.
#
# The kernel's command line sets variables: guest, guests, folder and here (guests.sh).
# shellcheck shell=dash disable=SC2154

export PATH=/bin
/bin/busybox --install -s /bin
mkdir -p /proc /sys /dev /machine /written /tree
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
exec < /dev/null

end() {
  echo "guest $guest: $*"
  reboot -f
}

for module in /modules/*.ko; do insmod "$module" || end "no $module"; done

over=trans=virtio,version=9p2000.L,msize=512000
mount -t 9p -o "ro,cache=loose,$over" tree /machine || end "cannot see the file tree"
mount -t tmpfs tmpfs /written
mkdir /written/files /written/work
mount -t overlay -o lowerdir=/machine,upperdir=/written/files,workdir=/written/work tree /tree ||
  end "cannot write over the file tree"
mount -t tmpfs tmpfs /tree/run
mount -t 9p -o "$over" run "/tree$folder" || end "cannot see $folder"

ln -s /proc/self/fd /dev/fd
ln -s fd/0 /dev/stdin
ln -s fd/1 /dev/stdout
ln -s fd/2 /dev/stderr
mkdir -p /dev/pts /dev/shm
mount -t devpts devpts /dev/pts
mount -t tmpfs tmpfs /dev/shm

hostname "farguest$guest"
printf '127.0.0.1 localhost\n10.84.0.1 farguest0\n10.84.0.2 farguest1\n' > /tree/etc/hosts
echo "farguest$guest" > /tree/etc/hostname
# With IPv6, addresses would be tentative for a second.
echo 1 > /proc/sys/net/ipv6/conf/eth0/disable_ipv6
ip link set dev lo up
ip link set dev eth0 up
ip address add "10.84.0.$((guest + 1))/24" dev eth0

for place in proc sys dev; do mount -o move "/$place" "/tree/$place"; done
exec chroot /tree /bin/bash "$here/guest.sh"
