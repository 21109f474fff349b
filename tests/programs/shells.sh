#!/bin/sh
# SPDX-License-Identifier: MIT
# What shells do with processes; each shell that is there does the same.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

cat >"$kit/common" <<'EOF'
echo one | cat | sed s/one/two/
(exit 7); echo "subshell $?"
nosuchcommand_t2 2>/dev/null; echo "missing $?"
x=$(echo inner; exit 3); echo "substitution $x $?"
sleep 0.01 & wait $!; echo "job $?"
trap 'echo trapped' USR1; kill -USR1 $$; trap - USR1
sh -c 'kill -TERM $$'; echo "terminated $?"
(trap 'echo exiting; exit 4' EXIT; exit 9); echo "exit trap $?"
for i in 1 2 3; do /bin/echo "loop $i"; done | tail -n 2
(exec /bin/echo replaced)
env -i /bin/echo "no environment"
env -i sh -c '/bin/echo "below none"; env | grep -c -e TRACE2 -e T2SHIM'
nohup sh -c 'echo hangs on' </dev/null 2>nohup.err; echo "nohup $?"
seq 5 >numbers; while read -r n; do [ "$n" != 3 ] || cat; done <numbers
test "$(ps -o comm= -p $$)" != x && echo named
exit 6
EOF

version bash --version
for shell in bash dash zsh; do
	have $shell || {
		skip "no $shell" $shell
		continue
	}
	try $shell start:$shell start:sed child:sed child:sleep start:echo=6 <<-EOF
		$shell "\$KIT/common" 2>err
		echo "status \$?"
		$shell -c 'exit 3'; echo \$?
		$shell -c 'kill -SEGV \$\$'; echo \$?
		echo 'echo from stdin; exit 4' | $shell -s; echo \$?
		$shell -lc 'echo login'
		$shell -c 'exec $shell -c "exec true"'; echo \$?
	EOF
done

have bash && try bash_features start:bash child:cat start:seq <<'EOF'
cat >features <<'END'
cat <(echo substituted) <(seq 2)
coproc { cat; }; echo through >&"${COPROC[1]}"; exec {COPROC[1]}>&-
read -r line <&"${COPROC[0]}"; echo "coproc $line"; wait
mapfile -t lines < <(seq 4); echo "${#lines[@]} lines"
set -o pipefail; false | cat; echo "pipefail $?"
ulimit -n 64; bash -c 'ulimit -n'
export -f wait_for 2>/dev/null; f() { echo "function $1"; }; export -f f; bash -c 'f x'
for fd in /proc/self/fd/*; do echo "${fd##*/}"; done | wc -l
BASH_ENV=/dev/null bash -c 'echo $0 $PPID' name | sed 's/ .*//'
exec -a other bash -c 'echo "$0"; exit 11'
END
bash features
EOF

have bash && try bash_jobs start:bash child:sleep <<'EOF'
bash -mc 'sleep 9 & sleep 0.2; kill -STOP %1; sleep 0.2; jobs | sed "s/ *sleep.*//"
	kill -CONT %1; kill %1; wait %1; echo $?' 2>err
bash -mc '(sleep 0.1; exit 3) & wait -n; echo "wait -n $?"' 2>/dev/null
bash -ic 'sleep 0.01 & wait; echo interactive; exit 5' 2>/dev/null; echo $?
rm err
EOF

have zsh && try zsh_features start:zsh child:cat <<'EOF'
cat >features <<'END'
cat <(echo substituted) =(echo file)
print -l ${(f)"$(seq 3)"}
coproc cat; print -p through; coproc exit; read -p line; echo "coproc $line"
echo a b | tee >(cat >tee1) >(cat >tee2) >/dev/null; sleep 0.1; cat tee1 tee2
zmodload zsh/zpty 2>/dev/null && zpty cmd 'echo pty' && zpty -r cmd line
print -r -- ${line%$'\r\n'}
TRAPUSR1() { print trapped }; kill -USR1 $$
{ sleep 9 & } 2>/dev/null; kill $!; wait $!; echo $?
END
zsh -f features
EOF

# Its timeout leaves a watcher behind, which looks once a second whether it is still needed.
# shellcheck disable=SC2016 # for the shell of the case
unwatched='for i in $(seq 30); do pgrep -x busybox >/dev/null || break; sleep 0.1; done'

# Applets of the same file: run in the process, or by a new image. The static one, into
# which nothing can be preloaded, is the other package, which excludes this one.
static=${XDG_CACHE_HOME:-$HOME/.cache}/t2shim/busybox-static
[ -d "$static/files" ] ||
	"$root/tests/suites/fetch.sh" -b busybox-static "$static" >"$work/fetch.log" 2>&1 ||
	skip "$(grep '^E:' "$work/fetch.log" | tail -n 1)" busybox_static
for busybox in busybox "$static/files/bin/busybox"; do
	have "$busybox" || {
		skip "no $busybox" busybox
		continue
	}
	busybox=$(PATH=$case_path command -v "$busybox")
	kind=dynamic told=start
	if ! head -c 4096 "$busybox" | grep -qa ld-linux; then
		kind=static told=dark
	fi
	try busybox_$kind $told:busybox child:busybox <<-EOF
		$busybox sh "\$KIT/common" 2>err; echo "status \$?"
		$busybox echo applet
		$busybox seq 4 | $busybox xargs -n 2 $busybox echo
		$busybox ash -c 'ls / >/dev/null; /bin/echo below; exit 3'; echo \$?
		$busybox find . -name numbers -exec $busybox wc -l {} \\;
		$busybox timeout 1 $busybox sh -c 'kill -9 \$\$'; echo \$?
		$busybox env -i $busybox sh -c '/bin/echo dark cleared'
		mkdir bin; $busybox --install -s bin; PATH=\$PWD/bin ls bin | wc -l; rm -r bin
		$unwatched
	EOF
	# What it starts is ours to see, whoever starts it.
	try -f busybox_${kind}_starts $told:busybox start:dash start:cat start:echo <<-EOF
		mkdir d; for i in 1 2 3 4 5 6; do echo "text \$i" >d/\$i; done
		$busybox find d -type f -exec /bin/cat {} +
		$busybox find d -type f -exec /bin/dash -c 'cat "\$1"; exit 1' sh {} \\;; echo "find \$?"
		$busybox seq 20 | $busybox xargs -P 4 -n 3 /bin/echo
		$busybox seq 8 | $busybox xargs -P 4 -I @ /bin/dash -c 'exit \$(( @ == 5 ))'; echo "xargs \$?"
		echo x | $busybox xargs /bin/dash -c 'exit 255' 2>/dev/null; echo "xargs 255 \$?"
		echo x | $busybox xargs nosuchfile_t2 2>/dev/null; echo "xargs none \$?"
		$busybox timeout 0.1 /bin/sleep 9; echo "timeout \$?"
		$busybox timeout -s KILL 0.1 $busybox sleep 9; echo "timeout KILL \$?"
		$busybox timeout 9 /bin/dash -c 'exit 5'; echo "timeout 5 \$?"
		$busybox sh -c '/bin/dash -c "kill -TERM \\\$\\\$"; echo \$?; /bin/cat d/1 | /bin/dash -c "cat; exit 7"; echo \$?'
		$busybox nohup /bin/dash -c 'kill -HUP \$\$; echo alive' 2>/dev/null
		$busybox setsid /bin/dash -c 'exit 6'; echo "setsid \$?"
		$busybox nice -n 5 $busybox nice; $busybox env -u HOME A=b /bin/dash -c 'echo \$A \$HOME'
		printf '#!$busybox sh\necho script \$0\n/bin/echo of it\n' >script; chmod +x script; ./script
		$unwatched
	EOF
done
finish
