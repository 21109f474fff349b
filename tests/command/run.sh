#!/bin/sh
# SPDX-License-Identifier: MIT
#
# t2 run is the command it runs, to whoever waits for it, and leaves a trace of it.
# shellcheck disable=SC2016 # for inner shells
# shellcheck source=tests/command/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 2

events() {
	jq -r "select(.event == \"$2\") | $3" "$1"
}

# --- the command's end is ours, however it is called ---
wants 0 "$t2" -- true
[ ! -s err ] || fail "a run that is short and well says something: $(cat err)"
[ "$(events t2.data start '.argv[0]')" = true ] || fail "trace: $(cat t2.data)"
wants 3 "$t2" run sh -c 'exit 3'
wants 3 "$t2" record -- sh -c 'exit 3'
wants 3 "$t2" --summary never -- sh -c 'exit 3'
[ ! -s err ] || fail "--summary never: $(cat err)"
wants 137 "$t2" -- sh -c 'kill -KILL $$'
wants 143 "$t2" -- sh -c 'kill -TERM $$'
python3 -c 'import subprocess, sys
sys.exit(subprocess.call(sys.argv[1:]) != -15)' \
	"$t2" --summary never -- sh -c 'kill -TERM $$' || fail "it did not die of the same signal"

# --- what goes wrong before it starts, and touches nothing ---
cp t2.data before
wants 127 "$t2" -- nosuchcommand_t2
says '^t2: nosuchcommand_t2: No such file' err
wants 126 "$t2" -- /etc/passwd
says '^t2: /etc/passwd: Permission denied' err
printf '#!/nonexistent/interpreter\n' >broken
chmod +x broken
wants 127 "$t2" -- ./broken
says '^t2: ./broken: No such file' err
wants 125 "$t2" run
says 'no command given' err
wants 125 "$t2" --nonsense -- true
says "unrecognized option '--nonsense'" err
wants 125 "$t2" --summary loud -- true
says 'not a kind of summary: loud' err
wants 125 "$t2" --ci nowhere -- true
says 'not a CI system: nowhere' err
wants 125 "$t2" -o /nonexistent/file -- true
says '^t2: /nonexistent/file: No such file' err
T2_SHIM=/nonexistent/libt2shim.so wants 125 "$t2" -- true
says 'T2_SHIM names no file' err
T2_SHIM=/etc/passwd wants 125 "$t2" -- true
says 'must be called libt2shim.so' err
mkdir alone
cp "$t2" alone/
alone/t2 -- true 2>err
[ $? = 125 ] || grep -q 'build.*libt2shim' err || [ -e /usr/local/lib/t2shim ] ||
	fail "without a shim: $(cat err)"
cmp -s before t2.data || fail "a run that never was has touched t2.data"
printf 'echo no interpreter named; exit 8\n' >plain
chmod +x plain
wants 8 "$t2" -- ./plain

# --- input, output, environment, descriptors ---
wants 0 "$t2" --summary never -- sh -c 'cat; echo to stderr >&2' <<END
from stdin
END
[ "$(cat out)" = "from stdin" ] || fail "standard input"
[ "$(cat err)" = "to stderr" ] || fail "standard error"
printf 'one\ntwo\n' >lines
[ "$( (
	"$t2" -- true
	cat
) <lines)" = "$(cat lines)" ] || fail "standard input was read"
env -u _ >plain.env
"$t2" -- env -u _ >traced.env
diff plain.env traced.env >env.diff
[ "$(grep -c '^[<>]' env.diff)" = 3 ] || fail "environment: $(cat env.diff)"
says "^> LD_PRELOAD=$built/libt2shim.so$" env.diff
says "^> GIT_TRACE2_EVENT=$work/t2.data$" env.diff
says '^> GIT_TRACE2_EVENT_BRIEF=0$' env.diff
touch libother.so
LD_PRELOAD=$work/libother.so "$t2" -- sh -c 'echo "$LD_PRELOAD"' >out 2>/dev/null
[ "$(cat out)" = "$work/libother.so:$built/libt2shim.so" ] || fail "LD_PRELOAD: $(cat out)"
find /proc/self/fd 3</dev/null | wc -l >plain.fds
"$t2" -- find /proc/self/fd 3</dev/null | wc -l >traced.fds
cmp -s plain.fds traced.fds || fail "descriptors"
# A reader need not wait for t2 when the command closed what it had.
rm -f stop ended
"$t2" --summary never -- sh -c 'echo x; exec >&-; n=0
	until [ -e stop ] || [ $n = 250 ]; do sleep 0.02; n=$((n + 1)); done; [ -e stop ] && : >ended' | (
	cat >/dev/null
	touch stop
)
[ -e ended ] || fail "it holds on to standard output"
# SIGCHLD ignored by whoever started us; SIGHUP ignored for the command, too.
python3 - "$t2" <<'END' || fail "dispositions"
import signal, subprocess, sys
def ignore():
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2])
masks = [subprocess.run(start + ["grep", "^Sig[IBC]", "/proc/self/status"], preexec_fn=ignore,
                        restore_signals=False, stdout=subprocess.PIPE)
         for start in ([], [sys.argv[1], "--"])]
sys.exit(masks[0].returncode or masks[1].returncode or
         masks[0].stdout.split()[:4] != masks[1].stdout.split()[:4])
END

# --- signals ---
loop='echo up; while :; do sleep 0.02; done'
"$t2" --summary never -- sh -c "trap 'echo got >>got; exit 9' TERM HUP USR1; $loop" >up &
pid=$!
until [ -s up ]; do sleep 0.02; done
kill -HUP $pid
wait $pid
[ $? = 9 ] || fail "SIGHUP is not passed on"
[ "$(cat got)" = got ] || fail "SIGHUP came more than once"
# What comes from below has been where it should go.
setsid -w "$t2" --summary never -- python3 -c '
import os, signal, sys
one = {signal.SIGRTMIN}  # each of them is queued
signal.pthread_sigmask(signal.SIG_BLOCK, one)
os.kill(0, signal.SIGRTMIN)
nr = 0
while signal.sigtimedwait(one, 0.3):
    nr += 1
sys.exit(nr)'
[ $? = 1 ] || fail "a signal from below was passed on"

# --- files ---
rm -rf ./*
wants 0 "$t2" -- sh -c 'exit 0'
cp t2.data first
wants 0 "$t2" -- true
cmp -s first t2.data.old || fail "t2.data.old is not the previous run"
ls >files
printf '%s\n' err files first out t2.data t2.data.old | cmp -s - files || fail "files: $(cat files)"
mkdir each
wants 0 "$t2" -o each -- sh -c 'true & wait'
[ "$(find each -type f | wc -l)" = 2 ] || fail "a file per process: $(ls each)"
wants 125 "$t2" -o each -- true
says 'each: is not empty' err
wants 0 "$t2" -o /dev/null --summary short -- true
says '^t2: true: ok after' err
mkdir shut
chmod 555 shut
if [ "$(id -u)" = 0 ]; then
	install -d -m 755 reader
	cp "$t2" "$built/libt2shim.so" reader
	chmod 755 . reader
	(cd shut && setpriv --reuid=65534 --regid=65534 --clear-groups ../reader/t2 -- touch ran) >out 2>err
else
	(cd shut && "$t2" -- touch ran) >out 2>err
fi
[ $? = 125 ] || fail "a directory that cannot be written: $(cat err)"
says '^t2: t2.data: Permission denied; nothing was run: -o FILE puts the events elsewhere$' err
GIT_TRACE2_EVENT=$work/mine wants 0 "$t2" --summary short -- true
says "^t2: and not in $work/mine, which GIT_TRACE2_EVENT names$" err
[ ! -e mine ] || fail "events went to both"
ln -s first link
wants 0 "$t2" -o link -- true
if [ ! -L link ] || [ ! -e first.old ]; then fail "a symbolic link: $(ls)"; fi
"$t2" -- sh -c 'echo up >up; until [ -e stop ]; do sleep 0.02; done' &
pid=$!
until [ -s up ]; do sleep 0.02; done
wants 125 "$t2" -- true
says 't2.data: another t2 is recording into it' err
touch stop
wait $pid || fail "the first of two runs"

# --- a run within a run ---
rm -rf ./*
T2=$t2 wants 0 "$t2" --summary short -- sh -c '"$T2" -o inner --summary short -- sh -c "true; :"; :'
says "^t2: sh -c 'true; :': ok after .*s$" err
says '1 process$\|2 processes$' err
[ "$(events inner start '.argv[0]' | sort | tr '\n' ' ')" = "sh " ] ||
	[ "$(events inner start '.argv[0]' | sort | tr '\n' ' ')" = "sh true " ] ||
	fail "the inner trace: $(cat inner)"
[ "$(events t2.data child_exit '.code' | tail -1)" = 0 ] || fail "the outer trace"
T2=$t2 wants 0 "$t2" -- sh -c '"$T2" -- sort /dev/null; :'
[ "$(events t2.data start '.argv[0]' | grep -c sort)" = 1 ] || fail "into the same file"
[ "$(events t2.data atexit '.code' | wc -l)" = 3 ] || fail "all into the same file"

# --- what is said ---
wants 4 "$t2" -- sh -c 'grep nothing /dev/null; sh -c "exit 4"'
cat >want <<'END'
t2: sh -c 'grep nothing /dev/null; sh -c "exit 4"': exit 4 after TIME
t2: failed first: sh -c 'exit 4': exit 4
t2: CPU TIME (N% of CPUS), peak RSS SIZE, 3 processes
t2: events in t2.data (SIZE)
END
sed -E 's/[0-9.]+m?s\>/TIME/; s/[0-9]+% of [0-9]+ CPUs?/N% of CPUS/; s/RSS [0-9.]+[KMG]/RSS SIZE/
	s/\([0-9.]+[KMG]\)/(SIZE)/; s/; t2 report.*//' err | diff want - >difference || fail "summary: $(cat difference)"
wants 0 "$t2" -- sh -c 'sleep 1.05'
says 'ok after 1\.' err
wants 1 "$t2" -- sh -c "printf '%200s' x >/dev/null; sh -c 'exit 1 # $(printf 'a\033b')'"
[ "$(awk '{ if (length > 80) print }' err | wc -l)" = 0 ] || fail "wide lines: $(cat err)"
! grep -q "$(printf '\033')" err || fail "control characters: $(cat err)"
"$t2" --version | grep -q '^t2 [0-9]' || fail "--version"
for name in '' run record; do
	"$t2" $name --help >out 2>err || fail "$name --help"
	[ ! -s err ] || fail "$name --help says on stderr: $(cat err)"
	! grep -q '.\{81\}' out || fail "$name --help is too wide"
done

"$t2" run -o x --summary never --help | grep -q '^usage: t2 .run' || fail "--help behind options"
printf '#!/bin/sh\necho "mine: $*"\n' >own
chmod +x own
[ "$("$t2" --summary never ./own --help)" = 'mine: --help' ] || fail "the command's --help is not ours"
[ "$("$t2" run -- ./own -h)" = 'mine: -h' ] || fail "the command's -h is not ours"

# --- on a terminal ---
for case in interrupt suspend inner live pager colour; do
	mkdir "terminal.$case"
	(cd "terminal.$case" && timeout 60 python3 "$root/tests/command/terminal.py" "$t2" "$case") >out 2>&1 ||
		fail "$case: $(cat out)"
done

# --- real builds ---
rm -rf ./*
printf 'all: a.o b.o\n%%.o: %%.c\n\t$(CC) -c $< -o $@\n' >Makefile
echo 'int a;' >a.c
echo 'int b = ;' >b.c
wants 2 "$t2" -- make -k -j2
says '^t2: failed first: cc -c b.c -o b.o: exit 1$' err
says ', 6 processes' err # make, two of cc, two of cc1, as
printf 'rule cc\n command = cc -c $in -o $out\nbuild a.o: cc a.c\nbuild b.o: cc b.c\n' >build.ninja
rm -f a.o
if command -v ninja >/dev/null; then
	wants 1 "$t2" -- ninja -k 0
	says '^t2: failed first: .*cc -c b.c -o b.o.*: exit 1$' err
else
	echo "SKIP run: no ninja"
fi
echo "ok run"
