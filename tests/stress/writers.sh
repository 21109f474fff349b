#!/bin/sh
# SPDX-License-Identifier: MIT
# 64 writers at a time into one file, some with lines far longer than a pipe's
# atomic write.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
n=$((160 / scale))

cat >"$work/writers" <<'EOF'
long=$(head -c 50000 /dev/zero | tr '\0' x)
w=0
while [ $w -lt 64 ]; do
	(
		i=0
		while [ $i -lt "$1" ]; do
			case $i in
			*7) /bin/true "$long" "$i" ;;
			*) /bin/true "$w" "$i" ;;
			esac
			i=$((i + 1))
		done
		exit 0
	) &
	w=$((w + 1))
done
wait
EOF
traced dash "$work/writers" "$n"
# Sessions: timeout, the shell, the subshell of $(), head, tr, the 64, and theirs.
all=$((64 * n + 64 + 5))
told start=$all atexit=$all child_start=$((all - 1)) child_exit=$((all - 1)) exec=0 \
	exec_result=0 signal=0
