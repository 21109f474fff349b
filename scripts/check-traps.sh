#!/bin/sh
# SPDX-License-Identifier: MIT
#
# tests/traps names the test of every trap: whether each of those exists.

set -eu
cd "$(dirname "$0")/.."
nr_wrong=0
nr_traps=0

wrong() {
	echo "check-traps: $*" >&2
	nr_wrong=$((nr_wrong + 1))
}

# exists KIND:NAME
exists() {
	name=${1#*:}
	case $1 in
	victim:*) grep -q "^VICTIM($name," tests/victims/victims.def ;;
	e2e:*/* | unit:*/*)
		grep -Eq "^(Parameterized)?Test\((int \*index, )?${name%/*}, ${name#*/}[,)]" \
			tests/"${1%%:*}"/*.c
		;;
	faults:* | stress:* | realworld:*) [ -x "tests/${1%%:*}/$name.sh" ] ;;
	structure:*) [ -x "scripts/$name.sh" ] ;;
	*) false ;;
	esac
}

while IFS='|' read -r trap tests; do
	case $trap in
	'#'* | '') continue ;;
	esac
	nr_traps=$((nr_traps + 1))
	case $tests in
	' none: '*) continue ;;
	'') wrong "no test: $trap" ;;
	esac
	for test in $tests; do
		exists "$test" || wrong "$trap: there is no $test"
	done
done <tests/traps

[ "$nr_wrong" -eq 0 ] || exit 1
echo "check-traps: $nr_traps traps, every one has its tests"
