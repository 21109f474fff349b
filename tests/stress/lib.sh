# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# Run something big under the shim, with one event file, and check that file.
#
# T2_SHIM      the shim; default: build/libt2shim.so of this tree
# T2_SCALE     divide the numbers of processes by this, for a quick try
# T2_KEEP      keep the working directory, and say where it is

here=$(cd "$(dirname "$0")" && pwd)
shim=${T2_SHIM:-$(cd "$here/../.." && pwd)/build/libt2shim.so}
name=$(basename "$0" .sh)
# shellcheck disable=SC2034 # for those who read this file
scale=${T2_SCALE:-1}
work=$(mktemp -d "${TMPDIR:-/tmp}/t2stress.XXXXXX") || exit 2
trap '[ -n "${T2_KEEP:-}" ] || rm -rf "$work"' EXIT

fail() {
	echo "FAIL $name: $*"
	[ -z "${T2_KEEP:-}" ] || echo "$name: see $work" >&2
	exit 1
}

build() {
	"${CC:-cc}" -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -O2 -o "$work/$1" "$here/$1.c" \
		${2:+"$2"} -pthread || fail "cannot build $1.c"
}

# traced COMMAND...: run it and expect success.
traced() {
	[ -f "$shim" ] || fail "no shim: $shim"
	status=0
	env -u GIT_TRACE2_PARENT_SID -u GIT_TRACE2_PARENT_NAME LD_PRELOAD="$shim" \
		GIT_TRACE2_EVENT="$work/events" timeout 300 "$@" || status=$?
	[ $status -eq 0 ] || fail "status $status"
}

# told EVENT=COUNT...: what the event file has to have.
told() {
	[ -s "$work/events" ] || fail "told nothing"
	[ -x "$work/check" ] || build check -ljansson
	"$work/check" "$work/events" "$@" >"$work/said" 2>&1 || {
		cat "$work/said" >&2
		fail "the event file is not as it should be"
	}
	echo "ok $name"
}
