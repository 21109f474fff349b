#!/bin/sh
# SPDX-License-Identifier: MIT
#
# t2 region: its help is told wherever it is asked for, but not by a word of the command. What
# it does is in region.sh.
# shellcheck source=tests/command/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 2

for line in --help -h '-c ci --help' '-c ci -l step -h' '-c ci --label=step --help -- false' \
	'-c ci -l step -h false'; do
	# shellcheck disable=SC2086 # words
	wants 0 "$t2" region $line
	says '^usage: t2 region -c CATEGORY' out
	[ ! -s err ] || fail "t2 region $line: $(cat err)"
done

# The command's own.
for line in '-- printf %s -h' 'printf %s -h' 'printf %s --help'; do
	# shellcheck disable=SC2086 # words
	wants 0 "$t2" region -c ci -l step $line
	[ "$(cat out)" = "${line##* }" ] || fail "t2 region $line: $(cat out)"
done
wants 125 "$t2" region -c ci
says 'no label given' err
wants 125 "$t2" region -c ci --nonsense -h
echo "ok t2 region: help"
