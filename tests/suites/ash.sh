# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# The tests that busybox has for its shells (ash_test and hush_test, from its source
# package), in busybox itself, dash, bash, mksh and zsh; "static" is a busybox into which
# nothing is preloaded, only into what it starts. A case is SHELL/DIRECTORY/NAME, its
# result what the script printed. T2_SHELLS names the shells, if not all.

prepare() {
	need cc
	source=$(sources busybox) || skip "no source of busybox: $(grep '^E:' "$work/fetch.log" | tail -n 1)"
	mkdir "$work/tests" "$work/tools"
	cp -r "$source"/shell/ash_test/ash-* "$source"/shell/hush_test/hush-* "$work/tests/"
	for tool in recho zecho printenv; do
		cc -w -o "$work/tools/$tool" "$source/shell/ash_test/$tool.c" || skip "$tool does not build"
	done
	shells=
	for shell in ${T2_SHELLS:-busybox static dash bash mksh zsh}; do
		if [ "$shell" = static ]; then
			static=$(files busybox-static)/bin/busybox && shells="$shells static" ||
				echo "ash: SKIP static: $(grep '^E:' "$work/fetch.log" | tail -n 1)"
		elif command -v "$shell" >/dev/null; then
			shells="$shells $shell"
		else
			echo "ash: SKIP $shell: not installed"
		fi
	done
}

# Not those that take long by design.
cases() {
	limit_s=20
	for shell in $shells; do
		case $shell in
		static) THIS_SH="$static ash" ;;
		busybox) THIS_SH="$(command -v busybox) ash" ;;
		*) THIS_SH=$(command -v "$shell") ;;
		esac
		export THIS_SH
		for file in "$work"/tests/*/*.tests; do
			given=${file%/*}
			name=${file#"$work/tests/"}
			name=${name%.tests}
			case $name in
			*z_slow*) continue ;;
			esac
			wanted "$shell/$name" "$@" || continue
			# shellcheck disable=SC2086 # a command and its argument
			snippet "$shell/$name" env PATH="$work/tools:$PATH" $THIS_SH "./${name##*/}.tests"
		done
	done
}
