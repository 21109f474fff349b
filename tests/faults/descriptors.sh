#!/bin/sh
# SPDX-License-Identifier: MIT
# Hosts that close everything, fill every number, or start without standard streams,
# with each kind of target.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

build descriptors peer
mkdir "$work/directory"
"$work/peer" stream read "$work/socket" >"$work/ready" &
peer=$!
await "$work/ready"
exec 5>>"$work/five"
for to in "$events" "$work/directory" "af_unix:stream:$work/socket" 5; do
	target=$to
	for mask in 0 1 2 3 4 5 6 7; do
		same "started without $mask, to $to" "$work/descriptors" started $mask
	done
	for how in close_range unshare cloexec closefrom0 dup2; do
		same "$how, to $to" "$work/descriptors" $how 0
	done
done
exec 5>&-
kill $peer
whole "file" "$events"
whole "directory" "$work"/directory/*
whole "number" "$work/five"

# Between our open and our write another thread may give the number to a file of the
# host's. That is rare, and not solved: only in the long run.
target=$events
[ "$long" -eq 1 ] ||
	same "a thread closes what others open" "$work/descriptors" threads $((500 * long))
echo "ok $name"
