#!/bin/sh
# SPDX-License-Identifier: MIT
#
# For the tests of t2: where the project and its build are, a directory that goes away
# with the test, an environment in which t2 is told nothing, and how to fail.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
case ${T2_BUILD:-build} in
/*) built=$T2_BUILD ;;
*) built=$root/${T2_BUILD:-build} ;;
esac
export t2="$built/t2"
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
export LC_ALL=C TZ=UTC
unset COLUMNS NO_COLOR T2_SHIM
unset GITHUB_ACTIONS GITLAB_CI BUILDKITE JENKINS_URL GITHUB_STEP_SUMMARY

fail() {
	echo "FAIL: $*" >&2
	exit 1
}

# wants STATUS COMMAND...: it ends so; its output is in $work/out and $work/err.
wants() {
	wanted=$1
	shift
	status=0
	"$@" >"$work/out" 2>"$work/err" || status=$?
	[ "$status" = "$wanted" ] ||
		fail "status $status, not $wanted: $* $(cat "$work/out" "$work/err")"
}

# says PATTERN FILE: one of its lines matches.
says() {
	grep -q -e "$1" "$2" || fail "no '$1' in: $(cat -A "$2")"
}
