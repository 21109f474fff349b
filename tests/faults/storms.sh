#!/bin/sh
# SPDX-License-Identifier: MIT
# Storms of fork, vfork and SIGKILL.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

build herd
if [ "$(id -u)" = 0 ]; then
	# The limit is another user's: that has to write to the target, too.
	: >"$events"
	chmod 666 "$events"
	same "fork" "$work/herd" fork $((300 * long))
	grep -q 'errno 11' "$work/bare.out" || fail "fork: the limit was not reached"
	whole "fork" "$events"
	[ "$(told '[.[] | select(.event == "child_exit" and .code == 3)] | length')" -eq \
		"$(sed -n 's/ ended$//p' "$work/bare.out")" ] || fail "fork: not every child was told"
	rm -f "$events"
else
	echo "SKIP $name: fork: only the superuser can be another user"
fi
same "kill" "$work/herd" kill $((200 * long))
whole_but "kill" $((200 * long)) "$events"
rm -f "$events"
same "vfork" "$work/herd" vfork $((40 * long))
whole "vfork" "$events"
echo "ok $name"
