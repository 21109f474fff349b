#!/bin/sh
# SPDX-License-Identifier: MIT
# Signals in the middle of every hook, with handlers that call hooks themselves.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

build storm
"${CC:-cc}" -E -P -D_GNU_SOURCE -I"$here/../.." -include features.h \
	'-DT2_GLIBC(minor)=__GLIBC_PREREQ(2, minor)' '-DHOOK(name)=hook name' \
	'-DHOOK_OLD(name,old,new)=hook name' -x c "$here/../../hooks/hooks.def" |
	sed -n 's/^hook //p' >"$work/hooks"
while read -r hook; do
	case $hook in
	# Called when nothing of ours could be interrupted; and by no other name.
	__libc_start_main | pidfd_spawn | pidfd_spawnp) continue ;;
	esac
	grep -q "CALL($hook," "$here/storm.c" || fail "no storm for $hook"
done <"$work/hooks"
[ -s "$work/hooks" ] || fail "no hooks"
for manner in count restart fork exec; do
	rm -f "$events"
	same "$manner" "$work/storm" $manner $((10 * long))
	grep -q '^fork: \([0-9]*\) of \1$' "$work/bare.out" || fail "$manner: the calls fail anyway"
	whole "$manner" "$events"
done
echo "ok $name"
