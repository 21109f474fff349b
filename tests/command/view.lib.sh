#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# For the tests of views. build.jsonl, by hand, in ms: make -j2 0-1000 (exit 2) waits for
#
#	sh -c probe	0-100, in it grep 10-30 (exit 1, handled) and true 50-60
#	cc -c a.c	100-500
#	cc -c b.c	100-900 (exit 1), in it cc1 150-850 (SIGSEGV)
#
# So two are busy from 100 to 500, one at all other times.
# shellcheck source=tests/command/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$(dirname "$0")" || exit 2
export NO_COLOR=1 COLUMNS=80
export failed=0

# expect STATUS ARGUMENT...: t2 ends so and prints what is on standard input.
expect() {
	wanted=$1
	shift
	cat >"$work/wanted"
	"$t2" "$@" >"$work/got" 2>"$work/err"
	status=$?
	if [ "$status" != "$wanted" ] || [ -s "$work/err" ] || ! diff "$work/wanted" "$work/got"; then
		echo "FAIL t2 $* (status $status, wanted $wanted)"
		cat "$work/err"
		failed=1
	fi
}

# expect_usage WORD ARGUMENT...: wrong usage, of which one line says WORD.
expect_usage() {
	word=$1
	shift
	"$t2" "$@" >"$work/got" 2>"$work/err"
	status=$?
	if [ "$status" != 2 ] || [ -s "$work/got" ] || ! grep -q -- "$word" "$work/err"; then
		echo "FAIL t2 $* (status $status, wanted 2 and '$word')"
		cat "$work/err"
		failed=1
	fi
}

# expect_help NAME: its help has its options and an example, and fits.
expect_help() {
	if ! "$t2" "$1" --help >"$work/got" || ! grep -q '^Example' "$work/got" ||
		! grep -q "^usage: t2 $1" "$work/got" || grep -q '.\{81\}' "$work/got"; then
		echo "FAIL t2 $1 --help"
		failed=1
	fi
}
