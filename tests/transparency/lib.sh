#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2034 # names are for those who read this file
#
# For the tests that go through run.sh: where the project and its build are, and a directory
# that goes away with the test. Without strace they are skipped.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
case ${T2_BUILD:-build} in
/*) build=$T2_BUILD ;;
*) build=$root/${T2_BUILD:-build} ;;
esac

strace -f -o /dev/null true 2>/dev/null || {
	echo "SKIP transparency $(basename "$0" .sh): strace is not permitted"
	exit 0
}
work=$(mktemp -d "${TMPDIR:-/tmp}/t2transparency.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 2' INT TERM
status=0
