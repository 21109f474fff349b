#!/bin/sh
# SPDX-License-Identifier: MIT
#
# gen-exports.sh HOOKS.DEF: print the linker's version script.
#
# Hooks are exported by their visibility, without a version, so that they match
# every reference. Only names with two versions need nodes to be put in.
set -eu

printf '#define HOOK(name)\n#define HOOK_OLD(name, old, new) @node old @node new\n
#include <features.h>\n#define T2_GLIBC(minor) __GLIBC_PREREQ(2, minor)\n#include "%s"\n' "$1" |
	${CC:-cc} -E -P -D_GNU_SOURCE -I. -x c - |
	grep -o '@node "[^"]*"' | tr -d '"' | sort -u -V | {
	if ${CC:-cc} -dumpmachine | grep -q '^x86_64'; then
		# The C names of the versioned hooks are no business of the host.
		hide=' local: t2_hook_*;'
		while read -r _ node; do
			printf '%s {%s };\n' "$node" "$hide"
			hide=
		done
	else
		# One version each: no node, and nothing to say.
		cat >/dev/null
		echo '{ };'
	fi
}
