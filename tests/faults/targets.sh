#!/bin/sh
# SPDX-License-Identifier: MIT
# What the target's name means changes while processes write to it.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

place=$work/place
target=$place/events

# change LABEL COMMANDS: the shell and its children go on over the change, which a
# stranger makes while they wait.
change() {
	rm -rf "$place" "$work/ask" "$work/answer"
	mkdir "$place"
	mkfifo "$work/ask" "$work/answer"
	(
		read -r _ <"$work/ask"
		eval "$2"
		echo changed >"$work/answer"
	) &
	same "$1" sh -c "/bin/true; echo \$?; [ -z \"\$LD_PRELOAD\" ] || {
			echo >'$work/ask'; read -r changed <'$work/answer'; }
		/bin/true; (exit 3); echo \$?; /bin/sh -c 'exit 4'; echo \$?"
	wait
}

# shellcheck disable=SC2034 # for those commands
T=$target
change unchanged :
whole unchanged "$target"
change removed 'rm "$T"'
whole removed "$target"
change renamed 'mv "$T" "$T.1"'
whole renamed "$target" "$target.1"
change emptied ': >"$T"'
whole emptied "$target"
change "a directory" 'rm "$T"; mkdir "$T"'
whole "a directory" "$target"/*
change "a FIFO without a reader" 'rm "$T"; mkfifo "$T"'
change "a socket" 'rm "$T"; perl -MSocket -e "socket S, AF_UNIX, SOCK_STREAM, 0;
	bind S, sockaddr_un(shift)" "$T"'
change "a full device" 'rm "$T"; ln -s /dev/full "$T"'
change "a null device" 'rm "$T"; ln -s /dev/null "$T"'
change "a loop of links" 'rm "$T"; ln -s "$T" "$T"'
change "a link to nowhere" 'rm "$T"; ln -s /nonexistent/file "$T"'
change "without rights" 'chmod 0 "$T"'
change "no directory" 'rm -r "${T%/*}"'
change "a directory that is a file" 'rm -r "${T%/*}"; : >"${T%/*}"'
rm -f "$place"
change "another directory" 'mv "${T%/*}" "${T%/*}.1"; mkdir "${T%/*}"'
whole "another directory" "$target" "$place.1/events"

# A directory of files that goes, for sessions that have a file in it.
rm -rf "$place"
mkdir "$place"
target=$place
same "a directory that goes" sh -c "/bin/true; [ -z \"\$LD_PRELOAD\" ] || rm -rf '$place'
	/bin/true; echo \$?"
rm -rf "$place"
mkdir "$place"
same "a directory without rights" \
	sh -c "/bin/true; chmod 555 '$place'; /bin/true; chmod 755 '$place'"
whole "a directory without rights" "$place"/*

# Another root, in which there is no target: fork, thread and end go on.
build busy
if [ "$(id -u)" = 0 ]; then
	mkdir "$work/root"
	rm -rf "$place"
	mkdir "$place"
	target=$place/events
	same "another root" "$work/busy" root "$work/root"
	whole "another root" "$target"
	[ -z "$(ls "$work/root")" ] || fail "another root: something was made there"
else
	echo "SKIP $name: another root: only the superuser may"
fi
echo "ok $name"
