#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The findings of t2 report. serial.jsonl, by hand, in s: make 0-10 waits for cc 0-2, sleep 2-5
# with 1 ms of CPU, fetch 5-5.5 (fails) and again 5.5-6, and ten times cc --version, 6-7.
# shellcheck source=tests/command/view.lib.sh
. "$(dirname "$0")/view.lib.sh"

# expect_findings ARGUMENT...: what a report says below FINDINGS is on standard input.
expect_findings() {
	cat >"$work/wanted"
	"$t2" report "$@" | sed -e '1,/^FINDINGS/d' -e '/^$/,$d' >"$work/got"
	diff "$work/wanted" "$work/got" || {
		echo "FAIL t2 report $*"
		failed=1
	}
}

expect_findings --cpus 2 serial.jsonl <<'END'
  T2-001 make ran one command at a time for 10.0s (100% of wall) with 2 CPUs:
         try -j2
  T2-003 `cc --version` ran 10 times in one directory: 1.00s (10% of wall)
  T2-005 `sleep 3` took 3.00s and 1.00ms of CPU: it waits for a disk, the
         network, a lock or a sleep
  T2-007 1 command failed and was repeated with success: 500ms spent in vain;
         such as `fetch x`
END

# One CPU is no machine for -j; and what is not asked for is not said.
expect_findings --cpus 1 --no-finding T2-003 --no-finding T2-005 --no-finding T2-007 \
	serial.jsonl </dev/null

expect_findings --cpus 1 ../traces/overlap.jsonl <<'END'
  T2-009 for 30.0ms (30% of wall) 2 or more processes were busy on 1 CPU, at
         most 2: a lower -j takes less memory and hardly more time
END

expect_findings --cpus 2 ../traces/outside.jsonl <<'END'
  T2-011 2 processes (static, setuid or other machines) could not be looked into
END

# 100 processes of 2 ms in a second, and 101 tries to execute what is not there.
root=20260101T000000.000001Z-H00000001-P00000001
event() {
	printf '{"event":"%s","sid":"%s","thread":"main","time":"2026-01-01T00:00:0%s0Z",%s}\n' "$@"
}
{
	event start $root 0.0000 '"t_abs":0.0,"argv":["script"]'
	i=100
	while [ $i -lt 200 ]; do
		time=0.$((i * 2))
		end=0.$((i * 2 + 2))
		at='"child_id":'$i
		event child_start $root $time "$at,\"child_class\":\"fork\",\"argv\":[\"job\",\"$i\"]"
		event child_exit $root $end "$at,\"pid\":$i,\"code\":0"
		i=$((i + 1))
	done
	i=0
	while [ $i -lt 101 ]; do
		event exec $root 0.900 "\"exec_id\":$i,\"exe\":\"/a/x\",\"argv\":[\"x\"]"
		event exec_result $root 0.900 "\"exec_id\":$i,\"code\":2"
		i=$((i + 1))
	done
	event atexit $root 1.000 '"t_abs":1.0,"code":0'
} >"$work/many.jsonl"
expect_findings --no-finding T2-011 "$work/many.jsonl" <<'END'
  T2-004 100 of 101 processes took less than 5.00ms: 200ms (20% of wall)
  T2-008 101 tries to start a program failed, most of them by script: is PATH
         long?
END
exit "$failed"
