#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh [SUITE...]: run these suites (default: all) bare and with the shim, and
# compare case by case. A case with two results is run again both ways, to tell one
# whose result varies by itself from one that the shim changes, and with a preload
# that does nothing. Ends with status 1 if the shim changes any.
#
# SUITE:CASE[,CASE...] runs only these cases of a suite.
#
# T2_SHIM     the shim; default: build/libt2shim.so of this tree
# T2_EMPTY    the preload that does nothing; default: build/tests/empty.so
# T2_KEEP     keep the working directories, and say where they are
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
shim=${T2_SHIM:-$root/build/libt2shim.so}
empty=${T2_EMPTY:-$root/build/tests/empty.so}
# Sources of packages, fetched once.
# shellcheck disable=SC2034 # lib.sh uses it
cache=${XDG_CACHE_HOME:-$HOME/.cache}/t2shim
reruns=3
more_reruns=30
# Past so many, the shim is broken and reruns tell nothing more.
most_reruns=60

# shellcheck source=/dev/null
. "$here/lib.sh"

fault() {
	echo "FAULT $suite: $*"
	touch "$work/fault"
}

# in_mode MODE FILE [CASE...]: one run; every line of it, sorted, one per case.
in_mode() {
	mode=$1
	into=$2
	shift 2
	events=$work/events
	rm -f "$events"
	mkdir -p "$work/detail/$mode"
	cases "$@" >"$work/lines"
	LC_ALL=C sort "$work/lines" | awk '
		$1 == name { result = result "," $2; next }
		name != "" { print name, result }
		{ name = $1; result = $2 }
		END { if (name != "") print name, result }' >"$into"
	[ "$mode" != shim ] || check_events
}

# Was something told, and is all of it JSON, an object per line?
check_events() {
	[ -s "$events" ] || {
		fault "nothing was told"
		return
	}
	jq -n 'reduce inputs as $event (0; . + 1)' "$events" >"$work/told" 2>"$work/told.err" ||
		fault "the events do not parse: $(head -n 1 "$work/told.err")"
	[ "$(cat "$work/told")" = "$(wc -l <"$events")" ] ||
		fault "$(wc -l <"$events") lines are $(cat "$work/told") events"
}

# tally MODE CASE: the results in that mode, each with how often it was seen.
tally() {
	awk -v name="$2" '$1 == name { seen[$2]++ }
		END { for (r in seen) printf "%s%s x%d", n++ ? ", " : "", r, seen[r]
			if (!n) printf "missing" }' "$work"/results."$1".*
}

# results MODE CASE: how many different results did it have in that mode?
results() {
	awk -v name="$2" '$1 == name && !seen[$2]++ { n++ } END { print n + 0 }' "$work"/results."$1".*
}

allowed() {
	awk -v suite="$suite" -v name="$1" '$1 == suite && name ~ "^(" $2 ")$" {
		$1 = $2 = ""; sub(/^ +/, ""); print; exit }' "$here/allowed"
}

# Compare the first runs; what differs goes to $work/differing.
differing() {
	LC_ALL=C join -a 1 -a 2 -e missing -o 0,1.2,2.2 "$work/results.bare.0" \
		"$work/results.shim.0" >"$work/joined"
	awk '$2 != $3 { print $1 }' "$work/joined" >"$work/differing"
}

# again FIRST LAST FILE: run the cases of that file again, both ways.
again() {
	again=$1
	while [ "$again" -le "$2" ]; do
		# shellcheck disable=SC2046 # names of cases have no blanks
		{
			in_mode bare "$work/results.bare.$again" $(head -n $most_reruns "$3")
			in_mode shim "$work/results.shim.$again" $(head -n $most_reruns "$3")
		}
		again=$((again + 1))
	done
}

# strays CASE: how many reruns had it with the shim, and in how many was its result
# not the one it always has without?
strays() {
	usual=$(awk -v name="$1" '$1 == name { print $2 }' "$work/results.bare.0")
	awk -v name="$1" -v usual="${usual:-missing}" '$1 == name { n++; if ($2 != usual) strays++ }
		END { print n + 0, strays + 0 }' "$work"/results.shim.[1-9]*
}

# verdict CASE: flaky if its result varies in bare runs alone, or if at most one rerun
# with the shim was different; differ if the shim changes it.
verdict() {
	if [ "$(results bare "$1")" -gt 1 ]; then
		echo flaky
		return
	fi
	strays "$1" | while read -r all strays; do
		if [ "$all" -gt 0 ] && [ "$strays" -le "$((all > reruns))" ]; then
			echo flaky
		else
			echo differ
		fi
	done
}

# Those whose result with the shim is not always another one: a race of their own,
# or ours? More runs tell.
unsettled() {
	while read -r case; do
		[ "$(results bare "$case")" -gt 1 ] || strays "$case" | while read -r all strays; do
			[ "$strays" = 0 ] || [ "$strays" = "$all" ] || echo "$case"
		done
	done <"$work/differing"
}

judge() {
	while read -r case; do
		what=$(verdict "$case")
		reason=
		if [ "$what" = differ ]; then
			reason=$(allowed "$case")
			[ -z "$reason" ] || [ "$(tally empty "$case" | sed 's/ x.*//')" != \
				"$(tally shim "$case" | sed 's/ x.*//')" ] || what=loader
		fi
		echo "$what $case" >>"$work/verdicts"
		echo "$suite: $what $case: bare $(tally bare "$case"); shim $(tally shim "$case")$(
			[ "$what" = flaky ] || echo "; empty preload $(tally empty "$case"); no target $(tally quiet "$case")"
		)${reason:+ ($reason)}"
		[ "$what" != differ ] || show "$case"
	done <"$work/differing"
}

show() {
	file=$(echo "$1" | tr / ,)
	for one in bare shim; do
		[ -f "$work/first/$one/$file" ] || : >"$work/first/$one/$file"
	done
	diff -u "$work/first/bare/$file" "$work/first/shim/$file" | tail -n +3 | head -n 30 | cut -c -300 |
		sed 's/^/    /'
}

count() {
	grep -c "^$1 " "$work/verdicts"
}

# run_suite NAME [CASE...]
run_suite() {
	suite=$1
	shift
	[ -f "$here/$suite.sh" ] || {
		echo "run.sh: no such suite: $suite" >&2
		exit 2
	}
	work=$(mktemp -d "${TMPDIR:-/tmp}/t2suite.XXXXXX") || exit 2
	if [ -n "${T2_KEEP:-}" ]; then
		echo "$suite: see $work"
	else
		# shellcheck disable=SC2064 # this very directory
		trap "rm -rf '$work'" EXIT
	fi
	: >"$work/verdicts"
	mkdir -p "$work/home" "$work/tmp"
	export HOME="$work/home" TMPDIR="$work/tmp"
	# shellcheck source=/dev/null
	. "$here/$suite.sh"
	prepare
	in_mode bare "$work/results.bare.0" "$@"
	in_mode shim "$work/results.shim.0" "$@"
	mv "$work/detail" "$work/first"
	differing
	if [ -s "$work/differing" ]; then
		again 1 $reruns "$work/differing"
		unsettled >"$work/unsettled"
		[ ! -s "$work/unsettled" ] || again $((reruns + 1)) $((reruns + more_reruns)) "$work/unsettled"
		# shellcheck disable=SC2046 # names of cases have no blanks
		for mode in empty quiet; do
			in_mode $mode "$work/results.$mode.0" $(head -n $most_reruns "$work/differing")
		done
		judge
	fi
	all=$(wc -l <"$work/joined")
	[ "$all" -gt 0 ] || fault "no case was run"
	echo "$suite: $all cases, $((all - $(wc -l <"$work/verdicts"))) same, $(count differ) differ, $(
		count flaky) flaky$([ "$(count loader)" = 0 ] || echo ", $(count loader) the loader's")"
	[ "$(count differ)" = 0 ] && [ ! -e "$work/fault" ]
}

for file in "$shim" "$empty"; do
	[ -f "$file" ] || {
		echo "run.sh: no $file: make check-build" >&2
		exit 2
	}
done
command -v jq >/dev/null || {
	echo "SKIP suites: no jq"
	exit 0
}
# Nothing of the caller's may reach a case.
unset LD_PRELOAD
for name in $(env | sed -n 's/^\(GIT_TRACE2[A-Z_0-9]*\|T2SHIM_[A-Z_0-9]*\|MAKEFLAGS\|MFLAGS\|MAKELEVEL\)=.*/\1/p'); do
	unset "$name"
done
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 TZ=UTC

[ $# -gt 0 ] || set -- shells jobserver git bash ash make tcl perl cpython
failed=0
for suite; do
	case $suite in
	*:*) only=$(echo "${suite#*:}" | tr , ' ') ;;
	*) only= ;;
	esac
	# shellcheck disable=SC2086 # names of cases have no blanks
	(run_suite "${suite%%:*}" $only) || failed=1
done
exit $failed
