#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Every hook has a victim that calls it, every kind of event a line that is kept
# or asserted: what nobody exercises is broken sooner or later.

set -eu
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nr_wrong=0
wrong() {
	echo "check-hooks: $*" >&2
	nr_wrong=$((nr_wrong + 1))
}

# Called by every program, but by none of them by its name.
is_excused() {
	[ "$1" = __libc_start_main ]
}

sed -n 's/^HOOK[_A-Z]*(\([A-Za-z_0-9]*\).*/\1/p' hooks/hooks.def >"$work/hooks"
nr_hooks=0
while read -r hook; do
	nr_hooks=$((nr_hooks + 1))
	is_excused "$hook" && continue
	grep -qE "(^|[^A-Za-z0-9_])$hook *[(,}]" tests/victims/*.c || wrong "no victim calls $hook"
done <"$work/hooks"
[ "$nr_hooks" -gt 0 ] || wrong "hooks/hooks.def has no hooks"

# A golden line where one process is enough, an assertion where more are needed.
sed -n 's/^T2_EVENT([A-Z_0-9]*, "\([a-z_]*\)".*/\1/p' preload/events.def >"$work/events"
nr_events=0
while read -r event; do
	nr_events=$((nr_events + 1))
	grep -q "\"event\":\"$event\"" tests/golden/*.event 2>/dev/null && continue
	grep -qw "$event" tests/e2e/test_*.c || wrong "no golden line and no test has $event"
done <"$work/events"
[ "$nr_events" -gt 0 ] || wrong "preload/events.def has no events"

# The table names programs that exist, and every program is in it.
for source in tests/victims/*.c; do
	victim=$(basename "$source" .c)
	grep -q "^VICTIM([A-Za-z_0-9]*, $victim," tests/victims/victims.def ||
		wrong "victims.def does not have $victim"
done
sed -n 's/^VICTIM([A-Za-z_0-9]*, \([A-Za-z_0-9]*\),.*/\1/p' tests/victims/victims.def >"$work/victims"
while read -r victim; do
	[ -f "tests/victims/$victim.c" ] || [ -f "tests/victims/$victim.cc" ] || wrong "there is no tests/victims/$victim.c"
done <"$work/victims"

[ "$nr_wrong" -eq 0 ] || exit 1
echo "check-hooks: $nr_hooks hooks and $nr_events kinds of event, each with its test"
