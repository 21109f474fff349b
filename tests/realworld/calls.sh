#!/bin/sh
# SPDX-License-Identifier: MIT
# Every call that makes, replaces, ends or awaits a process: calls.c.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
need cc

generate() {
	"${CC:-cc}" -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -O1 -I"$here/../.." -o calls \
		"$here/calls.c" "$here/calls_threads.c" "$here/calls_ends.c" -pthread -lutil
	cat >drive <<-'EOF'
		for verb in $(./calls); do
			echo "== $verb"
			./calls "$verb"
			echo "$verb $?"
		done
	EOF
}

# Beyond what the shim can see: the kernel takes a one-shot handler away by itself,
# and nobody tells the shells of wordexp(). An exit handler may end with another
# status than exit() was called with.
oracle_options="-e ./calls*exit_handler -x ./calls*one_shot -x ./calls*wordexp"
compare
