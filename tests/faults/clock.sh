#!/bin/sh
# SPDX-License-Identifier: MIT
# Clocks that jump: a time namespace moves the monotonic one forwards and backwards in
# the middle of a program. (Steps of the wall clock are for the unit tests: no time
# since something is taken from it.)
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

build clock
as=
[ "$(id -u)" = 0 ] || as="unshare -r"
$as unshare -T true 2>/dev/null || skip "no time namespace is permitted"
for shift in 100000 -5; do
	rm -f "$events"
	# shellcheck disable=SC2086 # perhaps two words
	same "by $shift s" $as "$work/clock" $shift
	grep -q '^status 7' "$work/bare.err" || fail "by $shift s: $(cat "$work/bare.err")"
	whole "by $shift s" "$events"
	wrong=$(told '[.[] | .t_abs, .t_rel | select(. != null and (. < 0 or . > 200000))] | length')
	[ "$wrong" = 0 ] || fail "by $shift s: a time that is none"
done
echo "ok $name"
