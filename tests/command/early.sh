#!/bin/sh
# SPDX-License-Identifier: MIT
#
# t2 tree | head: the first lines of a large trace come before it is read, they are the
# same as those of the whole tree, and with head t2 ends, too.
# shellcheck source=tests/command/view.lib.sh
. "$(dirname "$0")/view.lib.sh"

fail() {
	echo "FAIL $*"
	failed=1
}

"$(dirname "$t2")/tests/make_trace" 100000 >"$work/trace"
"$t2" tree "$work/trace" >"$work/whole"

# same ARGUMENT...: what a pipe gets is what a file gets.
same() {
	"$t2" tree "$@" >"$work/whole.args" 2>"$work/err.args"
	"$t2" tree "$@" 2>"$work/err" | cat >"$work/piped"
	cmp "$work/whole.args" "$work/piped" || fail "$*: another tree in a pipe"
	cmp "$work/err.args" "$work/err" || fail "$*: other messages in a pipe"
}
for args in '' '-t 0' '-n 5' '-D 2' '-F cc1' '--under file17.c -N sh'; do
	# shellcheck disable=SC2086 # words
	same $args "$work/trace"
done

# A file of which the middle cannot be read in an hour: a hole of a terabyte. What is
# printed is from its ends, and what does not come any more is not waited for.
head -c 20000000 "$work/trace" >"$work/hole"
truncate -s 1T "$work/hole"
tail -c 2000000 "$work/trace" >>"$work/hole"
{
	timeout 60 "$t2" tree "$work/hole" 2>"$work/err"
	echo $? >"$work/status"
} | head -50 >"$work/first"
head -50 "$work/whole" | cmp - "$work/first" || fail "other lines come early"
[ "$(cat "$work/status")" = 141 ] || fail "status $(cat "$work/status") without a reader"
[ ! -s "$work/err" ] || fail "$(cat "$work/err")"

# The same for all that reads: without a reader, endless input has an end.
yes '{"event":"version","sid":"s","thread":"main"}' | {
	timeout 60 "$t2" report - 2>"$work/err"
	echo $? >"$work/status"
} | true
[ "$(cat "$work/status")" = 141 ] || fail "status $(cat "$work/status") of endless input"
[ ! -s "$work/err" ] || fail "$(cat "$work/err")"

# Where the middle tells more of what was printed already, all of it is printed again.
first=$(sed -n 's/^{"event":"version","sid":"\([^"]*\)".*/\1/p;20q' "$work/trace" | sed -n 3p)
sid=$first/20261120T000000.004000Z-H15a8054a-P00ffffff
{
	head -c 20000000 "$work/trace" | sed '$d'
	for event in '"version"' '"start","argv":["late"]' '"exit","code":1'; do
		printf '{"event":%s,"sid":"%s","time":"2026-11-20T00:00:00.004000Z"}\n' "$event" "$sid"
	done
} >"$work/late"
truncate -s 300M "$work/late"
tail -c 2000000 "$work/trace" >>"$work/late"
"$t2" tree "$work/late" >"$work/whole" 2>"$work/err"
grep -q 'late  \[exit 1\]' "$work/whole" || fail "the late one is not there"
"$t2" tree "$work/late" 2>"$work/err" | sed '1,/^The rest of the trace tells otherwise/d' |
	cmp "$work/whole" - || fail "the whole tree does not follow"

# What goes on to the end may have more children than the first ones, and if it does not
# tell what it used, that is what they leave of what its parent was told.
long() {
	awk -v told="$1" '
function put(event, sid, ms, more) {
	printf "{\"event\":\"%s\",\"sid\":\"%s\",\"time\":\"2026-01-01T00:%02d:%02d.%03dZ\"%s}\n",
		event, sid, ms / 60000, ms / 1000 % 60, ms % 1000, more
}
function begin(sid, ms) {
	put("version", sid, ms, "")
	put("start", sid, ms, ",\"argv\":[\"" sid "\"]")
}
function child(sid, nr, ms, name) {
	put("child_start", sid, ms, ",\"child_id\":" nr ",\"argv\":[\"" name "\"]")
}
function reap(sid, nr, ms, end_ms) {
	put("child_exit", sid, end_ms, ",\"child_id\":" nr ",\"pid\":1,\"code\":0,\"t_rel\":" (end_ms - ms) / 1000 \
		",\"t_user\":" (end_ms - ms) / 2000 ",\"t_sys\":0,\"max_rss_kb\":1")
}
function pad(ms, mb) {
	for (mb *= 1024; mb > 0; mb--)
		put("cmd_name", "r", ms, sprintf(",\"name\":\"%960s\"", "r"))
}
BEGIN {
	begin("r", 0)
	child("r", 0, 1, "r/p")
	begin("r/p", 1)
	for (i = 0; i < 3000; i++) {
		ms = i < 1000 ? 10 * i : 100000 + i
		child("r/p", i, ms, "short")
		reap("r/p", i, ms, ms + 1)
		if (i == 999)
			pad(50000, 34)
	}
	pad(150000, 2)
	if (told)
		put("data_json", "r/p", 200000, ",\"category\":\"process\",\"key\":\"rusage\"," \
			"\"value\":{\"self\":{\"user_us\":5}}")
	put("exit", "r/p", 200000, ",\"code\":0")
	reap("r", 0, 1, 200001)
	child("r", 1, 200002, "last")
	reap("r", 1, 200002, 300000)
	put("exit", "r", 300000, ",\"code\":0")
}'
}
for told in 0 1; do
	long "$told" >"$work/trace"
	same "$work/trace"
	same -t 0 "$work/trace"
done

exit "$failed"
