#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Run a command under the shim and under strace, and let the oracle compare.
#
#   run.sh [-D] [-k DIR] [ORACLE-OPTION...] -- COMMAND [ARG...]
#
# -D lets each session write a file of its own, in a directory.
# -k keeps trace, events and the command's exit status (trace, events, status)
# in DIR. Exit status: 0 everything agrees, 1 it does not, 2 nothing to compare.
#
# T2_SHIM    the shim; default: build/libt2shim.so of this tree
# T2_ORACLE  the oracle; default: built for this run
#
# The shim's variables are set by strace, so that only the command sees them.
# Redaction is off, since the trace has the plain argv. A preload list asked
# for by a loader is how the oracle knows dynamic programs: access is traced.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
shim=${T2_SHIM:-$(cd "$here/../.." && pwd)/build/libt2shim.so}
work=$(mktemp -d "${TMPDIR:-/tmp}/t2oracle.XXXXXX")
trap 'rm -rf "$work"' EXIT
keep=

usage() {
	echo "usage: run.sh [-D] [-k DIR] [ORACLE-OPTION...] -- COMMAND..." >&2
	exit 2
}

options=
while getopts Dd:e:k:ls:vx: letter; do
	case $letter in
	D) mkdir "$work/events" ;;
	k) keep=$OPTARG ;;
	l | v) options="$options -$letter" ;;
	# Quoted for the eval below.
	d | e | s | x) options="$options -$letter '$(printf %s "$OPTARG" | sed "s/'/'\\\\''/g")'" ;;
	*) usage ;;
	esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || usage

if [ ! -f "$shim" ]; then
	echo "run.sh: no shim: $shim" >&2
	exit 2
fi
oracle=${T2_ORACLE:-$work/oracle}
[ -x "$oracle" ] || "$here/build.sh" "$oracle" || exit 2

calls="execve,execveat,?fork,?vfork,clone,?clone3,exit,exit_group,wait4,waitid,chdir,fchdir"
calls="$calls,?access,faccessat,?faccessat2,kill,tkill,tgkill"
# A program that gives up its rights goes on telling.
[ -d "$work/events" ] || touch "$work/events"
chmod a+x "$work"
chmod a+rwx "$work/events"

status=0
strace -f -q -v -y --seccomp-bpf -s 131072 -ttt -e trace="$calls" -e signal=all \
	-E LD_PRELOAD="$shim${LD_PRELOAD:+:$LD_PRELOAD}" -E GIT_TRACE2_EVENT="$work/events" \
	-E GIT_TRACE2_REDACT=0 -E GIT_TRACE2_PARENT_SID -E GIT_TRACE2_PARENT_NAME \
	-o "$work/trace" "$@" || status=$?
if [ ! -s "$work/trace" ]; then
	echo "run.sh: strace told nothing" >&2
	exit 2
fi
if [ -n "$keep" ]; then
	mkdir -p "$keep"
	rm -rf "$keep/events"
	cp -r "$work/trace" "$work/events" "$keep/"
	echo "$status" >"$keep/status"
fi
verdict=0
eval "\"\$oracle\" $options \"\$work/trace\" \"\$work/events\"" || verdict=$?
exit "$verdict"
