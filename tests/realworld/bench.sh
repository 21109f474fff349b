#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The benchmark's counts: that it runs, counts something for each mode, adds
# nothing without a target, and weighs that against what is wanted.
set -u
cd "$(dirname "$0")/../.." || exit 2
command -v strace >/dev/null || {
	echo "SKIP bench: no strace"
	exit 0
}
out=$(mktemp)
trap 'rm -f "$out"' EXIT

fail() {
	echo "$1"
	cat "$out"
	exit 1
}

scripts/bench -q -m none,event,perf calls >"$out" 2>&1 || fail "status $?"
# A row of the table: 4 words of the name, then none, event and perf.
awk '/^  true, within a tree / { seen = NF == 7 && $5 ~ /^[0-9]+$/ && $6 > $5 && $7 > $5 }
	END { exit !seen }' "$out" || fail 'no sound count of a process'
awk '/^  a thread / { seen = $3 == 0 && $4 >= 6 } END { exit !seen }' "$out" ||
	fail 'no sound count of a thread'
grep -Eq '^  calls, after main has begun, none +<= 0 +0 +held$' "$out" || fail 'no verdict'
! scripts/bench -q nosuch >"$out" 2>&1 || fail 'an unknown case is measured'
grep -q 'no such case: nosuch' "$out" || fail 'an unknown case is not named'
