#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The last table: what was measured beside what is wanted.
# shellcheck disable=SC2154 # bench sets them

# ratio CASE KEY BASE LIMIT: nothing if it was not measured.
ratio() {
	awk -F'\t' -v title="$1" -v key="$2" -v base="$3" -v limit="$4" '
		$1 == title && $2 == key && $3 == base {
			verdict = $4 <= limit ? "held" : "not held"
			if (($5 <= limit) != ($6 <= limit))
				verdict = verdict ", but the interval spans it"
			printf "  %-44s <= %-5s %7.3f [%5.3f %5.3f] CPU %.3f  %s\n",
				title ", " key " / " base, limit, $4, $5, $6, $7, verdict
		}' "$results"
}

# count ROW KEY LIMIT
count() {
	awk -F'\t' -v row="$1" -v key="$2" -v limit="$3" '
		$1 == "calls" && $2 == row && $3 == key {
			printf "  %-44s <= %-5s %7g  %31s\n", "calls, " row ", " key, limit, $4,
				$4 <= limit ? "held" : "not held"
		}' "$counts"
}

rows() {
	for mode in event perf normal dir socket all; do
		ratio spawn $mode empty 1.05
	done
	for build in configure build compile; do
		ratio $build event plain 1.02
	done
	for name in spawn fork shell threads configure build compile; do
		ratio $name none empty 1.01
	done
	for row in 'after main has begun' 'of them in the shell' 'a fork without exec' 'a thread'; do
		count "$row" none 0
	done
	count 'true, within a tree' event 30
}

targets() {
	touch "$counts"
	rows >"$work/rows"
	[ -s "$work/rows" ] || return 0
	printf '\ntargets %38s  %7s\n' 'wanted' 'measured'
	cat "$work/rows"
}
