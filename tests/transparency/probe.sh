#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A program that prints all it sees of itself (probe.c), started in every way
# there is (ways.c, shells, interpreters) by a parent with odd properties.
# shellcheck source=tests/transparency/lib.sh
. "$(dirname "$0")/lib.sh"
probe=$build/tests/transparency/probe
ways=$build/tests/transparency/ways
nr=0

# same [OPTION...] -- COMMAND...
same() {
	env -i PATH=/usr/local/bin:/usr/bin:/bin HOME="$work" LC_ALL=C GIT_CONFIG_NOSYSTEM=1 \
		T2_BUILD="$build" T2_SHIM="${T2_SHIM:-$build/libt2shim.so}" TMPDIR="$work" \
		PYTHONHASHSEED=0 PERL_HASH_SEED=0 "$here/run.sh" "$@" >"$work/log" 2>&1
	got=$?
	nr=$((nr + 1))
	[ "$got" = 0 ] && return
	status=1
	echo "FAIL $* (status $got)"
	head -n 20 "$work/log" | cut -c -300
}

# The system calls: what the probe writes to its output differs by the environment
# the user gave it, and its length moves the bounds of each write.
same -S -- "$probe" "an argument" 2
for way in itself itself-execle fork execl execle execve-empty execve-null execvpe fexecve \
	clearenv vfork vfork-execle spawn spawn-own popen system system-env-i; do
	same -S -- "$ways" "$probe" "$way"
done

# By others; what they do themselves is the same each time, so are their calls.
same -S -- env -i ONLY=1 "$probe" 3
same -S -- sh -c "trap '' HUP; umask 027; ulimit -n 64; $probe x 3 | cat; exec $probe y 4"
same -S -- bash -c "trap '' HUP; umask 027; ulimit -n 64; $probe x 3 | cat; exec $probe y 4"
same -S -- perl -e "\$SIG{HUP}='IGNORE'; system('$probe','a b'); exec {'$probe'} 'name', 5"
same -S -- python3 -I -c "import subprocess,sys; subprocess.run(['$probe','x'],env={'ONLY':'1'},close_fds=False); sys.exit(subprocess.call('$probe y 4',shell=True))"
same -S -- sh -c 'ls -l /proc/self/fd | sed "s/.*[0-9] //; s/[0-9][0-9][0-9]*/N/g"; grep -v -e Pid -e ctxt -e "^Vm" -e SigCgt -e Tgid -e "^Rss" /proc/self/status >/dev/null; ulimit -a'
same -- timeout 20 nice -n 5 setsid -w sh -c '/bin/true; exit 3'

[ "$status" = 0 ] && echo "ok a program sees the same of itself, started in $nr ways"
exit "$status"
