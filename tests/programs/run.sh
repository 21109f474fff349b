#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh [-q] [PROGRAM[/CASE]...]: the programs of this directory with and
# without the shim (lib.sh tells how); all without arguments, with -q those
# that are quick and need no more than the other tests do. CASE is a pattern.
# The last line says "N passed, N failed[, N skipped]".
set -u
cd "$(dirname "$0")" || exit 2
here=$PWD

quick='shells perl foreign setuid'

case ${1:-} in
-q)
	shift
	# shellcheck disable=SC2086 # a list
	[ $# -gt 0 ] || set -- $quick
	;;
esac
if [ $# = 0 ]; then
	for script in *.sh; do
		case $script in
		lib.sh | run.sh) ;;
		*) set -- "$@" "${script%.sh}" ;;
		esac
	done
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
for program; do
	cases='*'
	case $program in
	*/*) cases=${program#*/} program=${program%%/*} ;;
	esac
	if ! [ -f "$here/$program.sh" ]; then
		echo "run.sh: no such program: $program" >&2
		exit 2
	fi
	before=$(grep -c '^FAIL' "$log")
	status=0
	T2_CASES=$cases sh "$here/$program.sh" >"$log.one" 2>&1 || status=$?
	cat "$log.one"
	cat "$log.one" >>"$log"
	if [ "$status" != 0 ] && [ "$(grep -c '^FAIL' "$log")" = "$before" ]; then
		echo "FAIL $program: ended with status $status" | tee -a "$log"
	fi
	rm -f "$log.one"
done

skipped=$(grep -c '^SKIP' "$log")
[ "$skipped" = 0 ] && skipped= || skipped=", $skipped skipped"
echo
echo "$(grep -c '^ok' "$log") passed, $(grep -c '^FAIL' "$log") failed$skipped"
! grep -q '^FAIL' "$log"
