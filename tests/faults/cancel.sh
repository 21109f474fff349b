#!/bin/sh
# SPDX-License-Identifier: MIT
# Cancellation inside wait, system, pclose and the like.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

build cancel
for type in deferred async; do
	same $type "$work/cancel" $type $((20 * long))
	grep -q 'cleaned up' "$work/bare.out" || fail "$type: $(cat "$work/bare.err")"
done
whole cancel "$events"
# Each child begins and ends once, those of cancelled calls too.
[ "$(told '[.[] | select(.event == "child_start")] | length')" -eq \
	"$(told '[.[] | select(.event == "child_exit")] | length')" ] || fail "starts and ends"
echo "ok $name"
