#!/bin/sh
# SPDX-License-Identifier: MIT
#
# t2 check: one stream for each thing that can be wrong, and git's, which are right.
# shellcheck source=tests/command/lib.sh
. "$(dirname "$0")/lib.sh"
set -e
samples=$root/tests/samples
cd "$work"

# check STATUS [OPTION]...: check ./t, keep the output in ./out.
check() {
	wanted=$1
	shift
	status=0
	"$t2" check "$@" t >out 2>err || status=$?
	[ "$status" = "$wanted" ] || fail "status $status, not $wanted: $(cat t out err)"
	[ ! -s err ] || fail "on standard error: $(cat err)"
}

# problem STATUS LINE TEXT: ./t has this one problem at this line and no other.
problem() {
	check "$1" --limit 0
	[ "$(wc -l <out)" = 3 ] || fail "not one problem: $(cat t out)"
	kind=$(sed -n '1s/.*\(\[[a-z0-9-]*\]\)$/\1/p' out)
	sed -n 2p out | grep -qF "${kind:-no kind} " || fail "no rule: $(cat out)"
	case $(head -n 1 out) in
	"t:$2: $3"*) ;;
	*) fail "not '$2: $3': $(cat out)" ;;
	esac
}

# event SECOND NAME [KEYS]: of the session $sid.
event() {
	printf '{"event":"%s","sid":"%s","thread":"main","time":"2026-01-01T00:00:%02d.000000Z"%s}\n' \
		"$2" "$sid" "$1" "${3:+,}${3:-}"
}

begin() {
	event 0 version '"evt":"4","exe":"1"'
	event 0 start '"t_abs":0.0,"argv":["true"]'
}

# A session of 9 s with what is on standard input between its ends; line 3 is the first.
session() {
	begin
	cat
	event 9 atexit '"t_abs":9.0,"code":0'
}

sid=20260101T000000.000001Z-H00000001-P00000001

# --- right ------------------------------------------------------------------------
session </dev/null >t
check 0
[ "$(cat out)" = "3 lines, 1 session: 0 errors, 0 warnings" ] || fail "$(cat out)"
{
	event 1 child_start '"child_id":0,"child_class":"fork","use_shell":false,"argv":["ls"]'
	event 2 region_enter '"nesting":1,"category":"c","label":"l"'
	event 3 region_leave '"t_rel":1.0,"nesting":1,"category":"c","label":"l"'
	event 4 child_exit '"child_id":0,"pid":7,"code":0,"t_rel":3.0'
	event 5 exec '"exec_id":0,"argv":["x"]'
	event 5 exec_result '"exec_id":0,"code":2'
} | session >t
check 0 --strict

# What git and the shim write here and now, in a file and in a directory.
if command -v git >/dev/null; then
	mkdir home streams
	HOME=$PWD/home GIT_CONFIG_NOSYSTEM=1 LD_PRELOAD='' sh -c '
		git config --global user.name t2
		git config --global user.email t2@example.org
		for GIT_TRACE2_EVENT in "$PWD/stream" "$PWD/streams"; do
			export GIT_TRACE2_EVENT
			rm -rf one two
			git init -q one
			cd one
			echo 1 >file
			git add file
			git commit -q -m first
			cd ..
			git clone -q "file://$PWD/one" two
			cd two
			git -c alias.there="!git fetch -q" there
			git status
			git gc -q
			git nosuchcommand
			cd ..
		done' >/dev/null 2>&1
	for input in stream streams; do
		"$t2" check --strict $input >out || fail "git of this machine: $(cat out)"
	done
	# cat waits for the last one that could write to it.
	"$t2" run -o ours --summary never -- sh -c '(sleep 0.01 & true); git -C one status' | cat >out
	"$t2" check --strict ours >out || fail "a run of ours: $(cat out)"
fi

for file in "$samples"/*/*/event.txt; do
	"$t2" check "$file" >out 2>&1 || fail "git's own $file: $(cat out)"
done
"$t2" check "$samples"/*/*/event.txt >out || fail "git's own, all: $(cat out)"

# --- errors -----------------------------------------------------------------------
echo '{"event":"version","sid":}' | session >t
problem 1 3 'error: '
grep -q '\[broken\]' out || fail "$(cat out)"
echo '[1]' | session >t
problem 1 3 'error: '
event 1 error '"msg":5,"fmt":"x"' | session >t
problem 1 3 'error: '
event 1 cmd_name '"name":"x"' | session >t
problem 1 3 'error: cmd_name has no hierarchy [key]'
event 1 region_enter '"label":"x"' | session >t
problem 1 3 'error: region_enter has no nesting [key]'
event 1 error '"msg":"x"' | session >t
problem 1 3 'error: error has no fmt [key]'
echo '{"event":"cmd_mode","sid":"'$sid'","time":"2026-01-01T00:00:01Z","name":"x"}' | session >t
problem 1 3 'error: cmd_mode has no thread [key]'
echo '{"event":"cmd_mode","thread":"main","time":"2026-01-01T00:00:01Z","name":"x"}' | session >t
problem 1 3 'error: cmd_mode has no sid [key]'
{
	event 1 child_start '"child_id":0,"child_class":"fork","use_shell":false,"argv":[]'
	event 1 child_ready '"child_id":0,"pid":7,"ready":"ready","t_rel":0.0'
} | session >t
problem 1 3 'error: child_start has an empty argv [key]'
event 1 data_json '"t_abs":1.0,"t_rel":1.0,"nesting":1,"category":"t2shim","key":"lost","value":{"lines":17}' |
	session >t
problem 1 3 'error: 17 lines before this one were lost [lost]'
event 1 child_exit '"child_id":3,"pid":7,"code":0,"t_rel":3.0' | session >t
problem 1 3 'error: child_exit without child_start, child_id 3'
event 1 exec_result '"exec_id":3,"code":2' | session >t
problem 1 3 'error: exec_result without exec, exec_id 3'
event 1 region_leave '"t_rel":1.0,"nesting":1,"category":"c","label":"l"' | session >t
problem 1 3 'error: region_leave without region_enter: l [unmatched]'
event 1 thread_exit '"t_rel":1.0' | session >t
problem 1 3 'error: thread_exit without thread_start: main [unmatched]'
event 1 version '"evt":"4","exe":"1"' | session >t
problem 1 3 'error: the session begins again'
event 1 start '"t_abs":1.0,"argv":["x"]' | session >t
problem 1 3 'error: a second start'
{
	event 1 child_start '"child_id":0,"child_class":"fork","use_shell":false,"argv":["x"]'
	event 2 child_start '"child_id":0,"child_class":"fork","use_shell":false,"argv":["y"]'
	event 3 child_exit '"child_id":0,"pid":7,"code":0,"t_rel":3.0'
} | session >t
problem 1 4 'error: a second child_start with child_id 0'
{
	event 1 child_start '"child_id":0,"child_class":"fork","use_shell":false,"argv":["x"]'
	event 3 child_exit '"child_id":0,"pid":7,"code":0,"t_rel":3.0'
	event 3 child_exit '"child_id":0,"pid":7,"code":0,"t_rel":3.0'
} | session >t
problem 1 5 'error: a second child_exit with child_id 0'
{
	event 0 cmd_mode '"name":"x"'
	session </dev/null
} >t
problem 1 2 'error: version is not the first event'

# --- warnings, which --strict makes errors ------------------------------------------
begin >t
problem 0 1 'warning: no end of '
check 1 --strict
grep -q '^t:1: error: no end of ' out || fail "$(cat out)"
event 1 news '"x":1' | session >t
problem 0 3 'warning: no such event is known: news [event]'
{
	event 0 version '"evt":"5","exe":"1"'
	event 0 start '"t_abs":0.0,"argv":["true"]'
	event 9 atexit '"t_abs":9.0,"code":0'
} >t
problem 0 1 'warning: evt 5 is not known [event]'
event 5 exit '"t_abs":3.0,"code":0' | session >t
check 0
grep -q '^t:3: warning: the clock went ahead by 2000 ms' out || fail "$(cat out)"
grep -q '^t:4: warning: the clock went back by 2000 ms' out || fail "$(cat out)"
event 1 printf '"t_abs":1.0,"msg":"x"' | sed 's/,"time":"[^"]*"//' | session >t
problem 0 3 'warning: printf has no time'
event 1 child_start '"child_id":0,"child_class":"fork","use_shell":false,"argv":["x"]' | session >t
problem 0 3 'warning: no end of child 0'
event 1 cmd_mode '"name":"x"' >t
problem 0 1 'warning: no version of '
{
	session </dev/null
	event 9 cmd_mode '"name":"x"'
} >t
problem 0 4 'warning: cmd_mode after atexit of '
{
	event 1 region_enter '"nesting":2,"category":"c","label":"l"'
	event 3 region_leave '"t_rel":1.0,"nesting":2,"category":"c","label":"l"'
} | session >t
problem 0 3 'warning: region_enter with nesting 2, with 0 regions open'
event 1 printf '"t_abs":1.0,"msg":"'"$(printf 'a\377b')"'"' | session >t
problem 0 3 'warning: byte '
{
	session </dev/null
	printf '{"event":"ata'
} >t
problem 0 4 'warning: the last line is cut off'

# A parent knows of the end that a killed child could not tell; an exec ends an image.
child=$sid/20260101T000000.000002Z-H00000001-P00000007
{
	event 1 child_start '"child_id":0,"child_class":"fork","use_shell":false,"argv":["x"]'
	(sid=$child && begin)
	event 1 child_exit '"child_id":0,"pid":7,"code":137,"t_rel":0.1'
} | session >t
check 0 --strict
sed 's/"code":137/"code":3/' t >u
mv u t
problem 0 4 "warning: no end of $child"
{
	begin
	event 1 exec '"exec_id":0,"argv":["x"]'
} >t
check 0 --strict

# A child that goes on says so in the name of its parent, which may be over by then, or
# come later because its file does.
{
	session </dev/null
	event 8 child_start '"child_id":0,"child_class":"fork","use_shell":false,"argv":["x"]'
	event 9 child_ready '"child_id":0,"pid":7,"ready":"ready","t_rel":0.1'
} >t
check 0 --strict
{
	event 9 child_ready '"child_id":0,"pid":7,"ready":"ready","t_rel":0.1'
	event 8 child_start '"child_id":0,"child_class":"fork","use_shell":false,"argv":["x"]' | session
} >u
mv u t
check 0 --strict

# --- forms --------------------------------------------------------------------------
{
	event 1 cmd_name '"name":"x"'
	event 1 'a\u001b[31m\"b'
} | session >t
check 1
grep -q "$(printf '\033')" out && fail "control characters reach the terminal"
check 1 --format json
python3 -c '
import json
d = json.load(open("out"))
assert [(p["line"], p["severity"], p["kind"]) for p in d["problems"]] == [
    (3, "error", "key"), (4, "warning", "event")], d
assert d["problems"][1]["message"].endswith("a\x1b[31m\"b"), d
assert d["summary"] == {"lines": 5, "events": 5, "sessions": 1, "errors": 1, "warnings": 1,
                        "lost_lines": 0}, d
' || fail "JSON: $(cat out)"
for _ in 1 2 3 4 5; do echo x; done >t
check 1 --limit 2
[ "$(grep -c 'error: .*broken\]' out)" = 2 ] || fail "limit: $(cat out)"
grep -q '^3 more of kind broken; --limit 0 shows all' out || fail "limit: $(cat out)"

# --- input, usage, garbage ------------------------------------------------------------
session </dev/null | gzip | "$t2" check - >out || fail "gzip, standard input: $(cat out)"
"$t2" check --help | grep -q '^usage: t2 check' || fail "no help"
status=0
"$t2" check none >out 2>err || status=$?
{ [ "$status" = 2 ] && grep -q none err; } || fail "a file that is not there: $status $(cat out err)"
status=0
"$t2" check --nonsense t >out 2>err || status=$?
[ "$status" = 2 ] || fail "an unknown option: $status"
head -c 200000 /dev/urandom >t
status=0
"$t2" check t >out 2>err || status=$?
[ "$status" = 1 ] || fail "noise: $status"
echo "ok t2 check: errors, warnings, git's streams, forms, garbage"
