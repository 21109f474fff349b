# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# What the suites share: the ways a program is run, and how a case becomes one
# line, "case result". A suite is a file SUITE.sh, read by run.sh, with
#
#   prepare         make what is needed in $work; may call `skip WHY`
#   cases [CASE...] run these cases, or all of them, each through `under`, and
#                   print a line for each
#
# What helps to understand a case goes to `detail CASE`; run.sh shows the
# difference where the results differ.

skip() {
	echo "SKIP $suite: $*"
	exit 0
}

need() {
	for tool; do
		command -v "$tool" >/dev/null 2>&1 || skip "no $tool"
	done
}

# under COMMAND...: run it in the present $mode:
#   bare    as if we did not exist
#   shim    traced into $events
#   quiet   the shim without a target
#   empty   another preload, which does nothing: what the loader alone changes
under() {
	case $mode in
	bare) "$@" ;;
	shim) LD_PRELOAD=$shim GIT_TRACE2_EVENT=$events "$@" ;;
	quiet) LD_PRELOAD=$shim "$@" ;;
	empty) LD_PRELOAD=$empty "$@" ;;
	esac
}

# detail CASE: the file for what was seen of it in the present mode.
detail() {
	echo "$work/detail/$mode/$(echo "$1" | tr / ,)"
}

# wanted CASE [CASE...]: is the first one of the others, or is there no other?
wanted() {
	sought=$1
	shift
	[ $# -gt 0 ] || return 0
	for one; do
		[ "$one" != "$sought" ] || return 0
	done
	return 1
}

# What is different every time: our directories, and pids: long numbers, and those
# where shells name a process.
scrub() {
	sed -E -e "s,$work/(tmp|place)/?,WORK/,g" -e "s,$work,WORK,g" \
		-e 's/(\[[0-9]+\] *[-+]? *)[0-9]+/\1N/' -e 's/(line [0-9]+:) *[0-9]+ /\1 N /' \
		-e 's/\b(pid|wait:|process group) \(?[0-9]+\)?/\1 N/g' -e 's/\b[0-9]{4,}\b/N/g'
}

# snippet CASE COMMAND...: one case: run in a directory of its own, where it finds
# what is in $given; the result is its exit status and a digest of what it said
# on both streams.
snippet() {
	case_name=$1
	shift
	place="$work/place"
	rm -rf "$place" "$work/tmp"
	mkdir -p "$place" "$work/tmp"
	[ -z "${given:-}" ] || cp -a "$given/." "$place/"
	seen=$(detail "$case_name")
	(
		cd "$place" || exit
		# timeout leads a process group of its own, with this pid.
		# shellcheck disable=SC2016 # for that shell
		under sh -c 'echo $$ >"$0"; exec timeout "$@"' "$work/group" -k 5 "${limit_s:-60}" "$@" \
			</dev/null >"$seen.out" 2>"$seen.err"
	)
	status=$?
	# What outlives its case must not disturb the next one, or anybody else.
	kill -KILL -- "-$(cat "$work/group")" 2>/dev/null
	{
		scrub <"$seen.out"
		echo "-- standard error"
		scrub <"$seen.err"
		echo "-- status $status"
	} >"$seen"
	rm -f "$seen.out" "$seen.err"
	echo "$case_name $status:$(sha256sum <"$seen" | cut -c -12)"
}

# split FILE DIRECTORY: cut a file of cases, each headed by "## name words...",
# into files named so, each of which begins with its head.
split_cases() {
	mkdir -p "$2"
	awk -v into="$2" '/^## / { out = into "/" $2 } out { print >out }' "$1"
}

# sources PACKAGE: where the distribution's source of it is, fetched with apt
# unless that was done before; the machine's own package lists stay as they are.
sources() {
	if [ ! -d "$cache/$1/source" ]; then
		"$here/fetch.sh" "$1" "$cache/$1" >"$work/fetch.log" 2>&1 || return
	fi
	echo "$cache/$1/source"
}

# files PACKAGE: where that package's files are, fetched with apt unless that was done
# before, and not installed: it may exclude another one.
files() {
	if [ ! -d "$cache/$1/files" ]; then
		"$here/fetch.sh" -b "$1" "$cache/$1" >"$work/fetch.log" 2>&1 || return
	fi
	echo "$cache/$1/files"
}

# script_cases FILE INTERPRETER [CASE...]: each of the file's cases as a script.
script_cases() {
	[ -d "$work/scripts" ] || split_cases "$1" "$work/scripts"
	interpreter=$2
	shift 2
	base=${given:-}
	for file in "$work"/scripts/*; do
		wanted "${file##*/}" "$@" || continue
		given=$work/given
		rm -rf "$given"
		mkdir "$given"
		[ -z "$base" ] || cp -a "$base/." "$given/"
		cp "$file" "$given/case"
		snippet "${file##*/}" "$interpreter" ./case
	done
	given=$base
}
