#!/bin/sh
# SPDX-License-Identifier: MIT
#
# t2 critical: back from the end of make over the cc that ended last to the sh before it.
# shellcheck source=tests/command/view.lib.sh
. "$(dirname "$0")/view.lib.sh"

expect 0 critical -t 40ms build.jsonl <<'END'
GATING CHAIN (inferred), of 1.00s
    at    time     %  pid  name
60.0ms  40.0ms  4.0%    2  sh
 100ms  50.0ms  5.0%    6  cc b.c
 150ms   700ms   70%    7  cc1 b.c
 850ms  50.0ms  5.0%    6  cc b.c
 900ms   100ms   10%    1  make
... 4 more, 60.0ms together

SERIAL STRETCHES (at most one busy), 600ms of 1.00s (60%)
   at   time    %  pid  name
   0s  100ms  10%    2  sh
500ms  500ms  50%    7  cc1 b.c
END

"$t2" critical -t 0 --format csv -f at,time,name build.jsonl | tr -d '\r' >"$work/got"
diff - "$work/got" <<'END' || failed=1
at_ns,time_ns,name
0,10000000,sh
10000000,20000000,grep
30000000,20000000,sh
50000000,10000000,true
60000000,40000000,sh
100000000,50000000,cc b.c
150000000,700000000,cc1 b.c
850000000,50000000,cc b.c
900000000,100000000,make
END

expect 0 critical --stretches --format json -f at,time,pid build.jsonl <<'END'
[{"at_ns":0,"time_ns":100000000,"pid":2},
{"at_ns":500000000,"time_ns":500000000,"pid":7}]
END

"$t2" critical -t 0 -r 70ms~200ms --format csv -f at,name build.jsonl | tr -d '\r' >"$work/got"
diff - "$work/got" <<'END' || failed=1
at_ns,name
60000000,sh
100000000,cc b.c
150000000,cc1 b.c
END

# Help is help wherever it stands, but behind "--" it is a file.
for help in '--help' '-t 0 --help' 'build.jsonl -h'; do
	# shellcheck disable=SC2086 # words
	"$t2" critical $help | grep -q '^usage: t2 critical' || {
		echo "FAIL t2 critical $help"
		failed=1
	}
done
expect_usage 'help' critical -- --help

expect_help critical
expect_usage 'no sort keys' critical -s cpu build.jsonl
exit "$failed"
