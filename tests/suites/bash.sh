# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# bash's own tests, from its source package. A case is one of its run-* scripts; its
# result is what that printed (the difference to what bash's authors expect; usually
# nothing), as a digest.

prepare() {
	need bash cc
	source=$(sources bash) || skip "no source of bash: $(grep '^E:' "$work/fetch.log" | tail -n 1)"
	given=$work/tests
	cp -r "$source/tests" "$given"
	for tool in recho zecho printenv xcase; do
		cc -w -I"$source" -I"$source/include" -o "$given/$tool" "$source/support/$tool.c" ||
			skip "$tool does not build"
	done
	chmod +x "$given"/run-*
}

# It ends with a test of a terminal, and some wait for seconds.
cases() {
	limit_s=180
	for file in "$given"/run-*; do
		name=${file##*/run-}
		case $name in
		all | minimal) continue ;;
		esac
		wanted "$name" "$@" || continue
		snippet "$name" env THIS_SH=/bin/bash BASH_TSTOUT="$work/tmp/out" PATH=".:$PATH" \
			LC_ALL=C.UTF-8 sh "./run-$name"
	done
}
