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

# The same processes, which sleep: 1 ms of CPU each is nothing that CPUs are short of.
sed -e 's/"user_us":[0-9]*,"sys_us":[0-9]*/"user_us":1000,"sys_us":0/g' \
	-e 's/"t_user":[0-9.]*,"t_sys":[0-9.]*/"t_user":0.001,"t_sys":0.0/' \
	../traces/overlap.jsonl >"$work/asleep.jsonl"
expect_findings --cpus 1 "$work/asleep.jsonl" </dev/null

expect_findings --cpus 2 ../traces/outside.jsonl <<'END'
  T2-011 2 processes (static, setuid or other machines) could not be looked into
END

# A subshell is no repeated command; what was compiled after something else came between is
# no retry; what only a pause came between is one, however often it failed.
root=20260101T000000.000001Z-H00000001-P00000001
inner=$root/20260101T000000.000002Z-H00000001-P00000002
event() {
	printf '{"event":"%s","sid":"%s","thread":"main","time":"2026-01-01T00:00:0%s0Z",%s}\n' "$@"
}
# session SID START END ARGV [PID]: a process, below make if it is the inner one.
session() {
	event version "$1" "$2" '"exe":"1"'
	event start "$1" "$2" "\"argv\":$4"
	event atexit "$1" "$3" '"code":0'
}
# child SID ID START END CODE ARGV
child() {
	event child_start "$1" "$3" "\"child_id\":$2,\"argv\":$6"
	event child_exit "$1" "$4" "\"child_id\":$2,\"pid\":$(($2 + 2)),\"code\":$5,\"t_user\":0.0,\"t_sys\":0.0,\"max_rss_kb\":2048"
}
{
	session $root 0.000 5.000 '["sh","configure"]'
	i=0
	while [ $i -lt 12 ]; do
		child $root $i 0.0$((i + 10)) 0.$((i + 20)) 0 '["sh","configure"]'
		session "$root/20260101T000000.0000$((i + 10))Z-H00000001-P0000000$(printf %x $((i + 2)))" \
			0.0$((i + 10)) 0.$((i + 20)) '["sh","configure"]'
		i=$((i + 1))
	done
	child $root 20 1.000 1.500 1 '["cc","conftest.c"]'
	child $root 21 1.500 1.501 0 '["cat"]'
	child $root 22 1.600 2.000 0 '["cc","conftest.c"]'
	child $root 23 2.000 2.400 7 '["fetch"]'
	child $root 24 2.400 2.500 0 '["sleep","0.1"]'
	child $root 25 2.500 2.800 7 '["fetch"]'
	child $root 26 2.800 2.900 0 '["sleep","0.1"]'
	child $root 27 3.000 3.500 0 '["fetch"]'
} >"$work/again.jsonl"
expect_findings --no-finding T2-011 --no-finding T2-002 "$work/again.jsonl" <<'END'
  T2-007 1 command failed and was repeated with success: 700ms spent in vain;
         such as `fetch`
END

"$t2" top --format csv -f count,command "$work/again.jsonl" | tr -d '\r' | grep configure >"$work/got"
printf '1,configure\n12,configure (fork)\n' | diff - "$work/got" || failed=1

# make below make -j4, beside a cc of 5 s: with a -j of its own; without, one by one; with
# two at a time, as it should be.
nested() {
	session $root 0.000 5.000 '["make","-kj4"]'
	child $root 0 0.000 5.000 0 "$1"
	child $root 1 0.000 5.000 0 '["cc","a.c"]'
	session $inner 0.000 5.000 "$1"
	child $inner 1 0.000 "$2" 0 '["cc","b.c"]'
	child $inner 2 "$3" 5.000 0 '["cc","c.c"]'
}
nested '["make","-C","sub","-j4"]' 4.000 1.000 >"$work/own.jsonl"
expect_findings --cpus 4 --no-finding T2-011 --no-finding T2-005 "$work/own.jsonl" <<'END'
  T2-010 `make -C sub -j4` (5.00s, 100% of wall), below another make, has a -j
         of its own: it and the outer one know nothing of each other's jobs;
         start it as $(MAKE), without -j or $(MFLAGS)
END
nested '["make","-C","sub"]' 2.500 2.500 >"$work/lonely.jsonl"
expect_findings --cpus 4 --no-finding T2-011 --no-finding T2-005 "$work/lonely.jsonl" <<'END'
  T2-010 `make -C sub` (5.00s, 100% of wall), below another make, ran one
         command at a time although the outer one has -j: start it as $(MAKE),
         so that it shares the jobs
END
nested '["make","-C","sub"]' 4.000 1.000 >"$work/shared.jsonl"
expect_findings --cpus 4 --no-finding T2-011 --no-finding T2-005 "$work/shared.jsonl" </dev/null
# What is told to run many at a time and does not is not told to.
sed 's/"argv":\["make"/"argv":["make","-j2"/' serial.jsonl >"$work/ordered.jsonl"
"$t2" report --cpus 2 "$work/ordered.jsonl" >"$work/got"
if ! grep -q '^ *does each need the one before?$' "$work/got" || grep -q 'try -j' "$work/got"; then
	echo "FAIL: -j is advised where it was given"
	failed=1
fi

# Two of 2 MB at a time, of 3 MB; and the same where one of them was killed.
{
	session $root 0.000 1.000 '["sh","build"]'
	child $root 0 0.000 1.000 0 '["cc","a.c"]'
	child $root 1 0.500 0.600 0 '["cc","b.c"]'
} >"$work/large.jsonl"
expect_findings --memory 3M --no-finding T2-011 --no-finding T2-002 "$work/large.jsonl" <<'END'
  T2-006 the peaks of all that ran at one time sum to 4.0M, of 3.0M of memory:
         if it swaps, a lower -j or fewer links at a time help
END
expect_findings --memory 5M --no-finding T2-011 --no-finding T2-002 "$work/large.jsonl" </dev/null
sed 's/"pid":3,"code":0/"pid":3,"code":137/' "$work/large.jsonl" >"$work/killed.jsonl"
expect_findings --memory 5M --no-finding T2-011 --no-finding T2-002 "$work/killed.jsonl" <<'END'
  T2-006 SIGKILL ended 1 process, namely cc after 100ms with a peak RSS of 2.0M:
         either there was no memory left, or somebody sent it
END

# ccache: a hit of 100 ms; a miss of 300 ms, which preprocesses and compiles; and one call
# that becomes the compiler for 50 ms, to link.
{
	session $root 0.000 1.000 '["sh","build"]'
	child $root 0 0.000 0.100 0 '["ccache","cc","-c","a.c"]'
	child $root 1 0.100 0.400 0 '["ccache","cc","-c","b.c"]'
	cache=$root/20260101T000000.000003Z-H00000001-P00000003
	session "$cache" 0.100 0.400 '["ccache","cc","-c","b.c"]'
	child "$cache" 0 0.100 0.200 0 '["cc","-E","b.c"]'
	child "$cache" 1 0.200 0.400 0 '["cc","-c","b.c"]'
	child $root 2 0.400 0.450 0 '["ccache","cc","a.o"]'
	link=$root/20260101T000000.000004Z-H00000001-P00000004
	event version "$link" 0.400 '"exe":"1"'
	event start "$link" 0.400 '"argv":["ccache","cc","a.o"]'
	event exec "$link" 0.410 '"exec_id":0,"exe":"cc","argv":["cc","a.o"]'
	session "$link/20260101T000000.000005Z-H00000001-P00000004" 0.410 0.450 '["cc","a.o"]'
} >"$work/cache.jsonl"
expect_findings --no-finding T2-011 "$work/cache.jsonl" <<'END'
  T2-012 ccache had 1 hit (100ms together) and 1 miss (300ms), and passed on 1
         call (50.0ms)
END
# sccache: three calls of 200 ms, and a server that preprocessed, and compiled one of them in
# 150 ms; nothing is said where the server is not seen.
sccache() {
	session $root 0.000 0.600 '["make"]'
	child $root 0 0.000 0.200 0 '["sccache","cc","-c","a.c"]'
	child $root 1 0.200 0.400 0 '["sccache","cc","-c","b.c"]'
	child $root 2 0.400 0.600 0 '["sccache","cc","-c","c.c"]'
	[ -z "$1" ] || child $root 3 0.000 0.600 0 '["/bin/sccache"]'
	[ -z "$1" ] || session "$1" 0.000 0.600 '["/bin/sccache"]'
	[ -z "$1" ] || child "$1" 0 0.010 0.020 0 '["cc","-E","a.c"]'
	[ -z "$1" ] || child "$1" 1 0.220 0.370 0 '["cc","-c","b.c"]'
}
sccache $root/20260101T000000.000005Z-H00000001-P00000005 >"$work/server.jsonl"
expect_findings --no-finding T2-011 --no-finding T2-002 "$work/server.jsonl" <<'END'
  T2-012 sccache had 2 hits (450ms together) and 1 miss (150ms)
END
sccache '' >"$work/elsewhere.jsonl"
expect_findings --no-finding T2-011 "$work/elsewhere.jsonl" </dev/null

for code in 006 010 012; do
	for trace in own killed cache; do
		! "$t2" report --cpus 4 --no-finding "T2-$code" "$work/$trace.jsonl" | grep -q "T2-$code" || {
			echo "FAIL: --no-finding T2-$code"
			failed=1
		}
	done
done

# From 5 to 9 s of 9 nothing is beside cc b.c, and before it two are busy.
{
	session $root 0.000 9.000 '["make","-j2"]'
	child $root 0 0.000 9.000 0 '["cc","b.c"]'
	child $root 1 0.000 5.000 0 '["cc","a.c"]'
} >"$work/tail.jsonl"
expect_findings --cpus 2 --no-finding T2-011 --no-finding T2-005 "$work/tail.jsonl" <<'END'
  T2-002 nothing ran beside cc b.c at the end for 4.00s (44% of wall): t2
         critical
END

# Two seconds with a tenth of CPU, preempted more often than it gave up the CPU itself.
{
	session $root 0.000 2.000 '["rustc"]'
	event data_json $root 1.900 '"category":"process","key":"rusage","value":{"self":{"user_us":200000,"voluntary_switches":3,"involuntary_switches":9}}'
} >"$work/preempted.jsonl"
expect_findings "$work/preempted.jsonl" <<'END'
  T2-005 `rustc` took 2.00s and 200ms of CPU: it was ready, and others had the
         CPUs, or there is a limit on them
END

# What is serial for 2 ms of a second is not told one by one.
{
	session $root 0.000 1.000 '["make","-j2"]'
	child $root 0 0.001 0.999 0 '["cc","a.c"]'
	child $root 1 0.001 0.999 0 '["cc","b.c"]'
} >"$work/parallel.jsonl"
"$t2" report "$work/parallel.jsonl" | grep -q '^  at most one busy for 2.00ms, never for long$' || {
	echo "FAIL: 2 ms of serial stretches"
	failed=1
}

# What it is called cannot turn the terminal around.
sed 's/"b.c"/"b\\u001b[31m.c"/' "$work/tail.jsonl" >"$work/hostile.jsonl"
expect_findings --cpus 2 --no-finding T2-011 --no-finding T2-005 "$work/hostile.jsonl" <<'END'
  T2-002 nothing ran beside cc b\x1b[31m.c at the end for 4.00s (44% of wall):
         t2 critical
END

# The same where two were busy for half a second only.
sed 's/00:00:05/00:00:00.5/; s/00.5.0000Z/00.50000Z/' "$work/tail.jsonl" >"$work/serial.jsonl"
grep -q '00:00:00.50000Z.*"child_id":1' "$work/serial.jsonl" || failed=1
expect_findings --cpus 2 --no-finding T2-011 --no-finding T2-005 --no-finding T2-001 \
	"$work/serial.jsonl" </dev/null

# 100 processes of 2 ms in a second, and 101 tries to execute what is not there.
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
  T2-004 100 of 101 processes took less than 5ms: 200ms (20% of wall), most of
         them job
  T2-008 101 tries to start a program failed, most of them by script: is PATH
         long?
END
exit "$failed"
