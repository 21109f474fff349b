# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# git's commands: git.cases, run by bash. git speaks Trace2 itself, so its sessions
# are among those of the shim, and what it runs (hooks, editors, helpers) is below.

prepare() {
	need git bash perl script
	split_cases "$here/git.cases" "$work/scripts"
	given=$here/git
	[ -x "$(git --exec-path)/git-daemon" ] || {
		rm -f "$work"/scripts/daemon*
		echo "git: SKIP daemon*: no git daemon"
	}
}

cases() {
	script_cases "$here/git.cases" bash "$@"
}
