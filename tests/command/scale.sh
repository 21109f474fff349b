#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Four times as many events take four times as many instructions and as much memory, and
# there is a bound to both. A million events in a second are 2,000 cycles each; those
# of the traces here take about 7,200 instructions, of which a processor does four in one.
# shellcheck source=tests/command/view.lib.sh
. "$(dirname "$0")/view.lib.sh"

instructions_max=10000 # per event
memory_max=150	       # bytes per event: 200 MB of a million, with what does not grow

fail() {
	echo "FAIL $*"
	failed=1
}

# instructions ARGUMENT...: of t2, all of them counted.
instructions() {
	valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null \
		"$t2" "$@" 2>&1 >/dev/null | sed -n 's/,//g; s/.*I *refs: *//p'
}

# memory ARGUMENT...: of t2, at most at a time, in bytes.
memory() {
	python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)' "$t2" "$@"
}

make_trace=$(dirname "$t2")/tests/make_trace
"$make_trace" 8000 >"$work/small"
"$make_trace" 32000 >"$work/large"
for view in report tree top failures critical check 'diff build.jsonl' 'export -F json' \
	'export -F folded' 'export -F perf'; do
	# shellcheck disable=SC2086 # words
	small=$(instructions $view "$work/small") large=$(instructions $view "$work/large")
	each=$(((large - small) / 24000))
	echo "$view: $large instructions for 32,000 events, $each for one more"
	[ "$large" -le $((small * 9 / 2)) ] || fail "$view: $small became $large: more than linear"
	case $view in
	report | tree | top | failures | critical)
		[ "$each" -le "$instructions_max" ] || fail "$view: $each instructions per event"
		;;
	esac
done

"$make_trace" 100000 >"$work/small"
"$make_trace" 400000 >"$work/large"
for view in report tree top 'diff build.jsonl'; do
	# shellcheck disable=SC2086 # words
	small=$(memory $view "$work/small") large=$(memory $view "$work/large")
	each=$(((large - small) / 300000))
	echo "$view: $large bytes for 400,000 events, $each for one more"
	[ "$each" -le "$memory_max" ] || fail "$view: $each bytes per event"
done

exit "$failed"
