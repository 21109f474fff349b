# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# GNU make's jobserver and ninja: jobserver.cases. Those named fifo_ need a make
# whose jobserver can be a FIFO (4.4).

prepare() {
	need make ninja perl cc
	split_cases "$here/jobserver.cases" "$work/scripts"
	if ! make --help | grep -q jobserver-style; then
		rm -f "$work"/scripts/fifo_*
		echo "jobserver: SKIP fifo_*: $(make --version | head -n 1) has no such style"
	fi
	given=$here/jobserver
}

cases() {
	script_cases "$here/jobserver.cases" sh "$@"
}
