# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# Run something real three times and compare: bare, with the shim, and with the
# shim under strace, where the oracle also compares what was told with what the
# kernel saw. A test script defines
#
#   generate   make the project in the empty current directory, and the script
#              ./drive that works on it; called before each run
#
# and calls `compare NAME`. All runs are in the same directory, one after the
# other. Every file left there must be the same, but for those that match a
# pattern in $unstable; so must exit status, standard output and standard error
# ($order = free: their lines in any order). Outputs, and files that match $scrubbed,
# are compared after sed -E $scrub.
# $oracle_options go to the oracle.
#
# T2_SHIM     the shim; default: build/libt2shim.so of this tree
# T2_ORACLE   the oracle; default: built for this run
# T2_KEEP     keep the working directory, and say where it is

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
shim=${T2_SHIM:-$root/build/libt2shim.so}
name=$(basename "$0" .sh)
unstable=
scrubbed=
order=exact
scrub=
oracle_options=
limit_s=600

skip() {
	echo "SKIP $name: $*"
	exit 0
}

fail() {
	echo "FAIL $name: $*"
	[ -z "${T2_KEEP:-}" ] || echo "$name: see $work" >&2
	exit 1
}

need() {
	for tool; do
		command -v "$tool" >/dev/null 2>&1 || skip "no $tool"
	done
}

clean_up() {
	[ -n "${T2_KEEP:-}" ] || rm -rf "$work" "${cache:-$work}"
}

# Take out of outputs what is different every time.
tidy() {
	[ -z "$scrub" ] || sed -E -i "$scrub" "$@"
	[ "$order" = exact ] || for file; do
		sort -o "$file" "$file"
	done
}

# matches FILE PATTERNS: is it one of those?
matches() {
	for pattern in $2; do
		# shellcheck disable=SC2254 # it is a pattern
		case $1 in
		$pattern) return 0 ;;
		esac
	done
	return 1
}

# Every file below the current directory: type, mode, and content or target.
list_files() {
	set -f
	find . -mindepth 1 | LC_ALL=C sort | while IFS= read -r file; do
		! matches "$file" "$unstable" || continue
		mode=$(stat -c %A "$file")
		if [ -L "$file" ]; then
			echo "$mode $file -> $(readlink "$file")"
		elif [ -f "$file" ] && matches "$file" "$scrubbed"; then
			echo "$mode $file $(sed -E "$scrub" "$file" | sha256sum)"
		elif [ -f "$file" ]; then
			echo "$mode $file $(sha256sum <"$file")"
		else
			echo "$mode $file"
		fi
	done
	set +f
}

# run_as MODE COMMAND...: one run in a fresh project.
run_as() {
	mode=$1
	shift
	rm -rf "$work/tree"
	mkdir -p "$work/tree" "$work/home"
	cd "$work/tree" || fail "no directory"
	(generate) >"$work/generate.log" 2>&1 || fail "cannot make the project: $work/generate.log"
	# Appending: cat copies with copy_file_range(), which is not atomic otherwise.
	status=0
	timeout "$limit_s" "$@" </dev/null >>"$work/$mode.out" 2>>"$work/$mode.err" || status=$?
	echo "$status" >"$work/$mode.status"
	list_files >"$work/$mode.files"
	tidy "$work/$mode.out" "$work/$mode.err"
}

# same MODE: is that run the same as the bare one?
same() {
	for what in status out err files; do
		if ! cmp -s "$work/bare.$what" "$work/$1.$what"; then
			diff "$work/bare.$what" "$work/$1.$what" | head -n 20 | cut -c -300 >&2
			fail "$1: $what is not as without the shim"
		fi
	done
}

# What every run gets, and nothing else. No variables of ours but in the runs
# with the shim: there redaction is off, since the oracle knows the plain argv.
bare_environment() {
	echo "PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin HOME=$work/home LC_ALL=C.UTF-8 TZ=UTC"
	echo "SOURCE_DATE_EPOCH=1700000000 PERL_HASH_SEED=0 PYTHONHASHSEED=0 PYTHONDONTWRITEBYTECODE=1"
}

run_oracle() {
	oracle=${T2_ORACLE:-$work/oracle}
	[ -x "$oracle" ] || "$root/tests/oracle/build.sh" "$oracle" >&2 || fail "no oracle"
	# The oracle has standard output for itself; the command's goes elsewhere.
	cat >"$work/traced" <<-EOF
		#!/bin/sh
		exec sh ./drive >>"$work/traced.out" 2>>"$work/traced.err"
	EOF
	# shellcheck disable=SC2046,SC2086 # lists
	run_as oracle env -i $(bare_environment) T2_SHIM="$shim" T2_ORACLE="$oracle" \
		"$root/tests/oracle/run.sh" -v $oracle_options -k "$work/kept" -- sh "$work/traced"
	mv "$work/oracle.out" "$work/verdict"
	cat "$work/oracle.err" >>"$work/verdict"
	verdict=$(cat "$work/oracle.status")
	for what in out err; do
		mv "$work/traced.$what" "$work/oracle.$what"
		tidy "$work/oracle.$what"
	done
	cp "$work/kept/status" "$work/oracle.status"
	same oracle
	if [ "$verdict" -ne 0 ]; then
		head -n 40 "$work/verdict" | cut -c -600 >&2
		fail "oracle: $(grep -c '^disagree' "$work/verdict") disagreements (status $verdict)"
	fi
}

compare() {
	[ -f "$shim" ] || fail "no shim: $shim"
	work=$(mktemp -d "${TMPDIR:-/tmp}/t2real.XXXXXX") || fail "no directory"
	trap clean_up EXIT
	# shellcheck disable=SC2046 # lists
	{
		run_as bare env -i $(bare_environment) sh ./drive
		run_as shim env -i $(bare_environment) LD_PRELOAD="$shim" \
			GIT_TRACE2_EVENT="$work/events" GIT_TRACE2_REDACT=0 sh ./drive
	}
	same shim
	[ -s "$work/events" ] || fail "shim: told nothing"
	if strace -f -o /dev/null true 2>/dev/null; then
		run_oracle
		echo "ok $name"
	else
		echo "ok $name (SKIP oracle: strace is not permitted)"
	fi
}
