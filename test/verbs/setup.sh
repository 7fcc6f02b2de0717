#!/usr/bin/env bash
# Gets the kernel that guests.sh boots: Debian's newest one, unpacked and not installed, with the
# modules that a guest needs. Needed once per machine; `./dev verbs` calls it, as root.
#
# usage: test/verbs/setup.sh
#
# Makes in /var/cache/far-verbs
#   vmlinux        the uncompressed kernel; to decompress it under emulation takes long
#   initrd.base    busybox, and the modules, numbered in the order in which to load them
set -euo pipefail

cache=/var/cache/far-verbs
# For a guest's access to its files, its network, and the RDMA device on top of that network.
modules=(virtio_pci 9p 9pnet_virtio overlay virtio_net crc32_generic rdma_rxe ib_uverbs)

fail() {
  echo "verbs: $*" >&2
  exit 1
}

if ((EUID != 0)); then fail "only root can fill $cache"; fi
if [[ $cache/initrd.base -nt $0 ]]; then exit 0; fi
for program in apt-get busybox modprobe xz; do
  if [[ -z $(command -v "$program") ]]; then fail "$program is not installed (./dev verbs)"; fi
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
root=$scratch/root
base=$scratch/base
mkdir -p "$root" "$base/bin" "$base/modules" "$cache"

# Not Debian's kernel for clouds, which has neither rdma_rxe nor 9p.
newest() {
  apt-cache depends linux-image-amd64 2> /dev/null | awk '/Depends: linux-image/ {print $2; exit}'
}
package=$(newest)
if [[ -z $package ]]; then
  apt-get -q update &> "$scratch/log" || true
  package=$(newest)
fi
if [[ -z $package ]]; then fail "apt-get knows no linux-image-amd64"; fi
echo "verbs: getting the kernel of $package"
# apt-get downloads as a user of its own if that user may write, and complains if it may not.
if ! (cd "$scratch" && apt-get -q -o APT::Sandbox::User=root download "$package") \
  &> "$scratch/log"; then
  tail -n 5 "$scratch/log" >&2
  fail "cannot download $package"
fi
dpkg --fsys-tarfile "$scratch"/*.deb | tar -x -C "$root" --wildcards './boot/vmlinuz-*' \
  './lib/modules/*'
version=$(basename "$root"/lib/modules/*)

# The image contains the offset of the packed kernel (the kernel's documentation, x86/boot):
# setup_sects + 1 sectors, plus payload_offset bytes.
image=$root/boot/vmlinuz-$version
number() { od -An -v -t "u$2" -j "$1" -N "$2" "$image" | tr -d ' '; }
begin=$((($(number 0x1f1 1) + 1) * 512 + $(number 0x248 4)))
dd if="$image" iflag=skip_bytes,count_bytes skip="$begin" count="$(number 0x24c 4)" bs=1M \
  status=none | xz -dc --single-stream > "$scratch/vmlinux" || fail "cannot unpack $package"

depmod -b "$root" "$version"
number=100
for module in "${modules[@]}"; do
  modprobe -d "$root" -S "$version" --show-depends "$module" || fail "$package has no $module"
done | awk '$1 == "insmod" && !seen[$2]++ {print $2}' > "$scratch/order"
while read -r file; do
  cp "$file" "$base/modules/$number-${file##*/}"
  number=$((number + 1))
done < "$scratch/order"
cp "$(command -v busybox)" "$base/bin/busybox"
(cd "$base" && find . | busybox cpio -o -H newc 2> /dev/null) > "$scratch/initrd.base"
mv "$scratch/vmlinux" "$cache/vmlinux"
mv "$scratch/initrd.base" "$cache/initrd.base"
