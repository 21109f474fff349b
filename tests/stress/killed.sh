#!/bin/sh
# SPDX-License-Identifier: MIT
# 3000 children that are killed while they are about to end by themselves.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
n=$((3000 / scale))

build killer
traced "$work/killer" $n
# Each child is a session, however it ended; and so are timeout and its child.
told start=$((n + 2)) child_start=$((n + 1)) child_exit=$((n + 1)) exec=0
