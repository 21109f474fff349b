#!/bin/sh
# SPDX-License-Identifier: MIT
# A program that has more rights than its caller, with a shim that the loader was told
# to load all the same: nothing is written where the caller says, and to no descriptor.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

[ "$(id -u)" = 0 ] || skip "only the superuser can make such a program"
need_mounts
mkdir "$work/upper"
trap 'umount -l /etc "$work/upper" 2>/dev/null; rm -rf "$work"' EXIT
mount -t tmpfs tmpfs "$work/upper" || skip "no mount is permitted"
mkdir "$work/upper/new" "$work/upper/aside"
mount -t overlay overlay /etc 2>/dev/null \
	-o "lowerdir=/etc,upperdir=$work/upper/new,workdir=$work/upper/aside" ||
	skip "no overlay is permitted"
cp "$shim" "$work/upper/libt2shim.so"
chmod 755 "$work/upper"
echo "$work/upper/libt2shim.so" >/etc/ld.so.preload

build limits
cp "$work/limits" "$work/upper/plain"
cp "$work/limits" "$work/upper/setuid"
chmod 4755 "$work/upper/setuid"
mkdir -m 777 "$work/upper/place"
cd "$work/upper/place" || exit 2

# as_other PROGRAM: somebody else runs it, with a target of his choice.
as_other() {
	setpriv --reuid 31337 --clear-groups env GIT_TRACE2_EVENT="$work/upper/place/events" \
		GIT_TRACE2_PERF=7 T2SHIM_SIGNALS=1 "$1" descriptors 30 7>"$work/upper/seven" \
		>/dev/null
	[ $? = 7 ] || fail "$1 does not end as it should"
}

as_other "$work/upper/plain"
whole "without more rights" "$work/upper/place/events"
[ -s "$work/upper/seven" ] || fail "nothing was told to the number"
rm -f "$work/upper/place/events"

# By that list, every program has us, also one whose environment was cleared.
env -i GIT_TRACE2_EVENT="$work/upper/place/events" sh -c 'env -i A=1 env' >"$work/out"
[ "$(cat "$work/out")" = A=1 ] || fail "a cleared environment is not clear: $(cat "$work/out")"
[ "$(grep -c '"event":"start"' "$work/upper/place/events")" = 3 ] ||
	fail "what a cleared environment lacks is not put back"
rm -f "$work/upper/place/events"

# Its children have its rights and so tell nothing, either.
as_other "$work/upper/setuid"
[ ! -e "$work/upper/place/events" ] || fail "a program with more rights makes a file"
[ ! -s "$work/upper/seven" ] || fail "a program with more rights tells something"
echo "ok $name"
