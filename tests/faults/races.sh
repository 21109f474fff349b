#!/bin/sh
# SPDX-License-Identifier: MIT
# exec in one thread while eight others emit; two threads that end the process at once.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

build race
for way in exec exit exit_two exit_forks quick quick_two under_two abort_two main_leaves; do
	same $way sh -c "i=0; while [ \$i -lt $((10 * long)) ]; do
		$work/race $way 2>/dev/null; echo \$?; i=\$((i + 1)); done"
done
whole_but races $((10 * long)) "$events"
echo "ok $name"
