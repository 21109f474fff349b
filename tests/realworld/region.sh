#!/bin/sh
# SPDX-License-Identifier: MIT
#
# t2 region is the command it runs, to whoever waits for it, and a region around
# it in the trace.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
built=${T2_BUILD:-build}
case $built in
/*) ;;
*) built=$root/$built ;;
esac
work=$(mktemp -d "${TMPDIR:-/tmp}/t2region.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
t2=$built/t2

fail() {
	echo "FAIL region: $*"
	exit 1
}

# status WANTED COMMAND...: what `t2 region` ends with.
status() {
	wanted=$1
	shift
	"$t2" region -c ci -l step -- "$@" >out 2>err
	got=$?
	[ "$got" = "$wanted" ] || fail "status $got instead of $wanted: $*"
}

status 0 true
status 7 sh -c 'exit 7'
# shellcheck disable=SC2016 # for the inner shell
status 137 sh -c 'kill -KILL $$'
# shellcheck disable=SC2016
status 143 sh -c 'kill -TERM $$'
status 127 nosuchcommand_t2
grep -q '^t2 region: nosuchcommand_t2: ' err || fail "no clear message: $(cat err)"
status 126 /etc/passwd
status 0 sh -c 'cat; echo to stderr >&2' <<END
from stdin
END
[ "$(cat out)" = "from stdin" ] || fail "standard input"
[ "$(cat err)" = "to stderr" ] || fail "standard error"

"$t2" region -c ci -- true 2>err
[ $? = 125 ] || fail "usage"
grep -q 'no label given' err || fail "usage: $(cat err)"
"$t2" region -c ci -l x -d novalue -- true 2>err
[ $? = 125 ] || fail "data"
grep -q 'not KEY=VALUE: novalue' err || fail "data: $(cat err)"
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
	grep -q "$line" perf || fail "no '$line' in: $(cat perf)"
done
echo "ok region"
