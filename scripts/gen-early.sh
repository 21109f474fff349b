#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Prints preload/early.list anew: the functions that every process runs, as callgrind
# sees them in a program that does nothing, traced and not. They are mapped together,
# because mapping a page costs a short process more than running what is on it. To be
# run by hand when what a process does at its start or end has changed. A name too
# many does no harm, one too few costs a page.
set -eu
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
shim=$PWD/${1:-build/libt2shim.so}

# functions NAME=VALUE...: the shim's that /bin/true runs.
functions() {
	env -i HOME="$work" LD_PRELOAD="$shim" "$@" \
		valgrind -q --tool=callgrind --show-below-main=yes --callgrind-out-file="$work/callgrind" /bin/true
	awk -f scripts/bench.d/callgrind.awk "$work/callgrind" |
		awk -F'\t' -v shim="$shim" '$2 == shim && $3 != "total" { print $3 }'
}

# Recursion has a mark; the compiler's parts and copies go with the whole.
{
	functions
	functions GIT_TRACE2_EVENT="$work/event" GIT_TRACE2_PARENT_NAME=sh \
		GIT_TRACE2_PARENT_SID=20261120T170652.372883Z-H15a8054a-P00000007
} | sed "s/'.*//; p; s/\..*//" | grep -E '^[a-z_][a-z0-9_.]*$' | LC_ALL=C sort -u >"$work/names"
grep -qx t2_start "$work/names" || {
	echo "gen-early: the shim did not run, or its functions have no names" >&2
	exit 1
}
cat "$work/names"
