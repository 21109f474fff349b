# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# What shells do with processes: shells.cases in every shell there is. A case is
# SHELL/NAME. The words behind a case's name say which shells it is for (all;
# posix: all but zsh) and how it runs: tty, on a terminal; typed, as lines typed at
# an interactive shell on one. T2_SHELLS names the shells, if not all.

prepare() {
	need script
	split_cases "$here/shells.cases" "$work/shells"
	shells=
	for shell in ${T2_SHELLS:-bash dash busybox zsh mksh ksh93}; do
		if command -v $shell >/dev/null; then
			shells="$shells $shell"
		else
			echo "shells: SKIP $shell: not installed"
		fi
	done
}

command_of() {
	case $1 in
	bash) echo "bash --norc" ;;
	busybox) echo "busybox ash" ;;
	zsh) echo "zsh -f" ;;
	*) echo "$1" ;;
	esac
}

# is_for SHELL FILE: are this file's cases for it?
is_for() {
	read -r _ _ words <"$2"
	for word in $words; do
		case $word in
		all | "$1") return 0 ;;
		posix) [ "$1" = zsh ] || return 0 ;;
		esac
	done
	return 1
}

# is WORD FILE: does the head of that case have the word?
is() {
	head -n 1 "$2" | grep -qw "$1"
}

cases() {
	given=$work/given
	for shell in $shells; do
		SH=$(command_of "$shell")
		export SH
		for file in "$work"/shells/*; do
			is_for "$shell" "$file" && wanted "$shell/${file##*/}" "$@" || continue
			rm -rf "$given"
			cp -r "$here/shells" "$given"
			cp "$file" "$given/case"
			one_case "$shell/${file##*/}" "$file"
		done
	done
	given=
}

one_case() {
	if is typed "$2"; then
		snippet "$1" sh ./type
	elif is tty "$2"; then
		snippet "$1" script -qec "$SH ./case" /dev/null
	else
		# shellcheck disable=SC2086 # a command and its arguments
		snippet "$1" $SH ./case
	fi
}
