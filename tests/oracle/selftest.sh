#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Prove that the oracle can fail: it passes a good pair of trace and events,
# and fails each pair that was made from it by putting in one defect.
#
# In cases/, @A@ to @H@ stand for components of session ids: good.* is a shell's
# ordinary life, more.* has what is rare.
# shellcheck disable=SC2016 # what looks like a variable is sed's
set -u

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/t2selftest.XXXXXX")
trap 'rm -rf "$work"' EXIT
oracle=${T2_ORACLE:-$work/oracle}
[ -x "$oracle" ] || "$here/build.sh" "$oracle" || exit 2
nr_bad=0

component() {
	printf 's/@%s@/20261120T212640.%sZ-H15a8054a-P%08x/g\n' "$1" "$2" "$3"
}

# prepare CASE [LETTER MICROSECONDS PID]...: what to make defects in from now on.
prepare() {
	case=$1
	{
		echo 's|@ENV@|"LD_PRELOAD=/none/libt2shim.so"|g'
		shift
		while [ $# -gt 0 ]; do
			component "$1" "$2" "$3"
			shift 3
		done
	} >"$work/expand"
}

# try NAME trace|events SED EXPECTED: put a defect in, expect that complaint.
# Instead of SED: "cut", the last byte is missing.
try() {
	cp "$here/cases/$case.trace" "$work/trace"
	cp "$here/cases/$case.events" "$work/events"
	if [ "$3" = cut ]; then
		truncate -s -1 "$work/$2"
	else
		sed -i -e "$3" "$work/$2"
	fi
	if [ -n "$3" ] && cmp -s "$work/$2" "$here/cases/$case.$2"; then
		echo "FAIL $1: the defect did not go in"
		nr_bad=$((nr_bad + 1))
		return
	fi
	sed -i -f "$work/expand" "$work/trace" "$work/events"
	"$oracle" "$work/trace" "$work/events" >"$work/said" 2>&1
	status=$?
	if [ -z "$4" ] && { [ $status -ne 0 ] || [ -s "$work/said" ]; }; then
		echo "FAIL $1: status $status"
	elif [ -n "$4" ] && { [ $status -ne 1 ] || ! grep -q -e "^disagree: .*$4" "$work/said"; }; then
		echo "FAIL $1: status $status, expected: $4"
	else
		echo "ok $1"
		return
	fi
	sed 's/^/	/' "$work/said"
	nr_bad=$((nr_bad + 1))
}

prepare good A 000200 100 B 010700 101 C 029900 102 D 040500 103 E 060000 105 F 060750 105 \
	G 070600 101 H 080300 100
try good events '' ''

# The thread that makes another is ended before strace can say what came of it.
try unknown_thread trace '/^105 .*CLONE_THREAD/s/ => .*/ <unfinished ...>\n105   1795210000.060250 <... clone3 resumed> <unfinished ...>/' ''

# Lines
try torn_line events '5s/,"argv.*//' 'line 5: is not JSON'
try no_newline events cut 'line 54: is torn'
try joined_lines events '5{N;s/\n//}' 'line 5: is not JSON'
try no_sid events '2s/"sid":"[^"]*",//' 'line 2: has no sid'
try wrong_type events '/child_exit/s/"code":2/"code":"2"/' 'code is of the wrong type'
try time_as_integer events '/child_exit/s/0.010000/0/' 't_rel is of the wrong type'
try time_negative events '/child_exit/s/0.010000/-0.010000/' 't_rel is of the wrong type'
try missing_key events '/child_start/s/"use_shell":[a-z]*,//' 'has no use_shell'
try no_such_event events '/atexit/s/atexit/atexitt/' 'there is no event atexitt'
try bad_sid events 's/@C@/20261120T212640.030500Z-H15a8054a-P66/' 'sid is not of its form'
try bad_time events '3s/"time":"[^"]*"/"time":"2026-11-20T21:26:40Z"/' 'time is not of its form'

# Sessions
try no_session events '/@A@.@B@"/d' 'pid 101 (ls -l): has no session'
try no_fork_session events '/@C@/d' 'pid 102 (fork of sh.*has no session though it exited'
try invented_session events '$p;$s/@H@/20261120T212640.080300Z-H15a8054a-P00000fff/' 'no process ran then'
try doubled_session events '1p;1s/@A@/20261120T212640.000300Z-H15a8054a-P00000064/' 'has another session'
try fork_session_before_exec events '1p;1s/@A@/@A@\/20261120T212640.010000Z-H15a8054a-P00000065/' \
	'(fork of sh.*has a session it should not have'
try static_program trace '8d' 'has a session it should not have\|no process ran then'
try preload_lost trace '/none.ls/s/@ENV@//' 'pid 101 (ls -l): was executed without the preload'
try wrong_argv events '/"start".*"-l"/s/"-l"/"-L"/' 'start has argv \[ls -L\], received was \[ls -l\]'
try wrong_script_argv events '/"start".*script/s/script/skript/' 'start has argv'
try wrong_parent events 's/@A@.@G@/@A@\/@B@\/@G@/' 'pid 101 (sleep 9): stands below'
try parent_above events 's/@A@.@E@.@F@/@A@\/@F@/' 'pid 105 (.*script x): stands below'
try exec_below_nothing events 's/@A@.@H@/@H@/' 'pid 100 (make all): stands below ""'

# Children
try no_child_start events '/"child_start".*"ls"/d' 'without child_start'
try no_child_start_unreaped events '/"child_start".*"sleep"/d' 'has no child_start for child pid 101 (sleep'
try doubled_child_start events '/"child_start".*"ls"/{p;s/"child_id":0/"child_id":9/}' 'which is no child'
try wrong_child_argv events '/"child_start".*"ls"/s/-l/-L/' 'child_start of pid 101 has argv \[ls -L\]'
try wrong_class events '/"child_start".*"ls"/s/"fork"/"spawn"/' 'has class spawn'
try wrong_use_shell events '/"child_start".*"system"/s/true/false/' 'use_shell 0'
try wrong_command events '/"child_start".*"system"/s/kill ../true/' 'child_start of pid 103 has argv \[true\]'
try no_child_exit events '/child_exit.*"pid":101/d' 'has no child_exit for child pid 101 (ls -l), reaped with code 2'
try doubled_child_exit events '/child_exit.*"pid":101/p' 'though it has ended'
try wrong_exit_code events '/child_exit.*"pid":101/s/"code":2/"code":0/' 'has code 0, reaped was 2'
try wrong_signal_code events '/child_exit.*"pid":103/s/143/15/' 'has code 15, reaped was 143'
try wrong_child_pid events '/child_exit.*"pid":101/s/101/102/' 'which was not reaped here'
try swapped_children events '/child_exit.*"pid":102/s/"child_id":1/"child_id":4/;t;/child_exit.*"pid":105/s/"child_id":4/"child_id":1/;t;/child_exit.*"pid":101/s/"child_id":0/"child_id":2/' \
	'which was not reaped here\|has argv\|though it has ended'
try child_exit_unreaped events '/"sleep".*$/{/child_start/{p;s/.*/{"event":"child_exit","sid":"@A@","thread":"main","time":"2026-11-20T21:26:40.000000Z","child_id":5,"pid":101,"code":137,"t_rel":0.1}/}}' \
	'child_exit of pid 101, which was not reaped here'
try spawn_not_failed events '/child_exit.*"pid":101/s/"pid":101,"code":2/"pid":-1,"code":-1/' 'no spawn of \[ls -l\] failed'
try spawn_failure_hidden events '/child_exit.*"pid":-1/d' 'has no child_exit for child pid 104'
try nowait_is_no_reap trace '/waitid(P_PID/d' 'child_exit of pid 105, which was not reaped here'
try stop_is_no_reap trace 's/WIFEXITED(s) && WEXITSTATUS(s) == 3/WIFSTOPPED(s) \&\& WSTOPSIG(s) == SIGSTOP/' \
	'child_exit of pid 102, which was not reaped here'
try foreign_child_untold events '/child_exit.*137/d' 'has no child_exit for pid 101 (sleep 9)'
try foreign_child_code events '/child_exit.*137/s/137/9/' 'child_exit of pid 101 has code 9, reaped was 137'

# Ends
try no_atexit events '/@C@","thread.*atexit/d;/atexit.*@C@/d' 'pid 102.*has 0 atexit events, not 1'
try wrong_atexit_code events '/atexit.*@B@/s/"code":2/"code":0/' 'atexit has code 0, the status was 2'
try wrong_exit_event events '/"exit".*@B@/s/"code":2/"code":0/' 'exit has code 0, the status was 2'
try not_last events '/atexit.*@B@/{h;d};/child_exit.*"pid":101/{H;x};/"exit".*@B@/{p;s/"exit"/"atexit"/}' \
	'has 2 atexit events\|is followed by'
try no_signal events '/"signal"/d' 'pid 103 .*has 0 signal events, not 1'
try wrong_signo events '/"signal"/s/15/9/' 'signal has signo 9, it died of 15'
try invented_signal events '$p;$s/"atexit"/"signal"/;$s/"code":0/"signo":1/' 'has 1 signal events, not 0'
try status_from_kernel trace 's/exited with 2/exited with 4/' 'the status was 4'

# Execs
try no_exec events '/"exec"/d' 'execs told are not the real ones'
try invented_exec_result events '/"exec".*make/{p;s/"exec"/"exec_result"/;s/"argv.*/"code":2}/}' 'execs told are not'
try exec_failed_untold trace '/none.make/s/= 0/= -1 EACCES (Permission denied)/' 'execs told are not the real ones'
try wrong_exec_argv events '/"exec".*make/s/all/install/' 'execs told are not the real ones'
try too_many_threads events '/thread_start/p;' 'tells of 2 threads, there were 1'

# What is rare
prepare more A 000200 200 B 009900 201 C 020350 202 D 040450 205 E 040750 206
try more events '' ''
try failed_exec_untold events '/"exec/d' 'execs told are not the real ones'
try failed_exec_wrong_errno events '/exec_result/s/13/8/' 'execs told are not the real ones'
try fallback_argv_of_start events '/"start".*noshebang/s/"\/bin\/sh",//' 'start has argv'
try fallback_wrong_child events '/child_start.*noshebang/s/"x"/"y"/' 'child_start of pid 202 has argv'
try silent_child_unannounced events '/"child_id":2/d' 'has no child_start for child pid 203'
try static_has_session events '$p;$s/@A@/@A@\/20261120T212640.040150Z-H15a8054a-P000000cc/' 'pid 204 (static): has a session'
try static_unmeasured events '/child_exit.*"pid":204/d' 'has no child_exit for child pid 204'
try dying_in_exec events 's/"late"/"early"/' 'child_start of pid 207 has argv \[early\]'
try native_silent events '/@D@"/d' 'pid 205 (git gc): has no session'
try native_wrong_argv events 's/"git","gc"/"git"/' 'start has argv \[git\]'
try below_static events 's/@A@.@D@/@D@/' 'pid 205 (git gc): stands below ""'
try below_native events 's/@A@.@D@.@E@/@A@\/@E@/' 'pid 206 (ssh): stands below'
try exit_status_masked events '$s/"code":0/"code":256/' 'atexit has code 256'
try ancestry_below_parent events '/cmd_path.*ssh/{p;s/cmd_path/cmd_ancestry/;s/"path":.*}/"ancestry":["a"]}/}' \
	'has cmd_ancestry below a parent'

# Forms of input (of the case above)
expect() {
	"$oracle" "$work/$3" "$work/$4" >"$work/said" 2>&1
	status=$?
	if [ $status -eq "$2" ]; then
		echo "ok $1"
	else
		echo "FAIL $1: status $status, not $2"
		sed 's/^/	/' "$work/said"
		nr_bad=$((nr_bad + 1))
	fi
}

sed -f "$work/expand" "$here/cases/$case.trace" >"$work/trace"
sed -f "$work/expand" "$here/cases/$case.events" >"$work/events"
expect whole_file 0 trace events
while read -r pid rest; do
	printf '%s\n' "$rest" >>"$work/split.$pid"
done <"$work/trace"
expect file_per_process 0 split events
sed '1s/1795210000.000000 //' "$work/trace" >"$work/untimed"
expect no_times 2 untimed events
sed 's/"git", "gc"/"git", "gc".../' "$work/trace" >"$work/short"
expect cut_strings 2 short events
expect no_trace 2 nosuchfile events
expect no_events 2 trace nosuchfile

[ $nr_bad -eq 0 ]
