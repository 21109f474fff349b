#!/bin/sh
# SPDX-License-Identifier: MIT
# A disk that fills up while many processes write to the target, and has room again
# later.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

need_mounts
mkdir "$work/disk"
mount -t tmpfs -o size=64k tmpfs "$work/disk" 2>/dev/null || skip "no mount is permitted"
trap 'umount "$work/disk"; [ -n "${T2_KEEP:-}" ] || rm -rf "$work"' EXIT
target=$work/disk/events

some='i=0; while [ $i -lt 150 ]; do /bin/true & /bin/true; i=$((i + 1)); done; wait; echo over'

# It fills up on the way. Odd sizes, so that the last line is cut here and there.
for size in 0 100 201 302 403 504; do
	head -c "$size" /dev/zero | tr '\0' ' ' >"$target"
	[ $size = 0 ] || echo >>"$target"
	same "fills up, $size" sh -c "$some"
	whole "fills up, $size" "$target"
	[ "$(df --output=avail "$work/disk" | tail -n 1)" -eq 0 ] || fail "the disk is not full"
done

# Room again, for the same processes' later children and for other ones.
head -c 40000 /dev/zero >"$work/disk/ballast"
: >"$target"
same "room again" sh -c "$some; rm -f $work/disk/ballast; $some"
nr=$(wc -l <"$target")
whole "room again" "$target"
[ "$(wc -c <"$target")" -gt 30000 ] ||
	fail "nobody has written after there was room again: $nr lines"
rm -f "$work/disk"/*

# Full from the start.
head -c 100000 /dev/zero >"$work/disk/ballast" 2>/dev/null
same "full" sh -c "$some"
[ ! -s "$target" ] || fail "full: something was told"
rm -f "$work/disk"/*

# Many small files instead of a large one.
target=$work/disk
same "a directory fills up" sh -c "$some"
for file in "$work/disk"/*; do
	[ ! -s "$file" ] || whole "a directory fills up" "$file"
done
rm -f "$work/disk"/*

# The disk goes, becomes read-only, and is another one.
target=$work/disk/events
for change in "mount -o remount,ro $work/disk" "umount -l $work/disk" \
	"mount -t tmpfs tmpfs $work/disk"; do
	same "$change" sh -c "/bin/true; [ -z \"\$LD_PRELOAD\" ] || $change; /bin/true; (exit 3)
		/bin/true; echo \$?"
	mount -o remount,rw "$work/disk" 2>/dev/null || mount -t tmpfs -o size=64k tmpfs "$work/disk"
done
umount "$work/disk"
echo "ok $name"
