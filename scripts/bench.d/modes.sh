#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The modes a thing is measured in: lines "key, name, words before the command,
# NAME=VALUE...", with tabs between, in $work/tree (processes within a traced tree)
# and $work/root (the first process of one).
# shellcheck disable=SC2154,SC2034 # bench sets them; others read ours

parent=20261120T170652.372883Z-H15a8054a-P00000007
tab=$(printf '\t')

# line KEY NAME PREFIX [VARIABLE=VALUE...]
line() {
	key=$1 name=$2 prefix=$3
	shift 3
	printf '%s\t%s\t%s' "$key" "$name" "$prefix"
	printf '\t%s' "PATH=$PATH" "HOME=$work/home" "GIT_CONFIG_SYSTEM=$work/nothing" "$@"
	printf '\n'
}

# What each writes to is in $sink, so that it can be emptied after each sample.
lines() {
	line plain plain '' "$@"
	line empty 'empty preload' '' LD_PRELOAD="$empty" "$@"
	line none 'shim, no target' '' LD_PRELOAD="$shim"
	set -- LD_PRELOAD="$shim" "$@"
	line event 'EVENT file' '' "$@" GIT_TRACE2_EVENT="$sink/event"
	line perf 'PERF file' '' "$@" GIT_TRACE2_PERF="$sink/perf"
	line normal 'NORMAL file' '' "$@" GIT_TRACE2="$sink/normal"
	line dir 'EVENT directory' '' "$@" GIT_TRACE2_EVENT="$sink/dir"
	line socket 'EVENT socket' '' "$@" GIT_TRACE2_EVENT="af_unix:stream:$work/socket"
	line all 'all three, files' '' "$@" GIT_TRACE2_EVENT="$sink/event" \
		GIT_TRACE2_PERF="$sink/perf" GIT_TRACE2="$sink/normal"
}

# The system calls alone, where they are those of /bin/true in a tree.
floor() {
	[ "$(uname -m)" = x86_64 ] || return 0
	${CC:-cc} -O2 -fPIC -shared -nostartfiles -Wl,-z,now -Wl,-z,noseparate-code -o "$work/floor.so" "$here/floor.c"
	line floor 'its system calls' '' LD_PRELOAD="$work/floor.so" "$@" GIT_TRACE2_EVENT="$sink/event"
}

# chosen: of lines, those that -m or -q leave.
chosen() {
	[ -n "$only" ] || [ -z "$quick" ] || only=none,event
	awk -F'\t' -v only="${only:+plain,empty,$only}" '
		only == "" || index("," only ",", "," $1 ",")'
}

# environment FILE KEY: its NAME=VALUE, one on a line.
environment() {
	awk -F'\t' -v key="$2" '$1 == key { for (i = 4; i <= NF; i++) print $i }' "$1"
}

begin_modes() {
	sink=$work/sink
	mkdir -p "$sink/dir" "$work/home"
	# As most people have one; and no target in it.
	printf '[user]\n\tname = A User\n\temail = user@example.org\n' >"$work/home/.gitconfig"
	"$work/reader" "$work/socket" &
	reader=$!
	while [ ! -S "$work/socket" ]; do
		kill -0 "$reader"
		sleep 0.01
	done
	set -- GIT_TRACE2_PARENT_SID=$parent GIT_TRACE2_PARENT_NAME=sh
	lines "$@" | chosen >"$work/tree"
	floor "$@" >"$work/floor"
	lines | chosen >"$work/root"
}
