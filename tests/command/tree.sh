#!/bin/sh
# SPDX-License-Identifier: MIT
#
# t2 tree
# shellcheck source=tests/command/view.lib.sh
. "$(dirname "$0")/view.lib.sh"

expect 0 tree build.jsonl <<'END'
    total       cpu command
    1.00s    10.0ms make -j2  [exit 2]
    100ms    60.0ms   sh -c probe
   20.0ms    15.0ms     grep -q x config.h  [exit 1]
   10.0ms    5.00ms     true
    400ms     390ms   cc -c a.c
    800ms    50.0ms   cc -c b.c  [exit 1]
    700ms     650ms     cc1 b.c  [SIGSEGV]
END

# What is left out is counted where it is.
expect 0 tree -t 500ms build.jsonl <<'END'
    total       cpu command
    1.00s    10.0ms make -j2  [exit 2]
    800ms    50.0ms   cc -c b.c  [exit 1]
    700ms     650ms     cc1 b.c  [SIGSEGV]
    500ms             ... 4 more
END

expect 0 tree -F true build.jsonl <<'END'
    total       cpu command
    1.00s    10.0ms make -j2  [exit 2]
    100ms    60.0ms   sh -c probe
   10.0ms    5.00ms     true
   20.0ms               ... 1 more
    1.20s             ... 3 more
END

expect 0 tree --under 'cc -c b' -D 3 --format json -f id,parent,status,command build.jsonl <<'END'
[{"id":6,"parent":1,"status":"exit 1","command":"cc -c b.c"},
{"id":7,"parent":6,"status":"SIGSEGV","command":"cc1 b.c"}]
END

expect 0 tree --pid 6 -D 1 build.jsonl <<'END'
    total       cpu command
    800ms    50.0ms cc -c b.c  [exit 1]
    700ms             ... 1 more
END

# An image that took the place of another.
expect 0 tree ../traces/exec.jsonl <<'END'
    total       cpu command
    100ms    2.00ms sh
   10.0ms        0s   env prog
   50.0ms    36.0ms     => prog  [exit 3]
END

# What was there from 920 to 950 ms, and up to 40 ms; a cut is a cut.
expect 0 tree -r 920ms~950ms build.jsonl <<'END'
    total       cpu command
    1.00s    10.0ms make -j2  [exit 2]
    1.30s             ... 6 more
END
expect 0 tree -r '~40ms' -f command build.jsonl <<'END'
command
make -j2
sh -c probe
grep -q x config.h
END
expect_usage 'not a range' tree -r 20s~10s build.jsonl
expect_usage 'not a range' tree -r 10s build.jsonl
expect_usage 'not a size' tree --memory 10Q build.jsonl

expect_help tree
expect_usage 'not a number' tree -D x build.jsonl
exit "$failed"
