#!/bin/sh
# SPDX-License-Identifier: MIT
# What shells do with processes: pipelines, traps, subshells, jobs, exec.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
need bash dash

generate() {
	cat >common <<-'EOF'
		echo one | cat | sed s/one/two/
		false | true; echo "pipeline $?"
		(exit 7); echo "subshell $?"
		nosuchcommand_t2; echo "missing $?"
		./notexecutable; echo "not executable $?"
		./noshebang a 'b c'; echo "no shebang $?"
		x=$(echo inner; exit 3); echo "substitution $x $?"
		x=`ls | wc -l`; test "$x" -gt 3 && echo counted
		sleep 0.2 & sleep 0.1 & wait; echo "waited $?"
		(sleep 0.1; exit 5) & wait $!; echo "job $?"
		trap 'echo trapped' USR1
		kill -USR1 $$
		trap - USR1
		sh -c 'kill -TERM $$'; echo "terminated $?"
		sh -c 'kill -KILL $$'; echo "killed $?"
		sh -c 'kill -USR2 $$; echo not reached'; echo "usr2 $?"
		(trap 'echo exiting; exit 4' EXIT; exit 9); echo "exit trap $?"
		sh -c 'trap "" TERM; kill -TERM $$; echo ignored'
		for i in 1 2 3 4 5; do /bin/echo "loop $i"; done | tail -n 2
		cat <<HERE | tr a-z A-Z
		document $((1 + 2))
		HERE
		eval "$(echo 'echo evaluated')"
		command -v cat >/dev/null && echo found
		( exec /bin/echo replaced )
		( exec /nosuchfile_t2 ) 2>/dev/null; echo "exec failed $?"
		( (echo deep; exit 2) | (cat; exit 6) ); echo "deep $?"
		yes | head -n 1
		env -i /bin/echo "no environment"
		env -i /bin/sh -c '/bin/echo "below no environment"; env | grep -c -e PRELOAD -e TRACE2'
		env -u LD_PRELOAD /bin/echo "no preload"
		nohup true </dev/null >/dev/null 2>&1; echo "nohup $?"
		timeout 0.2 sleep 5; echo "timeout $?"
		nice -n 1 /bin/true; setsid -w /bin/true; echo "wrapped $?"
	EOF
	cat >bashism <<-'EOF'
		set +m
		cat <(echo substituted) <(seq 2)
		seq 3 > >(cat >written); sleep 0.2; cat written
		(sleep 0.05; exit 3) & (sleep 0.4; exit 0) & wait -n; echo "wait -n $?"; wait
		coproc { cat; }; echo through >&"${COPROC[1]}"; exec {COPROC[1]}>&-
		read -r line <&"${COPROC[0]}"; echo "coproc $line"
		shopt -s lastpipe; echo last | read -r value; echo "lastpipe $value"
		mapfile -t lines < <(seq 4); echo "${#lines[@]} lines"
		printf '%s\n' a b | while read -r x; do bash -c "echo nested $x"; done
		set -o pipefail; false | cat; echo "pipefail $?"
		wait; trap 'echo child gone' CHLD; /bin/true; trap - CHLD
		ulimit -c 0; bash -c 'kill -SEGV $$'; echo "segv $?"
		exec bash -c 'echo final; exit 11'
	EOF
	cat >noshebang <<-'EOF'
		echo "no shebang: $# $2"; exit 8
	EOF
	chmod +x noshebang
	echo data >notexecutable
	cat >drive <<-'EOF'
		dash ./common; echo "dash $?"
		bash ./common; echo "bash $?"
		bash --posix ./common >posix.out 2>/dev/null; echo "posix $?"
		bash ./bashism; echo "bashism $?"
		exec bash -c 'exit 12'
	EOF
}

# A shell prints a job's end when it notices it.
order=free
scrub="s,: +[0-9]+ (Killed|Terminated|User defined|Segmentation),: PID \\1,"
compare
