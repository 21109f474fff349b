#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What is no trace, or only in part: it is said where that is, and the rest is shown.
# shellcheck source=tests/command/view.lib.sh
. "$(dirname "$0")/view.lib.sh"

# with TEXT: build.jsonl with TEXT, as printf has it, as its line 21 and what follows.
with() {
	sed 20q build.jsonl
	# shellcheck disable=SC2059 # that is what it is
	printf "$1"
	sed 1,20d build.jsonl
}

# said STATUS MESSAGE...: of the trace t2 says exactly that, and prints what is on
# standard input.
said() {
	wanted=$1
	shift
	cat >"$work/wanted"
	[ $# = 0 ] || printf "t2: %s\n" "$@" >"$work/said"
	[ $# != 0 ] || : >"$work/said"
	(cd "$work" && exec "$t2" tree trace) >"$work/got" 2>"$work/err"
	status=$?
	if [ "$status" != "$wanted" ] || ! diff "$work/said" "$work/err" ||
		! diff "$work/wanted" "$work/got"; then
		echo "FAIL status $status, wanted $wanted and: $*"
		failed=1
	fi
}

case $t2 in
/*) ;;
*) t2=$PWD/$t2 ;;
esac
"$t2" tree build.jsonl >"$work/whole"

with '\001\377\033[31m\000\n' >"$work/trace"
said 0 'trace:21: not an object' <"$work/whole"

# One writer in the line of another.
with '{"event":"start","sid":"a","ti{"event":"version","sid":"b"}\n' >"$work/trace"
said 0 'trace:21: no colon behind a key' <"$work/whole"

with '{}\n[]\n\n{"event":7}\n{"event":"exit","sid":"","code":0}\n{"event":"exit","sid":[]}\n' \
	>"$work/trace"
said 0 'trace:21: no "event"' 'trace:22: not an object' 'trace:24: not a string' \
	'trace:25: the event is of no session' 'trace:26: not a string' <"$work/whole"

# A gigabyte without a line feed.
with '' | sed 20q >"$work/trace"
truncate -s 1G "$work/trace"
with '\n' | sed 1,20d >>"$work/trace"
said 0 'trace:21: the line is too long and was passed over' <"$work/whole"

: >"$work/trace"
said 2 'trace: no process in it; t2 run records one' </dev/null
printf '\177ELF\002\001\001' >"$work/trace"
said 2 'trace:1: not an object' 'trace: no process in it; t2 run records one' </dev/null

{
	sed 24q build.jsonl
	sed -n 25p build.jsonl | head -c 100
} >"$work/trace"
said 0 'trace:25: the line has no end: cut, or still written' <<'END'
    total       cpu command
    100ms        0s make -j2  [no end seen]
    100ms    60.0ms   sh -c probe
   20.0ms    15.0ms     grep -q x config.h  [exit 1]
   10.0ms    5.00ms     true
END

# event NAME SID SECONDS MORE
event() {
	printf '{"event":"%s","sid":"%s","time":"2026-01-01T00:00:%02dZ"%s}\n' "$@"
}

# What is not as it should be is not there, and all else is.
{
	event version a 0 ''
	event start a 0 ',"argv":"x"'
	event start a 0 ',"argv":["right"]'
	event start a 0 ',"argv":[1,2]'
	event exit a 1 ',"code":"0"'
	event exit a 1 ',"code":1e400'
	event data_json a 1 ',"category":"process","key":"rusage","value":{"self":[1],"children":7}'
	event exit a 2 ',"code":99999999999999999999'
	event exit a 3 ',"code":3'
} >"$work/trace"
said 0 'trace:2: not an array' 'trace:4: not a string' 'trace:5: not a number' \
	'trace:6: not a whole number' 'trace:8: out of range' <<'END'
    total       cpu command
    3.00s        0s right  [exit 3]
END

# Sessions that are said to be below each other, and below themselves.
{
	event version a/b 0 ''
	event start a/b 0 ',"argv":["ab"]'
	event version b/a 1 ''
	event start b/a 1 ',"argv":["ba"]'
	event version a/b/a/b 1 ''
	event start a/b/a/b 1 ',"argv":["abab"]'
	for sid in a/b/a/b b/a a/b; do
		event exit $sid 3 ',"code":0'
	done
} >"$work/trace"
said 0 <<'END'
    total       cpu command
    3.00s        0s ab
    2.00s        0s   abab
    2.00s        0s ba
END

# Ends before their starts, and durations that are negative.
{
	event version a 5 ''
	event start a 5 ',"argv":["a"]'
	event child_start a 6 ',"child_id":0,"argv":["b"]'
	event child_exit a 4 ',"child_id":0,"pid":-7,"code":-9,"t_rel":2.0'
	event child_start a 7 ',"child_id":1,"argv":["c"]'
	event child_exit a 8 ',"child_id":1,"pid":7,"code":1,"t_rel":-2.0'
	event exit a 1 ',"t_abs":2.5,"code":0'
	echo '{"event":"exit","sid":"a","time":"1969-12-31T23:59:59Z","code":1}'
} >"$work/trace"
said 0 'trace:6: out of range' 'trace:8: out of range' <<'END'
    total       cpu command
    2.50s        0s a
       0s             ... 2 more
END

# Packed files that end in the middle.
"$(dirname "$t2")/tests/make_trace" 20000 >"$work/plain"
"$t2" tree -D 1 "$work/plain" >"$work/plain.tree"
for packer in gzip zstd; do
	$packer -c "$work/plain" | head -c 100000 >"$work/trace"
	"$t2" tree "$work/trace" >"$work/got" 2>"$work/err"
	status=$?
	if [ $status != 0 ] || [ "$(wc -l <"$work/err")" != 2 ] ||
		! grep -q "^t2: $work/trace:[0-9]*: the compressed data end too early$" "$work/err" ||
		! grep -q '  make -C part' "$work/got"; then
		echo "FAIL $packer (status $status)"
		cat "$work/err"
		failed=1
	fi
done

exit "$failed"
