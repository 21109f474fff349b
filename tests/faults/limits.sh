#!/bin/sh
# SPDX-License-Identifier: MIT
# Limits on the size of files and the number of descriptors: hit by our lines, and
# by the host itself.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

build limits
# Descriptors are counted: what we inherit is one too many.
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
for disposition in default ignore handler blocked; do
	for where in "" thread; do
		# The first lines are cut by the limit, or there is no room from the start.
		for size in 0 5000; do
			head -c "$size" /dev/zero | tr '\0' '\n' >"$events"
			# shellcheck disable=SC2086 # perhaps no argument
			same "size $disposition $where $size" "$work/limits" size $disposition $where
		done
		whole "size $disposition $where" "$events"
		# Only the host itself hits it.
		rm -f "$events"
		mkfifo "$events"
		cat "$events" >"$work/read" &
		reader=$!
		exec 9>"$events"
		# shellcheck disable=SC2086 # perhaps no argument
		same "size $disposition $where, a pipe" "$work/limits" size $disposition $where 9>&-
		exec 9>&-
		wait $reader
		whole "size $disposition $where, a pipe" "$work/read"
		rm -f "$events"
	done
done

# A limit that comes with the shell, as users set it.
same "ulimit" sh -c 'ulimit -f 0; /bin/true; echo $?; (exit 3); echo $?; /bin/true | cat; echo $?'
same "ulimit, bash" bash -c 'ulimit -f 0; /bin/true; echo $?; (exit 3); echo $?; /bin/true | cat'
[ ! -f "$events" ] || whole "ulimit" "$events"

mkdir "$work/directory"
for to in "$events" "$work/directory" af_unix:stream:"$work/none" 5; do
	target=$to
	for max in 0 3 4 5 20 200 300; do
		same "$max descriptors to $to" "$work/limits" descriptors $max
	done
done
whole descriptors "$events"
rm -f "$events"
target=$events
same "memory" "$work/limits" memory 4096
whole memory "$events"
echo "ok $name"
