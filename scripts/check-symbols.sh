#!/bin/sh
# SPDX-License-Identifier: MIT
#
# check-symbols.sh <libt2shim.so>
#
# What the object shows to the loader, because one wrong symbol harms every
# process of a tree:
#
#	exports		exactly hooks/hooks.def: anything more replaces the host's
#	imports		within tests/abi/imports.allow: the executable comes first in
#			symbol lookup, so whatever we import may be the host's own
#	NEEDED		libc alone: a missing dependency of a preload is fatal
#	version floor	a newer libc than the host's is fatal as well
#	layout		what a start touches, runs and relocates is on few pages
#	TLS		carved out of every thread's stack
#	properties	one unmarked object clears IBT/SHSTK, or BTI/PAC, for the process
#	BIND_NOW, RELRO, no executable stack

set -eu
cd "$(dirname "$0")/.."
export LC_ALL=C

lib=${1:?usage: check-symbols.sh <libt2shim.so>}
tls_max=256
# The oldest libc we promise to load on. Raising it is a decision, not an accident.
glibc_floor=${T2_GLIBC_FLOOR:-2.34}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nr_wrong=0

wrong() {
	echo "check-symbols: $*" >&2
	nr_wrong=$((nr_wrong + 1))
}

# Lines that only the first or only the second sorted list has.
compare() {
	for name in $(comm -23 "$1" "$2"); do wrong "$3: $name"; done
	for name in $(comm -13 "$1" "$2"); do wrong "$4: $name"; done
}

# hooks.def with its conditions decided as for this build; versions stay apart.
${CC:-cc} -E -P -D_GNU_SOURCE -I. -include features.h \
	'-DT2_GLIBC(minor)=__GLIBC_PREREQ(2, minor)' \
	'-DHOOK(name)=hook name' '-DHOOK_OLD(name,old,new)=hook_old name' \
	-x c hooks/hooks.def | sed -n 's/^hook[_old]* //p' | sort -u >"$work/hooks"
[ -s "$work/hooks" ] || wrong "hooks/hooks.def has no hooks"

# What we export: the hooks, and the one object through which trace2.h finds us.
nm -D --defined-only --format=posix "$lib" | awk '$2 != "A" { print $1 }' |
	sed 's/@.*//' | sort -u >"$work/all"
grep -qx trace2_api_v1 "$work/all" || wrong "the public API is not exported"
grep -vx trace2_api_v1 "$work/all" >"$work/exports"
compare "$work/exports" "$work/hooks" "exported, but no hook" "a hook, but not exported"

# What every process touches at its start is one page: from the last settings to the
# beginning of the session's id (preload/limits.h).
address() {
	nm --format=posix "$lib" | awk -v name="$1" '$1 == name { print $3 }'
}
state=$(address t2_state)
session=$(address t2_main)
if [ -n "$state" ] && [ $(((0x$state - 640) / 4096)) != $(((0x$session + 1800) / 4096)) ]; then
	wrong "a start touches more than a page: state at $state, session at $session"
fi

# What every process runs is in one piece (preload/early.list, preload/early.ld), of as
# few pages as it needs; what only shares a name with it is somewhere.
nm "$lib" | awk '$2 ~ /[tT]/ { print $3, $1 }' | sort >"$work/functions"
awk '{ print $1 }' "$work/functions" | uniq -u | sort | comm -12 - preload/early.list >"$work/early"
run=$(join "$work/early" "$work/functions" | awk '{ print $2 }' | sort | sed -n '1p; $p' | tr '\n' ' ')
if [ "$(wc -l <"$work/early")" -lt 50 ] || [ $((0x${run#* } - 0x${run%% *})) -gt 32768 ]; then
	wrong "what every process runs is not together: $run"
fi

# The file ends within the page that the loader relocates (preload/early.ld).
data=$(readelf -lW "$lib" | awk '$1 == "LOAD" && $7 == "RW" { print $2, $5 }')
if [ $(((${data% *} + ${data#* }) % 4096)) = 0 ]; then
	wrong "the loader reads its page before it writes to it: the file ends with the page"
fi

# libc must have what we export: a host that probes must not find it because of us.
libc=$(ldd "$lib" | awk '$1 == "libc.so.6" { print $3 }')
nm -D --defined-only --format=posix "$libc" | sed 's/@.*//; s/ .*//' | sort -u >"$work/libc"
for name in $(comm -23 "$work/exports" "$work/libc"); do
	wrong "exported, but not by libc: $name"
done

# Siblings under which a hooked function can be reached as well.
while read -r name; do
	for sibling in "__$name" "${name}64" "__${name}_chk" "__${name}_time64"; do
		grep -qx "$sibling" "$work/libc" || continue
		grep -qx "$sibling" "$work/exports" && continue
		grep -q "^sibling:${sibling}[[:space:]]" tests/abi/imports.allow && continue
		wrong "$name is hooked, its sibling $sibling is not"
	done
done <"$work/hooks"

sed -n 's/^\([A-Za-z_][A-Za-z0-9_]*\)[[:space:]].*/\1/p' tests/abi/imports.allow |
	sort -u >"$work/allowed"
nm -D --undefined-only --format=posix "$lib" | sed 's/@.*//; s/ .*//' | sort -u >"$work/imports"
for name in $(comm -23 "$work/imports" "$work/allowed"); do
	wrong "imported, but not in tests/abi/imports.allow: $name"
done
for name in $(comm -13 "$work/imports" "$work/allowed"); do
	echo "check-symbols: allowed, but no longer imported: $name"
done

readelf -dW "$lib" >"$work/dynamic"
needed=$(sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' "$work/dynamic" | sort | tr '\n' ' ')
[ "$needed" = "libc.so.6 " ] || wrong "NEEDED is '$needed' instead of 'libc.so.6 '"
grep -q 'BIND_NOW\|FLAGS.*NOW' "$work/dynamic" || wrong "not bound at load time"
grep -q 'TEXTREL' "$work/dynamic" && wrong "relocations in code"

readelf -lW "$lib" >"$work/segments"
grep -q GNU_RELRO "$work/segments" || wrong "no RELRO"
awk '$1 == "GNU_STACK" { found = 1; if ($7 ~ /E/ || $8 ~ /E/) bad = 1 }
	END { exit !(found && !bad) }' "$work/segments" || wrong "executable stack"
tls=$(awk '$1 == "TLS" { print $6 }' "$work/segments")
tls=$((${tls:-0}))
[ "$tls" -le "$tls_max" ] || wrong "$tls bytes of TLS; $tls_max are the limit"

# A floor of our own making only: the names come with the version they appeared in.
floor=$(readelf -VW "$lib" | grep -o 'Name: GLIBC_[0-9.]*' | sed 's/.*GLIBC_//' |
	sort -t. -k1,1n -k2,2n -u | tail -n 1)
newest=$(printf '%s\n%s\n' "${floor:-2.0}" "$glibc_floor" | sort -t. -k1,1n -k2,2n | tail -n 1)
[ "$newest" = "$glibc_floor" ] ||
	wrong "needs glibc $floor; $glibc_floor is the promise"

# Marked as a whole or not at all: an assembly file without the note is the usual
# cause. The C library's own start files may lack it; ours may not differ.
properties_of() {
	readelf -nW "$1" 2>/dev/null | grep -o 'IBT\|SHSTK\|BTI\|PAC' | sort -u | tr '\n' ' '
}
properties=$(properties_of "$lib")
find "$(dirname "$lib")/pic" -name '*.o' >"$work/objects" 2>/dev/null || true
while read -r object; do
	echo "properties: $(properties_of "$object")"
done <"$work/objects" | sort | uniq -c >"$work/properties"
[ "$(wc -l <"$work/properties")" -le 1 ] ||
	wrong "objects differ in their properties: $(tr '\n' ';' <"$work/properties")"
case $properties in
"" | "IBT SHSTK " | "BTI " | "BTI PAC ") ;;
*) wrong "half of the control-flow properties: '$properties'" ;;
esac

[ "$nr_wrong" -eq 0 ] || exit 1
echo "check-symbols: $(wc -l <"$work/exports") exports, $(wc -l <"$work/imports") imports," \
	"$tls bytes of TLS, glibc >= ${floor:-any}, properties: ${properties:-none}"
