# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# Run a program bare and under the shim, in a directory of its own each, and
# compare all that can be seen of it.
#
# T2_SHIM      the shim; default: build/libt2shim.so of this tree
# T2_LONG      multiply the rounds of loops by this
# T2_KEEP      keep the working directory, and say where it is
set -u

here=$(cd "$(dirname "$0")" && pwd)
shim=${T2_SHIM:-$(cd "$here/../.." && pwd)/build/libt2shim.so}
name=$(basename "$0" .sh)
# shellcheck disable=SC2034 # for those who read this file
long=${T2_LONG:-1}
work=$(mktemp -d "${TMPDIR:-/tmp}/t2faults.XXXXXX") || exit 2
peer=
trap '[ -z "$peer" ] || kill -KILL $peer 2>/dev/null
	[ -n "${T2_KEEP:-}" ] || rm -rf "$work"' EXIT
events=$work/events
target=$events
# Another user has to get at it, too.
chmod 755 "$work"
for variable in $(env | sed -n 's/^\(GIT_TRACE2[A-Z_]*\|T2SHIM_[A-Z_]*\)=.*/\1/p'); do
	unset "$variable"
done
[ -f "$shim" ] || {
	echo "FAIL $name: no shim: $shim"
	exit 1
}

fail() {
	echo "FAIL $name: $*"
	[ -z "${T2_KEEP:-}" ] || echo "see $work"
	exit 1
}

skip() {
	echo "SKIP $name: $*"
	exit 0
}

build() {
	for program; do
		"${CC:-cc}" -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -O1 -g -I"$here/../.." \
			-o "$work/$program" "$here/$program.c" -pthread ||
			fail "cannot build $program.c"
	done
}

# run MODE COMMAND...: in $work/MODE. What is printed goes through pipes, so that
# a file-size limit does not count it. Whatever is older is removed.
run() {
	mode=$1
	shift
	rm -rf "${work:?}/$mode"
	mkdir "$work/$mode"
	{
		(
			cd "$work/$mode" || exit 2
			[ "$mode" = bare ] || export LD_PRELOAD="$shim" GIT_TRACE2_EVENT="$target"
			exec timeout -k 5 60 "$@" 8>&- </dev/null
		) 2>&1 >&8 | cat >"$work/$mode.err"
	} 8>&1 | cat >"$work/$mode.out"
}

# same LABEL COMMAND...: the outcome, what is printed and the files left behind are
# those of a bare run.
same() {
	label=$1
	shift
	for one in bare traced; do
		run $one sh -c '"$@"; echo "status $?" >&2' sh "$@"
	done
	for stream in out err; do
		diff "$work/bare.$stream" "$work/traced.$stream" ||
			fail "$label: std$stream differs"
	done
	diff -r "$work/bare" "$work/traced" || fail "$label: files differ"
	! grep -rq '"sid":"' "$work/traced" || fail "$label: a file has something of ours"
	grep -q '^status' "$work/bare.err" || fail "$label: the bare run does not end"
}

# whole LABEL FILE...: nothing but whole lines of JSON and blanks, and some of those.
whole() {
	label=$1
	shift
	for file; do
		[ -s "$file" ] || fail "$label: nothing was told in $file"
		[ -z "$(tail -c 1 "$file")" ] || fail "$label: $file does not end with a line"
		grep -v '^ *$' "$file" >"$work/lines"
		jq -Re 'fromjson | .event' "$work/lines" >"$work/kinds" 2>"$work/torn" ||
			fail "$label: a torn line in $file: $(head -n 3 "$work/torn")"
	done
}

# whole_but LABEL MAX FILE: as whole(), where MAX writers may have died in the middle of
# a line: the kernel looks for a deadly signal between the pages of a write. The next
# line is behind such a piece and is whole; no text in a line looks like its beginning.
whole_but() {
	[ -s "$3" ] || fail "$1: nothing was told in $3"
	sed 's/\(.\)\({"event":"\)/\1\n\2/g' "$3" | grep -v '^ *$' >"$work/split"
	jq -Rc 'fromjson? // empty' "$work/split" >"$work/lines"
	! grep -qv '^{' "$work/split" || fail "$1: what is no line's beginning"
	pieces=$(($(wc -l <"$work/split") - $(wc -l <"$work/lines")))
	[ $pieces -le "$2" ] || fail "$1: $pieces torn lines"
}

# told EXPRESSION: of the lines that whole() has just seen, as one array.
told() {
	jq -s "$1" "$work/lines"
}

# await FILE: until something has been written there; ten seconds at most.
await() {
	tries=0
	while [ ! -s "$1" ]; do
		tries=$((tries + 1))
		[ $tries -lt 500 ] || fail "nobody is ready"
		sleep 0.02
	done
}

# Run the rest of this script where mounting harms nobody.
need_mounts() {
	[ -z "${T2_FAULTS_MOUNTS:-}" ] || return 0
	if unshare -m true 2>/dev/null; then
		T2_FAULTS_MOUNTS=own unshare -m "$0"
	elif unshare -rm true 2>/dev/null; then
		T2_FAULTS_MOUNTS=user unshare -rm "$0"
	else
		skip "no mount namespace is permitted"
	fi
	exit
}
