#!/bin/sh
# SPDX-License-Identifier: MIT
#
# t2 region is the command it runs, to whoever waits for it, and a region around
# it in the trace.
# shellcheck source=tests/command/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 2

# ends STATUS COMMAND...: so does a region around it.
ends() {
	wanted=$1
	shift
	wants "$wanted" "$t2" region -c ci -l step -- "$@"
}

ends 0 true
ends 7 sh -c 'exit 7'
# shellcheck disable=SC2016 # for the inner shell
ends 137 sh -c 'kill -KILL $$'
# shellcheck disable=SC2016
ends 143 sh -c 'kill -TERM $$'
ends 127 nosuchcommand_t2
says '^t2 region: nosuchcommand_t2: ' err
ends 126 /etc/passwd
ends 0 sh -c 'cat; echo to stderr >&2' <<END
from stdin
END
[ "$(cat out)" = "from stdin" ] || fail "standard input"
[ "$(cat err)" = "to stderr" ] || fail "standard error"

wants 125 "$t2" region -c ci -- true
says 'no label given' err
wants 125 "$t2" region -c ci -l x -d novalue -- true
says 'not KEY=VALUE: novalue' err
"$t2" region --help | grep -q '^usage: t2 region' || fail "--help"
"$t2" --help >/dev/full 2>err
[ $? = 125 ] || fail "a full disk is not noticed"

# A signal to t2 reaches the command, which decides what it means.
"$t2" region -c ci -l step -- sh -c 'trap "exit 9" TERM; echo up; while :; do sleep 0.05; done' >up &
pid=$!
until [ -s up ]; do sleep 0.02; done
kill -TERM $pid
wait $pid
[ $? = 9 ] || fail "SIGTERM is not passed on"

LD_PRELOAD=$built/libt2shim.so GIT_TRACE2_PERF=$work/perf GIT_TRACE2_PERF_BRIEF=1 \
	"$t2" region -c ci -l tests -d shard=3 -- sh -c 'true; exit 3'
[ $? = 3 ] || fail "status under the shim"
for line in '| region_enter |.*| ci           | label:tests' '| data .*| ..shard:3' \
	'| child_start .*| ..\[ch0\] class:fork argv:\[sh -c' '| child_exit .*| ..\[ch0\].*code:3' \
	'| region_leave |.*| ci           | label:tests' 'd1 .*| start .*| sh -c '; do
	says "$line" perf
done
echo "ok region"
