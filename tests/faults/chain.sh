#!/bin/sh
# SPDX-License-Identifier: MIT
# Another preload that hooks the same functions, in front of us and behind: each call
# reaches it once, and the time it tells is not ours.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

cc=${CC:-cc}
flags="-std=gnu11 -D_GNU_SOURCE -Wall -Wextra -O1 -I$here/../.."
# shellcheck disable=SC2086 # a list
"$cc" $flags -fPIC -shared -o "$work/other.so" "$here/chain.c" || fail "cannot build"
# shellcheck disable=SC2086 # a list
"$cc" $flags -DHOST -o "$work/host" "$here/chain.c" -pthread || fail "cannot build"

mkdir "$work/cwd"
cd "$work/cwd" || exit 2
LD_PRELOAD="$work/other.so" "$work/host" >"$work/bare.out"
[ $? = 7 ] || fail "the other one alone"
for order in "$work/other.so:$shim" "$shim:$work/other.so" "$work/other.so $shim $work/other.so"; do
	rm -f "$events"
	LD_PRELOAD=$order GIT_TRACE2_EVENT=$events "$work/host" >"$work/out" 2>"$work/err"
	[ $? = 7 ] || fail "$order: status"
	[ ! -s "$work/err" ] || fail "$order: $(cat "$work/err")"
	diff "$work/bare.out" "$work/out" || fail "$order: not every call arrives"
	whole "$order" "$events"
	[ "$(told '[.[] | select(.event == "child_exit")] | length')" -eq 3 ] || fail "$order: children"
	! grep -q '"time":"2001' "$events" || fail "$order: the time is the other one's"
done
echo "ok $name"
