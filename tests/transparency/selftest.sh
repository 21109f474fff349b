#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The comparison must find each thing that a preload could do (bad.c), in the
# facet where it shows, and nothing where it does nothing.
# shellcheck source=tests/transparency/lib.sh
. "$(dirname "$0")/lib.sh"
tools=$build/tests/transparency

# The command: descriptor 5 is open, a child dumps core, and if that is what must
# not happen, the command itself.
cat >"$work/command" <<-'END'
	exec 5</dev/null
	/bin/true
	sh -c 'kill -ABRT $$'
	[ "$BAD" != core ] || kill -ABRT $$
	exec /bin/false
END

# compare BAD [OPTION...]: the status of run.sh, its words in $work/log.
compare() {
	bad=$1
	shift
	env -i PATH=/usr/local/bin:/usr/bin:/bin HOME="$work" LC_ALL=C BAD="$bad" T2_BUILD="$build" \
		T2_SHIM="$tools/bad.so" TMPDIR="$work" "$here/run.sh" -q "$@" -- \
		/bin/sh "$work/command" >"$work/log" 2>&1
}

# finds BAD FACET...: a difference in each of these facets.
finds() {
	bad=$1
	shift
	compare "$bad"
	got=$?
	[ "$got" = 1 ] || {
		echo "FAIL $bad: status $got instead of 1"
		head -n 20 "$work/log"
		status=1
		return
	}
	for facet; do
		grep -q "^differs $facet, shim" "$work/log" || {
			echo "FAIL $bad: not found in $facet, but in: $(grep -o '^differs [a-z]*' "$work/log" |
				sort -u | tr '\n' ' ')"
			status=1
		}
		# What shows only there must be found when all else is left out.
		shown=$(echo "out err status files fds env dispositions maps syscalls" | tr ' ' '\n' |
			grep -vx "$facet" | tr '\n' ',')
		compare "$bad" -x "${shown%,}"
		[ $? = 1 ] || {
			echo "FAIL $bad: $facet alone does not tell"
			status=1
		}
		compare "$bad"
	done
}

compare nothing || {
	echo "FAIL a preload that does nothing is found to differ:"
	head -n 20 "$work/log"
	status=1
}
finds descriptor fds syscalls
finds late-descriptor fds syscalls
finds cloexec fds syscalls
finds close5 fds syscalls
finds own-close5 fds syscalls
finds ignore dispositions syscalls
finds catch dispositions syscalls
finds block dispositions syscalls
finds late-block dispositions syscalls
finds variable env
finds stdout out syscalls
finds stderr err syscalls
finds call syscalls
finds own-call syscalls
finds umask dispositions syscalls
finds thread dispositions syscalls
finds limit dispositions syscalls
finds core status files syscalls
finds file files syscalls
finds chdir dispositions syscalls
finds map maps syscalls
finds timer syscalls
finds status status syscalls

# What cannot be compared is not the same.
"$here/run.sh" -S -- /nonexistent/program >"$work/log" 2>&1
[ $? = 2 ] || {
	echo "FAIL a command that cannot be started is compared"
	status=1
}
[ "$status" = 0 ] && echo "ok the comparison finds 23 faults of a preload"
exit "$status"
