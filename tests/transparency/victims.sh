#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Every row of tests/victims/victims.def through run.sh. What of a row is not
# the same each time is in the list "unstable", with the reason.
#
#   victims.sh [LABEL...]
# shellcheck source=tests/transparency/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$root" || exit 2

# Label, program and arguments, quoted for the shell; and commands that need
# what no victim does.
rows() {
	echo 'file_size_limit /bin/sh "-c" "ulimit -f 1000; /bin/true; exit 3"'
	echo 'reads_its_mappings /bin/grep "-c" "ld-linux" "/proc/self/maps"'
	echo 'printed_environment /bin/sh "-c" "env"'
	sed 's/^#include.*//' tests/victims/victims.def |
		"${CC:-cc}" -E -P -x c -D'VICTIM(label, program, traits, ...)=label program __VA_ARGS__' - |
		sed -e '/^ *$/d' -e 's/" *, *"/" "/g'
}

# One row, in a process of its own: run_row ROW.
if [ "${1:-}" = --row ]; then
	eval "set -- $2"
	label=$1
	program=$2
	shift 2
	case $program in /*) ;; *) program=$build/tests/victims/$program ;; esac
	options=$(sed -n "s/^$label \\(-.*\\) ## .*/\\1/p" "$here/unstable")
	# shellcheck disable=SC2086 # a list
	env -i PATH=/usr/local/bin:/usr/bin:/bin HOME="$T2_WORK" LC_ALL=C GIT_CONFIG_NOSYSTEM=1 \
		T2_BUILD="$build" T2_SHIM="${T2_SHIM:-$build/libt2shim.so}" TMPDIR="$T2_WORK" \
		"$here/run.sh" -u "$T2_WORK/used.$label" $options -- \
		"$program" "$@" >"$T2_WORK/$label.log" 2>&1
	echo "$?" >"$T2_WORK/$label.status"
	exit 0
fi

printf '[user]\n\tname = nobody\n' >"$work/.gitconfig"
rows >"$work/rows"
for label; do
	grep "^$label " "$work/rows"
done >"$work/asked"
[ $# = 0 ] || mv "$work/asked" "$work/rows"
[ -s "$work/rows" ] || {
	echo "FAIL no such rows"
	exit 1
}
tr '\n' '\0' <"$work/rows" | T2_WORK=$work xargs -0 -n 1 -P 2 "$here/victims.sh" --row

while read -r label _; do
	[ "$(cat "$work/$label.status" 2>/dev/null)" = 0 ] && continue
	status=1
	echo "FAIL $label (status $(cat "$work/$label.status"))"
	head -n 30 "$work/$label.log" | sed 's/^/  /'
done <"$work/rows"
[ "$status" = 0 ] && echo "ok $(wc -l <"$work/rows") victims are the same with and without us"

# A rule that nothing needs any more hides what comes next.
if [ $# = 0 ] && [ "$status" = 0 ]; then
	sort -u "$work"/used.* >"$work/used"
	grep -nE '^[a-z]+ (own|more|less|as|alike) ' "$here/allowed" | cut -d: -f1 | sort |
		comm -23 - "$work/used" | while read -r line; do
		echo "FAIL allowed:$line is not needed: $(sed -n "${line}p" "$here/allowed")"
	done >"$work/stale"
	cat "$work/stale"
	[ ! -s "$work/stale" ] || status=1
fi
exit "$status"
