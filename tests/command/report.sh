#!/bin/sh
# SPDX-License-Identifier: MIT
#
# t2 report: 1.4 s busy in 1 s; 1.18 s of the 2 s that 2 CPUs have; the cc1 that crashed is the
# cause of what failed, and the grep is not.
# shellcheck source=tests/command/view.lib.sh
. "$(dirname "$0")/view.lib.sh"

expect 0 report --cpus 2 build.jsonl <<'END'
make -j2   exit 2 (FAILED)   1.00s wall   2026-01-01 00:00
  CPU 1.18s (59% of 2 CPUs)   peak RSS 100M (cc1)   7 processes
  busy processes: mean 1.4, median 1, most 2;  0-1: 60% of wall, 2+: 40%
  0s ======@@@@@@@@@@@@@@@@@@@@@@@@============================== 1.00s

FAILED (1 of 7)
  [SIGSEGV] cc -c b.c
      make > cc > cc1
      after 700ms, pid 7, in /src/lib

WHERE THE TIME WENT (weighted: sums to wall)
  weighted     %  count    self     cpu     max   rss  command
     525ms   53%      1   700ms   650ms   700ms  100M  cc1
     275ms   28%      2   500ms   440ms   800ms  2.9M  cc
     100ms   10%      1   100ms  10.0ms   1.00s  500K  make
    70.0ms  7.0%      1  70.0ms  60.0ms   100ms  600K  sh
    20.0ms  2.0%      1  20.0ms  15.0ms  20.0ms  700K  grep
    10.0ms  1.0%      1  10.0ms  5.00ms  10.0ms  700K  true

GATING CHAIN (inferred; 5 of 9 links, 940ms of 1.00s)
    40.0ms sh -> 50.0ms cc b.c -> 700ms cc1 b.c -> 50.0ms cc b.c ->
      100ms make
  at most one busy for 600ms:
    100ms sh; 500ms cc1 b.c

FINDINGS
  T2-002 one process at a time at the end for 500ms (50% of wall), mostly cc1
         b.c: t2 critical
END

expect 0 report --cpus 2 --format json --no-finding T2-002 build.jsonl <<'END'
{"command":"make -j2","verdict":"exit 2 (FAILED)","start_ns":1767225600000000000,"wall_ns":1000000000,"cpu_ns":1180000000,"cpus":2,"busy_ns":1400000000,"nobody_ns":0,"serial_ns":600000000,"max_rss_kb":102400,"processes":7,"outside":0,"incomplete":0,"orphans":0,"broken_lines":0,
"failures":[{"pid":7,"status":"SIGSEGV","command":"cc1 b.c"}],
"findings":[]}
END

# A trace of no time has no chain, and nothing of it is blank but one line between two parts.
sed 's/\("time":"2026-01-01T00:00:\)[0-9.]*Z/\101.000000Z/' ../traces/backwards.jsonl >"$work/moment.jsonl"
"$t2" report "$work/moment.jsonl" >"$work/got"
if grep -e 'GATING' -e '^ *  *$' "$work/got" || ! grep -q 'WHERE THE TIME WENT' "$work/got"; then
	echo "FAIL a chain without links: $(cat "$work/got")"
	failed=1
fi

# Whatever it is of: less than 40 lines, none wider than asked for.
for trace in build.jsonl ../traces/*.jsonl; do
	for COLUMNS in 40 80; do
		"$t2" report "$trace" >"$work/got" 2>/dev/null
		if [ "$(wc -l <"$work/got")" -ge 40 ] || ! [ -s "$work/got" ]; then
			echo "FAIL t2 report $trace: $(wc -l <"$work/got") lines"
			failed=1
		fi
		if [ "$COLUMNS" = 80 ] && grep '.\{81\}' "$work/got"; then
			echo "FAIL t2 report $trace: too wide"
			failed=1
		fi
	done
done

expect_help report
expect_usage 'no such finding: T2-999' report --no-finding T2-999 build.jsonl
expect_usage 'text or json' report --format csv build.jsonl
expect_usage 'name a trace' report
exit "$failed"
