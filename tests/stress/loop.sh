#!/bin/sh
# SPDX-License-Identifier: MIT
# 20,000 short processes, one after the other, from one shell.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
n=$((20000 / scale))

# timeout is traced as well: it adds one session with one child.
traced dash -c "i=0; while [ \$i -lt $n ]; do /bin/true; i=\$((i + 1)); done"
told start=$((n + 2)) atexit=$((n + 2)) child_start=$((n + 1)) \
	child_exit=$((n + 1)) exec=0 exec_result=0 signal=0
