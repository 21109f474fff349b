#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What is installed works from where it is, and all of it goes away again: a
# program finds trace2.h by pkg-config, links nothing, and is recorded.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
built=${T2_BUILD:-build}
work=$(mktemp -d "${TMPDIR:-/tmp}/t2install.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
cd "$root" || exit 2

fail() {
	echo "FAIL install: $*"
	exit 1
}

make -s O="$built" install DESTDIR="$work/root" PREFIX=/opt/t2 >/dev/null || fail "make install"
at=$work/root/opt/t2
for file in bin/t2 lib/t2shim/libt2shim.so include/trace2.h lib/pkgconfig/trace2.pc \
	share/man/man1/t2-region.1 share/man/man3/trace2.3 share/man/man7/t2shim.7; do
	[ -f "$at/$file" ] || fail "$file is missing"
done
[ "$("$at/bin/t2" --version)" = "t2 $(sed -n 's/^.define T2_VERSION "\(.*\)"/\1/p' preload/version.h)" ] ||
	fail "t2 --version"

cat >"$work/demo.c" <<'END'
#include <trace2.h>
int main(void)
{
	trace2_region_enter("demo", "installed", TRACE2_NO_REPO);
	trace2_region_leave("demo", "installed", TRACE2_NO_REPO);
	return trace2_is_enabled() ? 5 : 4;
}
END
flags=$(PKG_CONFIG_LIBDIR=$at/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$work/root \
	pkg-config --cflags --libs trace2) || fail "pkg-config"
# shellcheck disable=SC2086 # flags are a list
${CC:-cc} -std=c99 -pedantic -Wall -Wextra -Werror "$work/demo.c" $flags -o "$work/demo" ||
	fail "a program with trace2.h does not compile"
"$work/demo"
[ $? = 4 ] || fail "the program without the shim"
LD_PRELOAD=$at/lib/t2shim/libt2shim.so GIT_TRACE2_EVENT=$work/events "$work/demo"
[ $? = 5 ] || fail "the program with the shim"
grep -q '"region_enter".*"label":"installed"' "$work/events" || fail "the region is not told"

make -s O="$built" uninstall DESTDIR="$work/root" PREFIX=/opt/t2 >/dev/null || fail "make uninstall"
[ -z "$(find "$work/root" -type f)" ] || fail "left behind: $(find "$work/root" -type f)"
echo "ok install"
