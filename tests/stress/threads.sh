#!/bin/sh
# SPDX-License-Identifier: MIT
# 64 threads of one process that start 50 processes each.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
n=$((50 / scale))

build spawner
traced "$work/spawner" 64 $n
all=$((64 * n + 2))
told start=$all atexit=$all child_start=$((all - 1)) child_exit=$((all - 1)) thread_start=64 \
	thread_exit=64 exec=0 signal=0
