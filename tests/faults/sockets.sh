#!/bin/sh
# SPDX-License-Identifier: MIT
# Collectors that do not do their part: what the host notices of them is nothing, and
# the waits for one in a process are 50 ms in all. The waits are those asked for, as
# strace sees them, so a busy machine makes no difference.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

build busy peer
socket=$work/socket

# start KIND MANNER
start() {
	rm -f "$work/said" "$socket"
	"$work/peer" "$1" "$2" "$socket" >"$work/said" &
	peer=$!
	await "$work/said"
}

finish() {
	kill -CONT $peer
	kill $peer
	wait $peer
	sed 1d "$work/said" >"$work/arrived"
}

# patient LABEL COMMAND...: no image may wait for longer than that, a parent not for its
# vfork children either; and one has to, or nothing is tested.
patient() {
	label=$1
	shift
	timeout 60 strace -f -qq -e trace=ppoll,execve -e signal=none -o "$work/waits" \
		env LD_PRELOAD="$shim" GIT_TRACE2_EVENT="$target" "$work/busy" "$@" >/dev/null 2>&1
	awk -v is_vfork="$([ "$1" = vfork ] && echo 1)" '
		/execve\(.* = 0$/ { image[$1]++ }
		/execve resumed.* = 0$/ { image[$1]++ }
		/ppoll\(/ && /tv_nsec=/ {
			wait = $0
			sub(/.*tv_nsec=/, "", wait)
			who = is_vfork && !image[$1] ? "parent" : $1 " " image[$1]
			ms[who] += wait / 1000000
			if (wait + 0 > 0) nr++
		}
		END {
			for (who in ms)
				if (ms[who] > 50) {
					print who " waits " ms[who] " ms"
					bad = 1
				}
			if (!nr)
				print "nobody waits for anything"
			exit bad || !nr
		}' "$work/waits" >"$work/said.waits" || fail "$label: $(head -n 3 "$work/said.waits")"
}

can_trace=
strace -f -o /dev/null true 2>/dev/null && can_trace=yes
for kind in stream dgram; do
	target=af_unix:$kind:$socket
	for manner in refuse ignore stopped; do
		case $manner in
		stopped)
			start $kind read
			kill -STOP $peer
			;;
		*) start $kind $manner ;;
		esac
		same "$kind $manner, vfork" "$work/busy" vfork 50
		same "$kind $manner, fork" "$work/busy" fork 30
		same "$kind $manner, threads" "$work/busy" threads 100
		[ -z "$can_trace" ] || patient "$kind $manner, vfork" vfork $((50 * long))
		[ -z "$can_trace" ] || [ $kind = stream ] || patient "$kind $manner, fork" fork 30
		finish
	done
	start $kind slow
	same "$kind slow" "$work/busy" threads 200
	finish
	whole "$kind slow" "$work/arrived"
	start $kind read
	same "$kind that reads" "$work/busy" fork 20
	finish
	whole "$kind that reads" "$work/arrived"
done
[ -n "$can_trace" ] || echo "SKIP $name: waits: strace is not permitted"

# One that goes in the middle of a line: the next process finds it again.
target=af_unix:stream:$socket
start stream leave
env LD_PRELOAD="$shim" GIT_TRACE2_EVENT="$target" "$work/busy" threads 20 >/dev/null
[ $? = 7 ] || fail "a collector that leaves changes the status"
env LD_PRELOAD="$shim" GIT_TRACE2_EVENT="$target" "$work/busy" fork 2 >/dev/null
finish
whole "a collector that is back" "$work/arrived"

# Its path is something else meanwhile.
start stream read
same "replaced by a file" sh -c "/bin/true; rm -f '$socket'; echo own >'$socket'; /bin/true
	cat '$socket'; rm -f '$socket'; mkdir '$socket'; /bin/true; rmdir '$socket'"
finish
echo "ok $name"
