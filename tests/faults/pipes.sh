#!/bin/sh
# SPDX-License-Identifier: MIT
# Pipes that are full, have no reader, or lose it; and what is lost is counted.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

build busy announce
target=$work/fifo
mkfifo "$target" "$work/full" "$work/drained"

same "no reader" "$work/busy" fork 20
same "no reader, threads" "$work/busy" threads 20

# Never read.
exec 9<>"$target"
same "full" "$work/busy" threads 200
same "full, forks" "$work/busy" fork 200
exec 9<&-

# Read at last: what has arrived and what was lost is all there was. 8 makers with 500
# threads each and then with one each are 8048 lines; the session's own are 9.
exec 9<>"$target"
(
	exec 3>"$work/full" 4<"$work/drained"
	LD_PRELOAD=$shim GIT_TRACE2_EVENT=$target exec "$work/busy" steps 500
) >/dev/null &
host=$!
exec 3<"$work/full" 4>"$work/drained"
head -c 1 <&3 >/dev/null
dd if="$target" of="$work/arrived" bs=64k iflag=nonblock status=none 2>/dev/null
# Opened here: later there may be nobody at the other end, for whom an open waits.
exec 8<"$target"
cat <&8 >>"$work/arrived" 9<&- 3<&- 4>&- &
reader=$!
exec 8<&-
printf x >&4
wait $host
[ $? = 7 ] || fail "full and drained: status"
exec 9<&-
wait $reader
whole "full and drained" "$work/arrived"
lost=$(told '[.[] | select(.key == "lost").value.lines] | add // 0')
[ "$lost" -gt 0 ] || fail "nothing was lost"
all=$(told '[.[] | select(.key != "lost")] | length')
[ $((all + lost)) -eq 8057 ] || fail "$all lines arrived and $lost were lost"

# A child that executes while the pipe is full announces itself in vain. Its parent tells
# it when it reaps it, and counts it if it does not.
for way in fork vfork; do
	for end in reap leave; do
		exec 9<>"$target"
		LD_PRELOAD=$shim GIT_TRACE2_EVENT=$target "$work/announce" "$target" $way $end ||
			fail "announce $way $end: status"
		dd if="$target" of="$work/arrived" bs=64k iflag=nonblock status=none 2>/dev/null
		exec 9<&-
		whole "announce $way $end" "$work/arrived"
		seen=$(told '[.[] | .event as $e | if .key == "lost" then "lost \(.value.lines)"
			elif $e | startswith("child_") then "\($e) \(.child_id)" else empty end] | join(", ")')
		case $end in
		reap) [ "$seen" = '"child_start 0, child_exit 0"' ] ;;
		leave) [ "$seen" = '"lost 1, child_ready 0"' ] ;;
		esac || fail "announce $way $end: $seen"
	done
done

# All threads get everything through while somebody reads.
exec 9<>"$target"
exec 8<"$target"
cat <&8 >"$work/arrived" 9<&- &
reader=$!
exec 8<&-
LD_PRELOAD=$shim GIT_TRACE2_EVENT=$target "$work/busy" threads $((300 * long)) >/dev/null 9<&-
exec 9<&-
wait $reader
whole "threads" "$work/arrived"

# A number that is a pipe whose reader has gone: nobody dies of it.
exec 9<>"$target"
exec 5>"$target"
exec 9<&-
target=5
same "a number without a reader" "$work/busy" fork 20
same "a number without a reader, threads" "$work/busy" threads 20
same "a number without a reader, a shell" sh -c '/bin/true; echo $?; (exit 3); echo $?'
echo "ok $name"
