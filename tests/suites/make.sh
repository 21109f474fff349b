# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# GNU make's own tests, from its source package, of the installed make. A case is one
# of its scripts, "category/name"; it says how many of its tests passed.

prepare() {
	need make perl cc
	source=$(sources make-dfsg) || skip "no source of make: $(grep '^E:' "$work/fetch.log" | tail -n 1)"
	given=$work/make
	mkdir -p "$given/src"
	cp -r "$source/tests" "$given/tests"
	cp "$source/src/gnumake.h" "$given/src/"
	# What configure would find out: nothing is loaded, no guile.
	cat >"$given/tests/config-flags.pm" <<-'END'
		%CONFIG_FLAGS = (AM_LDFLAGS => '', AR => 'ar', CC => 'cc', CFLAGS => '', CPP => 'cc -E',
			CPPFLAGS => '', GUILE_CFLAGS => '', GUILE_LIBS => '', LDFLAGS => '', LIBS => '', USE_SYSTEM_GLOB => 'yes');
		1;
	END
}

cases() {
	limit_s=300
	for file in "$given"/tests/scripts/*/*; do
		name=${file#"$given/tests/scripts/"}
		case $name in
		vms/* | */test_template) continue ;;
		esac
		wanted "$name" "$@" || continue
		snippet "$name" sh -c 'cd tests && perl -I. ./run_make_tests.pl -srcdir .. -make /usr/bin/make "$1"
			status=$?; cat work/"$1".diff* 2>/dev/null | grep -v "^[*-]* work/"; exit $status' sh "$name"
	done
}
