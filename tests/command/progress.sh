#!/bin/sh
# SPDX-License-Identifier: MIT
#
# How far reading is, on a terminal.
# shellcheck source=tests/command/view.lib.sh
. "$(dirname "$0")/view.lib.sh"

script=$PWD/terminal.py
cd "$work" || exit 2
timeout 60 python3 "$script" "$t2" progress || failed=1
exit "$failed"
