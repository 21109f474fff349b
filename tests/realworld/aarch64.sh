#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The shim for aarch64, cross-built, in victims under user-mode emulation: they
# end and print as without it, and each leaves a whole record. What emulation
# cannot show: landing pads and pointer authentication, real vfork (qemu makes it
# a fork), and the time it takes.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
cc=aarch64-linux-gnu-gcc
qemu="qemu-aarch64"
work=$(mktemp -d "${TMPDIR:-/tmp}/t2aarch64.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
cd "$root" || exit 2

for tool in $cc $qemu jq; do
	command -v "$tool" >/dev/null || {
		echo "SKIP aarch64: no $tool"
		exit 0
	}
done
make -s O="$work/build" CC=$cc "$work/build/libt2shim.so" >"$work/log" 2>&1 || {
	echo "FAIL aarch64: does not build"
	cat "$work/log"
	exit 1
}

failed=0
n=0
# run LABEL VICTIM ARG...: bare and with the shim.
run() {
	label=$1
	source=tests/victims/$2.c
	shift 2
	n=$((n + 1))
	[ -x "$work/$label" ] || $cc -D_GNU_SOURCE -std=gnu11 -O1 -w "$source" -o "$work/$label" -pthread -lutil ||
		failed=1
	rm -f "$work/events"
	(cd "$work" && timeout 60 $qemu -L /usr/aarch64-linux-gnu "./$label" "$@") >"$work/bare" 2>/dev/null
	bare=$?
	(cd "$work" && timeout 60 $qemu -L /usr/aarch64-linux-gnu -E LD_PRELOAD="$work/build/libt2shim.so" \
		-E GIT_TRACE2_EVENT="$work/events" "./$label" "$@") >"$work/shim" 2>/dev/null
	shim=$?
	if [ $bare != $shim ] || ! cmp -s "$work/bare" "$work/shim"; then
		echo "aarch64: $label: status $bare, with the shim $shim"
		diff "$work/bare" "$work/shim"
		failed=1
	fi
	# Every session starts once and ends once; every child that was told ends or is left.
	jq -e -s 'length > 0 and (group_by(.sid) | all(
		(map(select(.event == "start")) | length == 1) and
		(map(select(.event == "atexit" or .event == "signal" or .event == "exec")) | length >= 1)))' \
		"$work/events" >/dev/null || {
		echo "aarch64: $label: the record is not whole"
		cut -c 1-160 "$work/events"
		failed=1
	}
}

run return_main return_main a 'b c'
run exit_in_atexit exit_in_atexit
run underscore_exit underscore_exit
run quick_exit quick_exit
run last_thread_exits last_thread_exits
run fork_no_exec fork_no_exec
run fork_nested fork_nested
run underscore_fork underscore_fork
run vfork_exit vfork_exit
run clone_fork clone_fork
run wait_all wait_all
run thread_pthread_exit thread_pthread_exit
run thrd_c11 thrd_c11
run thread_cancel thread_cancel
run threads_fork threads_fork
run sigterm signal_death 15 kill
run sigsegv signal_death 11 fault
run sig_dfl_then_raise sig_dfl_then_raise
run siglongjmp_out siglongjmp_out
run dispositions dispositions
run signal_readers signal_readers
run raw_fork raw_fork
run api_main api_main
run api_threads api_threads

[ "$failed" = 0 ] && echo "ok aarch64 ($n victims)"
exit "$failed"
